"""Whether other work uses this machine, checked before anything is timed.

The load average lags by a minute, and counts a build that has just ended. So Linux's own counts of
processor time are read twice, with a moment of work between, as the hypervisor can take time only
from a busy core.
"""

import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

INTERVAL_S = 0.3  # the kernel counts in hundredths of a second
BETWEEN_S = 2.0  # between observations, lest two waiting runs keep each other busy
TAKEN = 0.25  # cores that others may use before the machine counts as busy,
TAKEN_PART = 0.01  # or this share of a large machine's cores, for its many small services
STOLEN = 0.1  # cores that the hypervisor may withhold
PROGRAM = 0.1  # cores that a process must use to be named
MOST_NAMES = 3
MEANING = "times will be longer, and those of threads most"


@dataclass(frozen=True)
class Look:
    """The work of others on this machine during a short observation."""

    cores: int  # available to this process
    others: float | None = None  # how many of them other programs used; None if unknown
    stolen: float | None = None  # how many the hypervisor gave to other machines; None if unknown
    # Names, one per process, the busiest first. Empty if most of the work is done by processes that
    # are invisible, or short-lived like those of a build.
    programs: tuple[str, ...] = ()
    load: float | None = None  # average of the last minute, used if `others` is None

    @property
    def busy(self):
        """Whether the machine is too busy for timing."""
        return bool(self._reasons())

    @property
    def sentence(self):
        """A sentence: "2 other programs (make, cc1plus) use 1.4 of 2 cores"; no full stop."""
        if reasons := self._reasons():
            return "; ".join(reasons)
        if self.others is None and self.load is None:
            return "whether other programs use this machine cannot be seen here"
        return "no other program uses much of this machine"

    def _reasons(self):
        of = f"of {self.cores} {'core' if self.cores == 1 else 'cores'}"
        reasons = []
        if self.others is None:
            if self.load is not None and self.load > max(1.0, self.cores / 2):
                reasons.append(f"the load average of the last minute is {self.load:.1f}, {of}")
            return reasons
        if self.others > max(TAKEN, TAKEN_PART * self.cores):
            reasons.append(f"{self._who()} {self.others:.1f} {of}")
        if self.stolen > STOLEN:
            reasons.append(f"the virtual machine's host withholds {self.stolen:.1f} {of} (steal)")
        return reasons

    def _who(self):
        if not self.programs:
            return "other programs use"
        counted = Counter(self.programs)
        names = [name if n == 1 else f"{n} {name}" for name, n in counted.items()]
        programs = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        if len(self.programs) == 1:
            return f"another program ({programs}) uses"
        return f"{len(self.programs)} other programs ({programs}) use"


@dataclass(frozen=True)
class Reading:
    """The kernel's counts at one moment."""

    cpus: dict  # number of a CPU to its ticks: (used, idle, stolen)
    processes: dict  # number of another process to its name and its ticks
    own_s: float  # processor time of all threads of this process


def look(seconds=INTERVAL_S):
    """Observe the work of others on this machine for some seconds, and return a `Look`."""
    before, end = read(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass  # the hypervisor steals only from a busy core
    return seen(before, read(), usable(), load_average())


def wait(patience, tell):
    """Wait until the machine is quiet, `patience` seconds at most; return the last `Look`.

    `tell` is called with each `Look` at a busy machine, and the seconds left.
    """
    end = time.monotonic() + patience
    while (latest := look()).busy and (left := end - time.monotonic()) > 0:
        tell(latest, left)
        time.sleep(min(BETWEEN_S, left))
    return latest


def load_average():
    """Return the load average of the last minute, or None on a system without one."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def usable():
    """Return the numbers of the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def seen(before, after, cpus, load=None):
    """Return a `Look` from two readings of some CPUs, or from the load alone without counts."""
    if not (before and after):
        return Look(len(cpus), load=load)
    spent = [
        tuple(late - early for early, late in zip(before.cpus[cpu], after.cpus[cpu], strict=True))
        for cpu in cpus & before.cpus.keys() & after.cpus.keys()
    ]
    ticks = max(map(sum, spent), default=0)  # in the interval, which each CPU counts completely
    if ticks <= 0:  # a sandbox may show a file of zeros
        return Look(len(cpus), load=load)
    used, _, stolen = (sum(column) / ticks for column in zip(*spent, strict=True))
    own = (after.own_s - before.own_s) * ticks_per_second() / ticks
    cores_of = {
        pid: (count - before.processes.get(pid, (name, 0))[1]) / ticks
        for pid, (name, count) in after.processes.items()
    }
    busiest = [pid for pid in cores_of if cores_of[pid] > PROGRAM]
    busiest.sort(key=lambda pid: (-cores_of[pid], pid))
    others = max(used - own, 0.0)
    if sum(cores_of[pid] for pid in busiest) < others / 2:
        busiest = []
    return Look(len(cpus), others, stolen, tuple(after.processes[p][0] for p in busiest), load)


def ticks_per_second():
    """Return the kernel's ticks per second."""
    return os.sysconf("SC_CLK_TCK")


def read(proc="/proc"):
    """Return a `Reading` of the kernel's counts, None on a system without them."""
    proc = Path(proc)
    try:
        stat = (proc / "stat").read_text(encoding="utf-8")
    except OSError:
        return None
    cpus = {}
    for line in stat.splitlines():
        name, *counts = line.split()
        if name.startswith("cpu") and name != "cpu" and len(counts) >= 8:
            user, nice, system, idle, waiting, irq, softirq, stolen = map(int, counts[:8])
            cpus[int(name[3:])] = (user + nice + system + irq + softirq, idle + waiting, stolen)
    return Reading(cpus, _processes(proc), time.process_time())


def _processes(proc):
    """Return a dict of the number of each visible other process to its name and ticks."""
    processes = {}
    for file in proc.glob("[0-9]*/stat"):
        pid = int(file.parent.name)
        if pid == os.getpid():
            continue
        try:
            head, _, rest = file.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue  # it has ended
        name = "".join(letter for letter in head.partition("(")[2] if letter.isprintable())
        fields = rest.split()
        processes[pid] = (name, int(fields[11]) + int(fields[12]))  # user code and kernel
    return processes
