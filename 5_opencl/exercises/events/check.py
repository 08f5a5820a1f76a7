"""Lets copies and kernels run, and holds what is said of their events against their clocks."""

from polymask.workshop.sandbox.wrong import Wrong, same

HELD_S = 0.05  # a command that nothing else holds takes far less


def check(answer, random):
    """Raise `Wrong` at the first number that the event's clock does not say."""
    profiles, of_context = answer.inside("queue")
    if not profiles:
        raise Wrong("profiling_queue returns no queue that was made with PROFILING_ENABLE")
    if not of_context:
        raise Wrong("profiling_queue returns a queue of another context than the one handed in")
    label = "a copy that waits for something else first"
    found = answer.inside("held", HELD_S)
    if found is None:
        raise Wrong(f"{label}: an event knows its times only after `event.wait()`")
    compare(found, label)
    for n_bytes in (random.randrange(10**3, 10**4), random.randrange(10**6, 10**7)):
        found = answer.inside("copy", n_bytes)
        compare(found, f"a copy of {n_bytes} bytes")
        begin, end = found["clock"]["running"]
        rate = n_bytes / (end - begin)  # bytes per ns: GB/s
        same(found["bandwidth"], rate, f"bandwidth of {n_bytes} bytes", rtol=1e-6)
    for n in (1, 2000):
        found = answer.inside("kernel", n)
        compare(found, "a kernel")
    clock = found["clock"]
    total = 1e-9 * (clock["running"][1] - clock["queued"][0])
    running = found["phases"]["running"]
    return f"seen: of {1e3 * total:.3g} ms of a kernel, {1e3 * running:.3g} ms are its run"


def compare(found, label):
    """Raise `Wrong` unless phases and their longest are what the event's clock says."""
    got, clock = found["phases"], found["clock"]
    if not isinstance(got, dict) or set(got) != set(clock):
        raise Wrong(f"{label}: phases returns a dict of {', '.join(clock)}, got {got}")
    right = {name: 1e-9 * (end - begin) for name, (begin, end) in clock.items()}
    for name, seconds in right.items():
        same(got[name], seconds, f"{label}: {name}, in seconds", rtol=1e-6)
    slowest = found["slowest"]
    if slowest not in right or right[slowest] != max(right.values()):
        raise Wrong(f"{label}: slowest_phase says {slowest!r}, the phases are {right}")
