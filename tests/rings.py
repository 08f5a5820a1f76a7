"""How tests are run: which of them, how they are shared among processes, what is written down."""

import importlib.util
import os
import secrets
import time

import durations
import ledger
import pytest

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
        config.pluginmanager.register(Written(), "written")


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


@pytest.fixture
def proofs(pytestconfig):
    """Every proof among the tests that were collected, whether it is run or not."""
    return pytestconfig.stash[PROOFS]


class Written:
    """What a run writes down: the durations of a ring, and the proofs that were made."""

    def __init__(self):
        self.began, self.first = time.perf_counter(), None
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
