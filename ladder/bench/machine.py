"""The origin of results, recorded automatically: the machine, the software and the commit."""

import datetime
import os
import platform
import re
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import numpy as np

import polymask
from ladder import devices
from ladder.common import checkout
from ladder.common.busy import load_average
from ladder.devices import Device
from polymask.masks import container
from polymask.masks.container import usable

PACKAGES = ("dpctl", "dpnp", "numba", "pyopencl")  # used by rungs
# Variables that slow compiled code down, or add checks to it.
SETTINGS = (
    *("NUMBA_BOUNDSCHECK", "NUMBA_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_DEBUG"),
    *("NUMBA_DEBUGINFO", "NUMBA_OPT", "NPY_DISABLE_CPU_FEATURES", "PYOPENCL_BUILD_OPTIONS"),
    *("POCL_CPU_MAX_CU_COUNT", "POCL_DEBUG", "POCL_MAX_PTHREAD_COUNT", "CUDA_LAUNCH_BLOCKING"),
    *("POLYMASK_ISA", "POLYMASK_STORES"),
)


@dataclass(slots=True, kw_only=True)
class Busy:
    """The load of other programs before the run: their number, and the cores they used."""

    busy: bool
    cores_used: float | None
    cores_stolen: float | None
    programs: int | None = None

    @classmethod
    def of(cls, look):
        """Return the numbers of a `busy.Look`, without the names of programs."""
        used, stolen = (n if n is None else round(n, 2) for n in (look.others, look.stolen))
        programs = len(look.programs) or None
        return cls(busy=look.busy, cores_used=used, cores_stolen=stolen, programs=programs)


@dataclass(slots=True, kw_only=True)
class Machine:
    """The machine, the software and the commit; unknown fields are None."""

    date: str
    cpu: str | None
    architecture: str
    cores: int | None
    affinity: int | None  # the number of cores on which the process may run
    ram_bytes: int | None
    virtual_machine: bool
    kernel: str
    python: str
    numpy: str
    polymask: str
    compiler: str | None  # of the extension modules, as are the three below
    flags: str | None
    cython: str | None
    openmp: int | None
    packages: dict[str, str | None] = field(default_factory=dict)  # name to version
    omp_wait_policy: str | None = None
    omp_num_threads: str | None = None
    pocl_affinity: str | None = None
    settings: dict[str, str] = field(default_factory=dict)  # that change the speed of compiled code
    openmp_runtimes: list[str] = field(default_factory=list)
    cpu_quota: float | None = None  # cores, if the container (cgroup) limits them
    load_before: float | None = None
    commit: str | None = None
    dirty: bool | None = None
    commit_unknown: str | None = None  # the reason, in a checkout
    busy_before: Busy | None = None
    devices: dict[str, Device] = field(default_factory=dict)  # kind to the chosen device
    load_after: float | None = None
    flush_to_zero: list[str] = field(default_factory=list)  # rows whose import turned it on

    def __post_init__(self):
        """Refuse a busy machine whose load is not recorded."""
        before = self.busy_before
        if before and before.busy and before.cores_used is None and self.load_before is None:
            raise ValueError("busy_before records a busy machine without its load")


def record(look=None):
    """Return the `Machine` of a result before the measurement; `look` is a `busy.Look`."""
    return Machine(
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        cpu=cpu_model(),
        architecture=platform.machine(),
        cores=os.cpu_count(),
        affinity=affinity(),
        cpu_quota=container.cpu_quota(),
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
        load_before=load_average(),
        **checkout.commit(),
        busy_before=look and Busy.of(look),
    )


def cores_in_use(affinity, cores, quota):
    """Write the number of usable cores: "2 of 16 cores (cgroup quota 1.5)"."""
    text = f"{container.within_quota(affinity, quota)} of {cores} cores"
    if None in (affinity, quota) or quota >= affinity:
        return text
    return f"{text} (cgroup quota {quota:.3g})"


def settings():
    """Return the environment variables that affect times and are set: name to value."""
    return {name: os.environ[name] for name in SETTINGS if os.environ.get(name)}


def cpu_model():
    """Return the CPU's name from the operating system, or None."""
    return _proc_field("/proc/cpuinfo", "model name") or platform.processor() or None


def affinity():
    """Return the number of cores on which this process may run."""
    return len(usable())


def ram_bytes():
    """Return the bytes of main memory; None without POSIX."""
    if not hasattr(os, "sysconf"):  # Windows
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def build_facts():
    """Return the extension modules' compiler, flags, Cython version and OpenMP version."""
    try:
        from ladder import _build_facts as facts
    except ImportError:
        facts = None
    names = ("compiler", "flags", "cython", "openmp")
    return {name: getattr(facts, name.upper(), None) for name in names}


def package_version(name):
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def openmp_runtimes():
    """Return the names of the loaded OpenMP libraries; several may compete for the cores."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    names = re.findall(r"/(lib(?:g|i)?omp5?[-.\w]*\.so[.\d]*)", maps)
    return sorted(set(names))


def flushes_to_zero():
    """Whether denormal numbers are flushed to zero in this thread."""
    smallest_normal = np.array([np.finfo(np.float64).tiny])
    return bool((smallest_normal * 0.5)[0] == 0.0)


def chosen_devices():
    """Map each kind to the `Device` that this process has chosen for its rungs."""
    by_kind = {name: devices.kind(name).chosen() for name in devices.KINDS}
    return {kind: device for kind, device in by_kind.items() if device}


def _proc_field(file, name):
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    match = re.search(rf"^{re.escape(name)}\s*:\s*(.*)$", text, re.MULTILINE)
    return match[1].strip() if match else None
