"""Where a number comes from: the machine, the software and the commit, captured, never typed."""

import datetime
import os
import platform
import re
from importlib import metadata
from pathlib import Path

import numpy as np

import polymask
from polymask import devices
from polymask.bench import revisions
from polymask.bench.result import Machine
from polymask.common.staleness import ROOT
from polymask.contract import Unavailable

PACKAGES = ("dpctl", "dpnp", "numba", "pyopencl")  # that rungs compute with
# Variables that make compiled code slower, or have it tested while it runs.
SETTINGS = (
    *("NUMBA_BOUNDSCHECK", "NUMBA_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_DEBUG"),
    *("NUMBA_DEBUGINFO", "NUMBA_OPT", "NPY_DISABLE_CPU_FEATURES", "PYOPENCL_BUILD_OPTIONS"),
    *("POCL_CPU_MAX_CU_COUNT", "POCL_DEBUG", "POCL_MAX_PTHREAD_COUNT", "CUDA_LAUNCH_BLOCKING"),
    *("POLYMASK_ISA", "POLYMASK_STORES"),
)


def record(busy=None):
    """Return the `Machine` of a result before anything is measured, with a `busy.Look` at it."""
    return Machine(
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        cpu=cpu_model(),
        architecture=platform.machine(),
        cores=os.cpu_count(),
        affinity=affinity(),
        ram_bytes=ram_bytes(),
        virtual_machine="hypervisor" in (_proc_field("/proc/cpuinfo", "flags") or "").split(),
        kernel=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        numpy=np.__version__,
        polymask=polymask.__version__,
        **build_facts(),
        packages={name: package_version(name) for name in PACKAGES},
        omp_wait_policy=os.environ.get("OMP_WAIT_POLICY"),
        omp_num_threads=os.environ.get("OMP_NUM_THREADS"),
        pocl_affinity=os.environ.get("POCL_AFFINITY"),
        settings=settings(),
        load_before=load(),
        **commit(),
        busy_before=busy.record() if busy else None,
    )


def settings():
    """Return the variables of the environment that are set and change times: name to value."""
    return {name: os.environ[name] for name in SETTINGS if os.environ.get(name)}


def cpu_model():
    """Name of the CPU, as the kernel knows it."""
    return _proc_field("/proc/cpuinfo", "model name") or platform.processor() or None


def affinity():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def ram_bytes():
    """Bytes of main memory, or None where POSIX cannot be asked."""
    if not hasattr(os, "sysconf"):  # Windows
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def load():
    """Load average of the last minute, or None where there is none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def build_facts():
    """Compiler, flags, Cython and OpenMP of the extension modules, as they were built."""
    try:
        from polymask import _build_facts as facts
    except ImportError:
        facts = None
    names = ("compiler", "flags", "cython", "openmp")
    return {name: getattr(facts, name.upper(), None) for name in names}


def package_version(name):
    """Version of an installed package, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def openmp_runtimes():
    """OpenMP libraries loaded into this process: more than one may fight over the cores."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    names = re.findall(r"/(lib(?:g|i)?omp5?[-.\w]*\.so[.\d]*)", maps)
    return sorted(set(names))


def flushes_to_zero():
    """Whether denormal numbers have been switched off in this thread."""
    smallest_normal = np.array([np.finfo(np.float64).tiny])
    return bool((smallest_normal * 0.5)[0] == 0.0)


def devices_taken():
    """Return kind to `Device`, of the devices that this process has taken for its rungs."""
    taken = {name: devices.kind(name).chosen() for name in devices.KINDS}
    return {kind: device for kind, device in taken.items() if device}


def commit():
    """Commit of the checkout, and whether the tree had changes; None outside a checkout.

    In a checkout of which git does not tell it, "commit_unknown" says why.
    """
    unknown = {"commit": None, "dirty": None}
    try:
        head = revisions.find("HEAD", ROOT)
        ours = revisions.git(ROOT, "ls-files", "--error-unmatch", "polymask/ladder/registry.py")
        changed = revisions.git(ROOT, "status", "--porcelain", "--untracked-files=no")
    except (ValueError, Unavailable) as error:  # no commit, or no git
        return unknown | ({"commit_unknown": str(error)} if (ROOT / ".git").exists() else {})
    if ours.returncode:
        return unknown
    return {"commit": head, "dirty": bool(changed.stdout.strip())}


def _proc_field(file, name):
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(rf"^{re.escape(name)}\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1].strip() if found else None
