"""A check for other work on this machine, made before anything is timed.

The load average lags by a minute, and still counts a build that has just ended. Linux's counts of
processor time are therefore read twice. In between, this process keeps a core busy, because the
hypervisor can take time only from a busy core.
"""

import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from polymask.masks.container import usable

INTERVAL_S = 0.3  # the kernel counts in hundredths of a second
PAUSE_S = 2.0  # between observations, so that two waiting runs do not keep each other busy
MOST_USED = 0.25  # cores that other programs may use before the machine counts as busy,
MOST_SHARE = 0.01  # or this share of a large machine's cores, for its many small services
STOLEN = 0.1  # cores that the hypervisor may withhold
NAMED_FROM = 0.1  # cores that a process must use to be named
MOST_NAMES = 3
MEANING = "times will be longer, especially with several threads"


@dataclass(frozen=True)
class Look:
    """The load from other programs on this machine during a short observation."""

    cores: int  # available to this process
    others: float | None = None  # cores that other programs used; None if unknown
    stolen: float | None = None  # cores that the hypervisor gave to others; None if unknown
    # Names, one per process, the busiest first. Empty if most of the work is done by processes that
    # are invisible, or short-lived like those of a build.
    programs: tuple[str, ...] = ()
    load: float | None = None  # the average of the last minute, used if `others` is None

    @property
    def busy(self):
        """Whether the machine is too busy for timing."""
        return bool(self._reasons())

    @property
    def sentence(self):
        """A sentence without full stop: "2 other programs (make, cc1plus) use 1.4 of 2 cores"."""
        if reasons := self._reasons():
            return "; ".join(reasons)
        if self.others is None and self.load is None:
            return "this system does not show whether other programs use the machine"
        return "no other program uses much of this machine"

    def _reasons(self):
        total = f"of {self.cores} {'core' if self.cores == 1 else 'cores'}"
        reasons = []
        if self.others is None:
            if self.load is not None and self.load > max(1.0, self.cores / 2):
                reasons.append(f"the load average of the last minute is {self.load:.1f}, {total}")
            return reasons
        if self.others > max(MOST_USED, MOST_SHARE * self.cores):
            reasons.append(f"{self._subject()} {self.others:.1f} {total}")
        if self.stolen > STOLEN:
            reasons.append(
                f"the virtual machine's host withholds {self.stolen:.1f} {total} (steal)"
            )
        return reasons

    def _subject(self):
        if not self.programs:
            return "other programs use"
        counts = Counter(self.programs)
        names = [name if n == 1 else f"{n} {name}" for name, n in counts.items()]
        programs = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        if len(self.programs) == 1:
            return f"another program ({programs}) uses"
        return f"{len(self.programs)} other programs ({programs}) use"


@dataclass(frozen=True)
class Reading:
    """The kernel's counts at one moment."""

    cpus: dict  # maps the number of a CPU to its ticks: (used, idle, stolen)
    processes: dict  # maps the number of another process to its name and its ticks
    own_s: float  # processor time of all threads of this process


def look(seconds=INTERVAL_S):
    """Observe the load from other programs for some seconds, and return a `Look`."""
    before, end = read(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass  # keep a core busy
    return seen(before, read(), usable(), load_average())


def wait(patience):
    """Wait until the machine is quiet, at most `patience` seconds; return the last `Look`."""
    end = time.monotonic() + patience
    while (latest := look()).busy and (left := end - time.monotonic()) > 0:
        time.sleep(min(PAUSE_S, left))
    return latest


def load_average():
    """Return the load average of the last minute, or None on a system without one."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def seen(before, after, cpus, load=None):
    """Return a `Look` from two readings of some CPUs, or from the load if there are none."""
    if not (before and after):
        return Look(len(cpus), load=load)
    spent = [
        tuple(late - early for early, late in zip(before.cpus[cpu], after.cpus[cpu], strict=True))
        for cpu in cpus & before.cpus.keys() & after.cpus.keys()
    ]
    ticks = max(map(sum, spent), default=0)  # of the whole interval
    if ticks <= 0:  # a sandbox may show a file of zeros
        return Look(len(cpus), load=load)
    used, _, stolen = (sum(column) / ticks for column in zip(*spent, strict=True))
    own = (after.own_s - before.own_s) * os.sysconf("SC_CLK_TCK") / ticks
    cores_of = {
        pid: (count - before.processes.get(pid, (name, 0))[1]) / ticks
        for pid, (name, count) in after.processes.items()
    }
    busiest = [pid for pid in cores_of if cores_of[pid] > NAMED_FROM]
    busiest.sort(key=lambda pid: (-cores_of[pid], pid))
    others = max(used - own, 0.0)
    if sum(cores_of[pid] for pid in busiest) < others / 2:
        busiest = []
    return Look(len(cpus), others, stolen, tuple(after.processes[p][0] for p in busiest), load)


def read(proc="/proc"):
    """Return a `Reading` of the kernel's counts, or None on a system without them."""
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
    """Map the number of each other visible process to its name and its ticks."""
    processes = {}
    for file in proc.glob("[0-9]*/stat"):
        pid = int(file.parent.name)
        if pid == os.getpid():
            continue
        try:
            head, _, tail = file.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue  # the process has ended
        name = "".join(letter for letter in head.partition("(")[2] if letter.isprintable())
        fields = tail.split()
        processes[pid] = (name, int(fields[11]) + int(fields[12]))  # user code and kernel
    return processes
