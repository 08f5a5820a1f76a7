"""Differences between platforms that compile the same kernel, and their reasons."""

from collections import defaultdict

from ladder import registry
from ladder.cost import limits
from polymask.common import figures

NOT_MORE = 1.2  # times as fast: a smaller ratio is not a difference between compilers


def notes(result):
    """Compare the fastest and the slowest platform of each kernel that has several."""
    return [
        text for kernel, rows in rows_of(result).items() if (text := note(kernel, rows, result))
    ]


def rows_of(result):
    """Map each kernel to its platforms, and each platform to its fastest row, by kernel time."""
    fastest = defaultdict(dict)
    for row in sorted(result.timed.values(), key=lambda row: -(row.kernel_s or 0)):
        rung = registry.BY_KEY.get(row.key)
        device = result.machine.devices.get(rung.device) if rung and rung.kernel else None
        if device and row.kernel_s:
            fastest[rung.kernel][device.platform] = row
    return fastest


def note(kernel, rows, result):
    """Compare the fastest and the slowest platform of a kernel, with the reason if known."""
    order = sorted(rows.items(), key=lambda item: item[1].kernel_s)
    (fast_on, fast), (slow_on, slow) = order[0], order[-1]
    times = slow.kernel_s / fast.kernel_s
    if times < NOT_MORE:
        return ""
    return (
        f"csrc/{kernel} takes {figures.seconds(fast.kernel_s)} on {fast_on} ({fast.key}) and "
        f"{figures.seconds(slow.kernel_s)} on {slow_on} ({slow.key}), by the devices' clocks: "
        f"{figures.digits(times, 2)} times as long for the same source. "
        + reason(fast_on, fast, slow_on, slow, result)
    )


def reason(fast_on, fast, slow_on, slow, result):
    """Explain the difference between two compilers by the prices of the run."""
    alone = limits.one_at_a_time_s(result, fast.key)
    if alone is None or not fast.kernel_s < alone <= slow.kernel_s:
        return "Only their compilers and runtimes differ."
    return (
        f"One number at a time, its arithmetic takes at least {figures.seconds(alone)} here. So "
        f"the compiler of {fast_on} has put several pixels into a vector register; the time on "
        f"{slow_on} shows no sign of that."
    )
