"""A fixture of the tests of the command line: run a command on bad input."""

import pytest


@pytest.fixture
def error_of(polymask):
    """Run a command on bad input; return its error, one line that is its only output."""

    def run(*arguments):
        code, out, err = polymask(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("polymask: ")
        return err

    return run
