"""`polymask doctor`: features of this machine, and remedies for missing ones."""

import functools
import os
import sys
import tempfile
from pathlib import Path

import click

from ladder import devices, registry
from ladder.bench import machine
from ladder.common import busy, caches, preflight
from ladder.common.checkout import commit
from ladder.workshop import exercises
from ladder.workshop.student import folder
from polymask import contract
from polymask.cli import engine_check
from polymask.cli.options import Text
from polymask.common import figures
from polymask.contract import Unavailable
from polymask.masks import container


def read_class(text):
    """Read comma-separated names of exercises; without names, return those of the workshop here."""
    return exercises.listed(text) if text else folder.select(folder.find_or_name())


@click.command()
@click.option(
    "--class",
    "chosen",
    type=Text("name,...", read_class),
    is_flag=False,
    flag_value="",
    metavar="[NAME,...]",
    help="Only say in a line whether these exercises can run here; without names, those of the "
    "workshop's course.txt, or all.",
)
def doctor(chosen):
    """Check the features of this machine; print OK, or LOOK and a remedy, for each.

    With --class, the exit status is 1 if an exercise cannot run.
    """
    if chosen is not None:
        good, text = readiness(chosen)
        click.echo(f"{'ready' if good else 'not ready'}: {text}")
        return 0 if good else 1
    for check in CHECKS:
        good, text = check()
        click.echo(
            f"{click.style('OK  ', fg='green') if good else click.style('LOOK', fg='red')} {text}"
        )
    return 0


def readiness(chosen):
    """Return whether all of some exercises can run here, and a line about them.

    Problems that concern all exercises come first, and alone.
    """
    checks = NEEDED if preflight.lacking() else (*BUILT, *NEEDED)
    problems = [text for good, text in (check() for check in checks) if not good]
    if problems:
        return False, "; ".join(problems)
    missing = {}
    for exercise in chosen:
        try:
            exercise.require()
        except Unavailable as unavailable:
            missing[exercise.name] = unavailable
    usable = container.cores()
    unjudged = [e.name for e in chosen if e.speed and e.speed.cores > usable]
    parts = figures.by_reason(missing)
    if not missing:
        count, cores = figures.count(len(chosen), "exercise"), figures.count(usable, "core")
        parts.append(f"{count} can run here, with {cores}")
    if unjudged:
        parts.append(f"speed not judged: {', '.join(unjudged)}")
    return not missing, "; ".join(parts)


def python():
    """Report the version and the path of Python."""
    return True, f"Python {sys.version.split()[0]}, {sys.executable}"


def compiler():
    """Check the requirements of a build, and report how the extension modules were built."""
    missing = preflight.problem()
    if missing:
        return False, missing
    facts = machine.build_facts()
    if not facts["compiler"]:
        return False, "the extension modules are not built: run `make build`"
    return True, f"built with {facts['compiler']}, {facts['flags']}, Cython {facts['cython']}"


def openmp():
    """Check OpenMP in the extension modules."""
    version = machine.build_facts()["openmp"]
    if not version:
        advice = preflight.lacking() or "install libgomp or libomp, then run `make build`"
        return False, f"built without OpenMP: {advice}"
    try:
        contract.check_openmp_setting()
    except Unavailable as unavailable:
        return False, str(unavailable)
    threads = os.environ.get(contract.OPENMP_THREADS, "not set: one thread per core")
    return True, f"OpenMP {version} (year and month), OMP_NUM_THREADS {threads}"


def engine():
    """Check a small mask of the engine, and report its instruction set."""
    try:
        good, text = engine_check.engine()
    except (ImportError, RuntimeError) as error:  # not built, or a bad POLYMASK_ISA
        good, text = False, error
    return good, f"engine: {text}"


def devices_of(name):
    """Test every device of a kind: of two devices with the same name, one may fail."""
    kind, title = devices.kind(name), devices.KINDS[name]
    try:
        tested = kind.survey()
        kind.works(tested)
    except Unavailable as unavailable:
        return False, f"{title}: {unavailable}"
    return True, "\n     ".join(f"{title}: {kind.line(device)}" for device in tested)


def cores():
    """Report the cores of the machine, and those that this process and its container may use."""
    text = machine.cores_in_use(machine.affinity(), os.cpu_count(), container.cpu_quota())
    if container.cores() == 1:
        return False, f"{text}: rungs with threads cannot be faster than with one thread here"
    return True, f"{machine.cpu_model()}, {text} usable"


def load():
    """Check whether other programs keep the machine busy."""
    look = busy.look()
    return not look.busy, f"{look.sentence}: {busy.MEANING}" if look.busy else look.sentence


def denormals():
    """Check whether denormal numbers are flushed to zero."""
    if machine.flushes_to_zero():
        return False, "denormals are flushed to zero in this process: the rungs' masks may differ"
    return True, "denormals are kept"


def all_rungs():
    """Check whether each rung runs here."""
    missing = registry.unavailable()
    if missing:
        return False, "\n     ".join(figures.by_reason(missing))
    return True, f"all {len(registry.RUNGS)} rungs run here"


def cache_folders():
    """Check whether the cache folders of compilers are writable."""
    temporary = Path(tempfile.gettempdir())
    for variable, cache in (
        (caches.VARIABLE, caches.home()),
        ("POCL_CACHE_DIR", Path(os.environ.get("POCL_CACHE_DIR") or caches.home())),
        ("TMPDIR", temporary),
    ):
        if not caches.is_writable(cache):
            message = f"cannot write to {cache}: set {variable} to a folder that you own"
            is_set = variable in os.environ
            return False, message if is_set else f"{message}; until then, caches are in {temporary}"
    return True, f"cache folders are writable: {caches.home()}, {temporary}"


def settings():
    """Check whether the environment slows compiled code down."""
    text = " ".join(f"{name}={value}" for name, value in machine.settings().items())
    message = "environment variables that change times: "
    return not text, message + (text or "none is set")


def checkout():
    """Check whether the commit for results is known."""
    facts = commit()
    if "commit_unknown" in facts:
        return False, f"the commit is not known: {facts['commit_unknown']}"
    return True, f"commit {facts['commit'][:12]}" if facts["commit"] else "not a git checkout"


def workshop():
    """Report the number of exercises; without a C compiler, those that are open, by lesson."""
    every = exercises.every()
    open_here = {e.name: e.folder.parents[1].name for e in every if not e.closed()}
    if len(open_here) == len(every):
        return True, f"workshop: {len(every)} exercises; `polymask workshop start`"
    text = f"{len(open_here)} of {len(every)} exercises are open ({preflight.lacking()})"
    return True, "\n     ".join([text, *figures.by_reason(open_here)])


BUILT = compiler, openmp, engine  # unless there is no compiler
NEEDED = denormals, cache_folders  # by every exercise
CHECKS = [python, compiler, openmp, engine]
CHECKS += [functools.partial(devices_of, name) for name in devices.KINDS]
CHECKS += [cores, load, denormals, settings, checkout, cache_folders, workshop, all_rungs]
