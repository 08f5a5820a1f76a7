"""What tests of the command line share: how bad input is refused."""

import pytest


@pytest.fixture
def refused(polymask):
    """Run a command on bad input; return its error: one line, and nothing else."""

    def run(*arguments):
        code, out, err = polymask(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("polymask: ")
        return err

    return run
