"""Test runs: their random examples, and how processes share them."""

import importlib.util
import os
import secrets

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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Fail a skipped test if the extra that it is marked with is requested.

    Report how to draw the examples of a failing property test again.
    """
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
