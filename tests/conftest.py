"""Fixtures that more than one file of tests uses."""

from pathlib import Path

import pytest

from polymask import cli, rungs
from polymask.bench import busy, driver, rows, yardstick
from polymask.workshop import exercises, folder


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch):
    """Whatever else runs here, bench in this process finds the machine quiet, and at once."""
    monkeypatch.setattr(busy, "look", lambda: busy.Look(cores=2, others=0.0, stolen=0.0))


class Clock:
    """A clock that stands still but for work, and a tenth of a millisecond each time it is read."""

    def __init__(self):
        self.now = 0.0

    def work(self, seconds):
        """Let time pass."""
        self.now += seconds

    def perf_counter(self):
        """Read the clock."""
        self.work(1e-4)
        return self.now

    process_time = perf_counter


@pytest.fixture
def clock(monkeypatch):
    """Let the driver measure by the test's clock: load and the machine's speed do not count."""
    made = Clock()
    for module in (driver, rows, yardstick):
        monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture(params=rungs.RUNGS, ids=lambda rung: rung.key)
def rung(request):
    """Every rung of the registry that can run here; the others are skipped with their reason."""
    try:
        request.param.load()
    except rungs.Unavailable as error:
        pytest.skip(f"{request.param.key}: {error}")
    return request.param


@pytest.fixture
def make_mask(rung):
    """The `make_mask` of every rung that can run here."""
    return rung.load()


@pytest.fixture(scope="session")
def root():
    """The root of the checkout, or of the unpacked sdist."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def polymask(capsys, tmp_path, monkeypatch):
    """Run the command line in this process; return the exit code, what it printed, and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = cli.main(list(map(str, arguments)))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def workshop(tmp_path, monkeypatch, capsys):
    """A workshop in a folder with a space and an umlaut, and the command line in it."""
    where = tmp_path / "mein Ördner" / "workshop"
    vectorize = exercises.get("vectorize")
    folder.start(where, [vectorize, exercises.get("type")])
    monkeypatch.chdir(where)

    def run(*arguments):
        code = cli.main(["workshop", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    run.where = where
    run.answer = where / vectorize.directory / vectorize.main
    run.solve = lambda: run.answer.write_text(vectorize.solution(vectorize.main))
    return run
