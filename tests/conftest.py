"""Fixtures that more than one file of tests uses."""

import functools
import importlib.util
import os
import secrets
import signal
import subprocess
import time

import durations
import ledger
import pytest
from broken_driver import BROKEN
from checkouts import ROOT

from polymask import cli, contract
from polymask.bench import busy, driver, measurement, probe
from polymask.devices import opencl
from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.student import folder

if importlib.util.find_spec("hypothesis"):
    import hypothesis

    # The same examples in every run; POLYMASK_EXAMPLES=10000 looks further, and POLYMASK_SEED=new
    # elsewhere: a test that fails names the seed that draws its examples again.
    hypothesis.settings.register_profile(
        "polymask",
        max_examples=int(os.environ.get("POLYMASK_EXAMPLES", "10")),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),  # a rung is a fixture, and may be slow
    )
    hypothesis.settings.load_profile("polymask")

if os.environ.get("POLYMASK_SEED") == "new":
    os.environ["POLYMASK_SEED"] = str(secrets.randbits(32))
SEED = os.environ.get("POLYMASK_SEED")
ASKED = set(os.environ.get("POLYMASK_EXTRAS", "").split(","))  # as .ci/run installs them


PROOFS = pytest.StashKey()  # of all that was collected, run or not
RING = os.environ.get("POLYMASK_RING")  # what is run as a whole: its durations are written down


def pytest_addoption(parser):
    """Let `make proofs` ask for proofs."""
    parser.addoption("--proofs", choices=["stale", "all"], help="make proofs, and write them down")


def pytest_configure(config):
    """Draw once which proofs are made again: workers inherit the environment."""
    if not hasattr(config, "workerinput"):
        os.environ["POLYMASK_DRAWN"] = str(secrets.randbits(32))
        config.pluginmanager.register(Written(config), "written")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Draw the examples of properties by the seed that was asked for; choose the proofs."""
    for item in items if SEED else []:
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            hypothesis.seed(int(SEED))(test)
    config.stash[PROOFS] = [item for item in items if item.get_closest_marker("proof")]
    if which := config.getoption("--proofs"):
        proofs = config.stash[PROOFS]
        kept = proofs if which == "all" else ledger.chosen(proofs, os.environ["POLYMASK_DRAWN"])
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Share tests by file, whose fixtures are dear; but a long test of its own goes by itself."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            if file.endswith(("test_verified.py", "test_leaks.py", "test_compilers.py")):
                return nodeid
            return "a copy that is built" if "/test_build_" in file else file

    return Scheduling(config, log)


def processor(times=os.times):
    """Return the seconds of the processor that this process and those it has ended have had."""
    return sum(times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Note what a test takes of the processor, and what a proof is of, before it runs."""
    item.began, item.taken = processor(), 0.0
    if item.config.getoption("--proofs"):
        item.user_properties.append(("proof", ledger.entry(item)))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Note what a test takes of the processor without its fixtures."""
    began = processor()
    try:
        return (yield)
    finally:
        item.taken = processor() - began


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Where an extra was asked for, a test that is marked with it fails if it is skipped.

    One that fails with examples drawn anew says how to draw them again.
    """
    if call.when == "teardown":
        item.user_properties.append(("processor", processor() - item.began))
        item.user_properties.append(("call", item.taken))
    report = yield
    if report.failed and SEED:
        drawn = (
            f"POLYMASK_SEED={SEED} POLYMASK_EXAMPLES={os.environ.get('POLYMASK_EXAMPLES', '10')}"
        )
        report.sections.append(("again by", f"{drawn} python -m pytest '{item.nodeid}'"))
    wanted = {mark.args[0] for mark in item.iter_markers("extra")}
    if report.skipped and (wanted & ASKED or (wanted and "all" in ASKED)):
        report.outcome = "failed"
        report.longrepr = f"POLYMASK_EXTRAS asks for it, and it is skipped: {report.longrepr[2]}"
    return report


class Written:
    """What a run writes down: the durations of a ring, and the proofs that were made."""

    def __init__(self, config):
        self.config, self.began, self.first = config, time.perf_counter(), None
        self.tests, self.proofs = {}, {}

    def pytest_runtest_logreport(self, report):
        """Add a part of a test."""
        self.first = self.first or time.perf_counter() - report.duration
        taken = self.tests.setdefault(report.nodeid, dict.fromkeys(("clock", "fixtures"), 0.0))
        taken["clock"] += report.duration
        taken["fixtures"] += report.duration if report.when != "call" else 0.0
        told = dict(report.user_properties)
        taken |= {name: round(told.get(name, 0.0), 3) for name in ("processor", "call")}
        if "proof" in told:
            self.add_proof(report, told["proof"], taken["clock"])
            if report.when == "teardown":  # what is proved stays so, whatever ends the run
                ledger.write(self.proofs)
                self.proofs = {}

    def add_proof(self, report, entry, seconds):
        """Add what became of a proof; once failed, nothing is kept of it."""
        if report.failed:
            self.proofs[report.nodeid] = None
        elif report.skipped:
            self.proofs[report.nodeid] = entry | {"outcome": f"skipped: {report.longrepr[2]}"}
        elif report.when == "call":
            self.proofs[report.nodeid] = entry | {"seconds": round(seconds, 1)}

    def pytest_sessionfinish(self):
        """Write down the durations of a ring."""
        if RING and self.first:
            for taken in self.tests.values():
                taken |= {name: round(taken[name], 3) for name in ("clock", "fixtures")}
            clock, first = time.perf_counter() - self.began, self.first - self.began
            run = {"clock": round(clock, 1), "collecting": round(first, 1), "tests": self.tests}
            durations.keep(RING, run)


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
    for module in (driver, measurement, probe):
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


@pytest.fixture
def proofs(pytestconfig):
    """Every proof among the tests that were collected, whether it is run or not."""
    return pytestconfig.stash[PROOFS]


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
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return [file for file in map(root.__truediv__, done.stdout.splitlines()) if file.is_file()]


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
