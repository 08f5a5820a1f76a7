"""Fixtures that more than one file of tests uses."""

import functools
import signal
import sys

import pytest
from broken_driver import BROKEN
from checkouts import ROOT, committed

from polymask import cli, contract
from polymask.bench import driver, measurement, rounds
from polymask.common import busy
from polymask.devices import opencl
from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.student import folder

pytest_plugins = ["rings"]

# For benchmarks/. Last, so that an installed polymask is tested and not ./polymask.
sys.path.append(str(ROOT))


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
    for module in (driver, measurement, rounds):
        monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture(params=registry.RUNGS, ids=lambda rung: rung.key)
def rung(request):
    """Every rung of the registry that can run here; the others are skipped with their reason."""
    try:
        request.param.load()
    except registry.Unavailable as error:
        pytest.skip(f"{request.param.key}: {error}")
    return request.param


@pytest.fixture
def make_mask(rung):
    """The `make_mask` of every rung that can run here; what its first call compiles is there."""
    first_call(rung)
    return rung.load()


@functools.cache
def first_call(rung):
    """Let a rung make a mask, once in this process."""
    rung.load()([(0, 0), (2, 0), (1, 2)], (2, 2))


@pytest.fixture(scope="session")
def root():
    """The root of the checkout, or of the unpacked sdist."""
    return ROOT


@pytest.fixture
def interruptible():
    """Let children take Ctrl-C even where a shell began the tests in its background.

    There SIGINT is ignored, by `make test &` say, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def files(root):
    """Every file that is or could be committed, as paths from the root."""
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    return committed()


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


@pytest.fixture(scope="session")
def working():
    """The devices that work here; skip where none does."""
    try:
        tried = opencl.survey()
        opencl.works(tried)
    except contract.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    return [one for one in tried if not one.failure]


@pytest.fixture
def only_pocl(working):
    """Variables with which the only device is PoCL's, and cannot build; skip where it is not."""
    pocl = [one.choice for one in working if "PoCL" in one.device.version]
    if not pocl:
        pytest.skip("no PoCL to break")
    others = len(working) > len(pocl) or len(pocl) > 1
    return BROKEN | ({"PYOPENCL_CTX": pocl[0]} if others else {})
