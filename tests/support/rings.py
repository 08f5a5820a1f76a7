"""Test runs: their random examples, how processes share them, and what is recorded."""

import importlib.util
import os
import secrets
import time

import durations
import pytest

if importlib.util.find_spec("hypothesis"):
    import hypothesis

    # The same examples in every run. POLYMASK_EXAMPLES=10000 draws more, POLYMASK_SEED=new draws
    # others: a failing test names the seed that draws its examples again.
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
EXTRAS = set(os.environ.get("POLYMASK_EXTRAS", "").split(","))  # as .ci/run installs them
RING = os.environ.get("POLYMASK_RING")  # name of a complete run, whose durations are recorded


def pytest_configure(config):
    """Record durations in the process that starts the workers."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(), "recorder")


def pytest_collection_modifyitems(items):
    """Seed the examples of property tests."""
    for item in items if SEED else []:
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            hypothesis.seed(int(SEED))(test)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute tests by file, as fixtures are expensive, but long tests one by one."""
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
    """Return the CPU seconds of this process and of its finished children."""
    return sum(times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Measure the CPU time of a test."""
    item.start, item.call_s = processor(), 0.0
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Measure the CPU time of a test without its fixtures."""
    start = processor()
    try:
        return (yield)
    finally:
        item.call_s = processor() - start


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Fail a skipped test if the extra that it is marked with is requested.

    Report how to draw the examples of a failing property test again.
    """
    if call.when == "teardown":
        item.user_properties.append(("processor", processor() - item.start))
        item.user_properties.append(("call", item.call_s))
    report = yield
    if report.failed and SEED:
        examples = os.environ.get("POLYMASK_EXAMPLES", "10")
        settings = f"POLYMASK_SEED={SEED} POLYMASK_EXAMPLES={examples}"
        report.sections.append(("reproduce with", f"{settings} python -m pytest '{item.nodeid}'"))
    extras = {mark.args[0] for mark in item.iter_markers("extra")}
    if report.skipped and (extras & EXTRAS or (extras and "all" in EXTRAS)):
        report.outcome = "failed"
        report.longrepr = f"POLYMASK_EXTRAS requests it, but it is skipped: {report.longrepr[2]}"
    return report


class Recorder:
    """Records the durations of a ring."""

    def __init__(self):
        self.start, self.first = time.perf_counter(), None
        self.tests = {}

    def pytest_runtest_logreport(self, report):
        """Add a phase of a test."""
        self.first = self.first or time.perf_counter() - report.duration
        times = self.tests.setdefault(report.nodeid, dict.fromkeys(("clock", "fixtures"), 0.0))
        times["clock"] += report.duration
        times["fixtures"] += report.duration if report.when != "call" else 0.0
        properties = dict(report.user_properties)
        times |= {name: round(properties.get(name, 0.0), 3) for name in ("processor", "call")}

    def pytest_sessionfinish(self):
        """Write the durations of a ring."""
        if RING and self.first:
            for times in self.tests.values():
                times |= {name: round(times[name], 3) for name in ("clock", "fixtures")}
            clock, first = time.perf_counter() - self.start, self.first - self.start
            run = {"clock": round(clock, 1), "collecting": round(first, 1), "tests": self.tests}
            durations.keep(RING, run)
