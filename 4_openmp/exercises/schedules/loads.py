"""What `measured` says of threads, held against the seconds that each of them was busy."""

from polymask.workshop.sandbox.wrong import Wrong

from .model import is_sequence

SPUN_S = 0.05  # what a thread of ours is busy
ALL = 0.8  # of the process's busy seconds: clocks are not read at one moment, and may tick


def check_measured(answer):
    """Raise `Wrong` unless a thread that is started by the call is seen, and its load is right."""
    for shares in ((1, 1), (1, 0.4)):
        found = answer.inside("two_threads", [SPUN_S * share for share in shares])
        loads = checked(*found, "two threads that are busy one after the other")
        least = SPUN_S * min(shares)
        if len(loads) < 2 or loads[1] < ALL * least:
            raise Wrong(
                f"two threads were busy for {SPUN_S} s and {SPUN_S * shares[1]:g} s, the second "
                f"was started by the call: measured gives {rounded(loads)}"
            )


def checked(loads, calls, busy, label):
    """Return what `measured` gave; raise `Wrong` unless it is what the threads were busy.

    Parameters
    ----------
    loads : sequence of float
        What it gave.
    calls : int
        How often it made the call.
    busy : list of float
        How long each thread was busy meanwhile, the largest first; None where it was not.
    label : str
    """
    if not is_sequence(loads) or list(loads) != sorted(loads, reverse=True):
        raise Wrong(f"{label}: measured returns a list, the largest load first, got {loads}")
    if calls != 1:
        raise Wrong(f"{label}: measured made the call {calls} times, once is enough")
    loads, total = list(map(float, loads)), sum(busy)
    if not loads or min(loads) <= 0:
        raise Wrong(f"{label}: some thread was busy, and those that were not are left out: {loads}")
    if not ALL * total <= sum(loads) <= total / ALL:
        raise Wrong(
            f"{label}: the process was busy for {total:.3f} s, measured gives {sum(loads):.3f} s "
            "in all"
        )
    if abs(loads[0] - busy[0]) > (1 - ALL) * total:
        raise Wrong(
            f"{label}: the threads were busy for {rounded(busy)} s, measured gives {rounded(loads)}"
        )
    return loads


def rounded(loads):
    """Return loads to the millisecond."""
    return [round(float(load), 3) for load in loads]
