"""Fixtures used by more than one test file."""

import functools
import signal
import sys

import pytest
from broken_driver import BROKEN
from checkouts import ROOT, committed

from ladder import registry
from ladder.bench import driver, estimate, measurement, rounds
from ladder.common import busy
from ladder.devices import opencl
from ladder.workshop import exercises
from ladder.workshop.student import folder
from polymask import cli, contract

pytest_plugins = ["rings"]

# For benchmarks/. Last, so that an installed polymask is tested and not ./polymask.
sys.path.append(str(ROOT))


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch):
    """Report an idle machine to bench at once, whatever else is running."""
    monkeypatch.setattr(busy, "look", lambda: busy.Look(cores=2, others=0.0, stolen=0.0))


class Clock:
    """A clock that advances only through `work`, and by 0.1 ms each time it is read."""

    def __init__(self):
        self.now = 0.0

    def work(self, seconds):
        """Advance the clock."""
        self.now += seconds

    def perf_counter(self):
        """Read the clock."""
        self.work(1e-4)
        return self.now

    process_time = perf_counter


@pytest.fixture
def clock(monkeypatch):
    """Replace the driver's clock, so that the machine's load and speed do not matter."""
    fake = Clock()
    for module in (driver, estimate, measurement, rounds):
        monkeypatch.setattr(module, "time", fake)
    return fake


@pytest.fixture(params=registry.RUNGS, ids=lambda rung: rung.key)
def rung(request):
    """Every rung in the registry that can run here; the others are skipped with the reason."""
    try:
        request.param.load()
    except registry.Unavailable as error:
        pytest.skip(f"{request.param.key}: {error}")
    return request.param


@pytest.fixture
def make_mask(rung):
    """The `make_mask` of every rung that can run here, after its first call."""
    first_call(rung)
    return rung.load()


@functools.cache
def first_call(rung):
    """Make a mask with a rung, once per process."""
    rung.load()([(0, 0), (2, 0), (1, 2)], (2, 2))


@pytest.fixture(scope="session")
def root():
    """The root of the checkout, or of the unpacked sdist."""
    return ROOT


@pytest.fixture
def interruptible():
    """Let child processes receive Ctrl-C even if a shell runs the tests in the background.

    SIGINT is ignored then, as in `make test &`, and child processes inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def files(root):
    """The paths of all files that are or could be committed."""
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    return committed()


@pytest.fixture
def polymask(capsys, tmp_path, monkeypatch):
    """Run the command line in this process; return the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = cli.main(list(map(str, arguments)))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def workshop(tmp_path, monkeypatch, capsys):
    """A workshop in a folder with a space and an umlaut, and the command line in it."""
    path = tmp_path / "mein Ördner" / "workshop"
    vectorize = exercises.get("vectorize")
    folder.start(path, [vectorize, exercises.get("type")])
    monkeypatch.chdir(path)

    def run(*arguments):
        code = cli.main(["workshop", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    run.folder = path
    run.answer = path / vectorize.directory / vectorize.main
    run.solve = lambda: run.answer.write_text(vectorize.solution(vectorize.main))
    return run


@pytest.fixture(scope="session")
def working():
    """The working OpenCL devices; skip if there are none."""
    try:
        trials = opencl.survey()
        opencl.KIND.works(trials)
    except contract.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    return [trial for trial in trials if not trial.failure]


@pytest.fixture
def only_pocl(working):
    """Environment variables that leave PoCL as the only device, and break it; skip without PoCL."""
    pocl = [trial.choice for trial in working if "PoCL" in trial.device.version]
    if not pocl:
        pytest.skip("no PoCL to break")
    others = len(working) > len(pocl) or len(pocl) > 1
    return BROKEN | ({"PYOPENCL_CTX": pocl[0]} if others else {})
