"""Whether other work uses this machine: looked at before anything is timed.

The load average lags by a minute, and counts the build that has just ended. So Linux's own counts
of processor time are read twice, with a moment of work between: the hypervisor can take time only
from a core that wants to run.
"""

import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

INTERVAL_S = 0.3  # the kernel counts in hundredths of a second
BETWEEN_S = 2.0  # from look to look: two runs that look all the time would wait for each other
TAKEN = 0.25  # cores that others may take before the machine counts as busy,
TAKEN_PART = 0.01  # or this part of a large machine's: it has many small services
STOLEN = 0.1  # cores that the hypervisor may withhold
PROGRAM = 0.1  # cores that a process takes if it is worth a name
MOST_NAMES = 3
MEANING = "times will be longer, and those of threads most"


@dataclass(frozen=True)
class Look:
    """What others did on this machine while it was looked at."""

    cores: int  # that this process may use,
    others: float | None = None  # how many of them other programs used; None where nobody knows,
    stolen: float | None = None  # and how many the hypervisor gave to other machines; None as above
    # Names, one a process, the busiest first. Empty where most of the work is of programs that
    # cannot be seen, or come and go, as those of a build do.
    programs: tuple[str, ...] = ()
    load: float | None = None  # average of the last minute; it counts where `others` is None

    @property
    def busy(self):
        """Whether times that are taken now would be those of a busy machine."""
        return bool(self._reasons())

    @property
    def sentence(self):
        """What was seen: "2 other programs (make, cc1plus) use 1.4 of 2 cores"; no full stop."""
        if reasons := self._reasons():
            return "; ".join(reasons)
        if self.others is None and self.load is None:
            return "whether other programs use this machine cannot be seen here"
        return "no other program uses much of this machine"

    def _reasons(self):
        of = f"of {self.cores} {'core' if self.cores == 1 else 'cores'}"
        found = []
        if self.others is None:
            if self.load is not None and self.load > max(1.0, self.cores / 2):
                found.append(f"the load average of the last minute is {self.load:.1f}, {of}")
            return found
        if self.others > max(TAKEN, TAKEN_PART * self.cores):
            found.append(f"{self._who()} {self.others:.1f} {of}")
        if self.stolen > STOLEN:
            found.append(f"the virtual machine's host withholds {self.stolen:.1f} {of} (steal)")
        return found

    def _who(self):
        if not self.programs:
            return "other programs use"
        counted = Counter(self.programs)
        names = [name if n == 1 else f"{n} {name}" for name, n in counted.items()]
        shown = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        if len(self.programs) == 1:
            return f"another program ({shown}) uses"
        return f"{len(self.programs)} other programs ({shown}) use"


@dataclass(frozen=True)
class Reading:
    """The kernel's counts at one moment."""

    cpus: dict  # number of a CPU to its ticks: (used, idle, stolen)
    processes: dict  # number of another process to its name and its ticks
    own_s: float  # of processor time that this process has used, all threads together


def look(seconds=INTERVAL_S):
    """Return the `Look` at what others do on this machine for so long."""
    before, end = read(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass  # a core that sleeps cannot be stolen from
    return seen(before, read(), usable(), load_average())


def wait(patience, tell):
    """Wait until the machine is quiet, `patience` seconds at most; return the last `Look`.

    `tell` is handed each one that found the machine busy, and the seconds that are left.
    """
    end = time.monotonic() + patience
    while (found := look()).busy and (left := end - time.monotonic()) > 0:
        tell(found, left)
        time.sleep(min(BETWEEN_S, left))
    return found


def load_average():
    """Return the load average of the last minute, or None where there is none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def usable():
    """Return the numbers of the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def seen(before, after, cpus, load=None):
    """Make a `Look` of two readings, of the CPUs that matter; without counts, of the load alone."""
    if not (before and after):
        return Look(len(cpus), load=load)
    spent = [
        tuple(late - early for early, late in zip(before.cpus[cpu], after.cpus[cpu], strict=True))
        for cpu in cpus & before.cpus.keys() & after.cpus.keys()
    ]
    ticks = max(map(sum, spent), default=0)  # of the interval: each CPU counts all of it
    if ticks <= 0:  # a sandbox may show a file of zeros
        return Look(len(cpus), load=load)
    used, _, stolen = (sum(column) / ticks for column in zip(*spent, strict=True))
    own = (after.own_s - before.own_s) * ticks_per_second() / ticks
    taken = {
        pid: (count - before.processes.get(pid, (name, 0))[1]) / ticks
        for pid, (name, count) in after.processes.items()
    }
    busiest = [pid for pid in taken if taken[pid] > PROGRAM]
    busiest.sort(key=lambda pid: (-taken[pid], pid))
    others = max(used - own, 0.0)
    if sum(taken[pid] for pid in busiest) < others / 2:
        busiest = []
    return Look(len(cpus), others, stolen, tuple(after.processes[p][0] for p in busiest), load)


def ticks_per_second():
    """Return how many ticks of the kernel's counts make a second."""
    return os.sysconf("SC_CLK_TCK")


def read(proc="/proc"):
    """Return a `Reading` of the kernel's counts; None where there are none."""
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
    """Return number to name and ticks, of all other processes that can be seen."""
    found = {}
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
        found[pid] = (name, int(fields[11]) + int(fields[12]))  # in user code, and in the kernel
    return found
