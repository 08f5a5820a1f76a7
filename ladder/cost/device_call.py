"""The parts of a call on a device that is not the CPU: kernel, launch, copy and fresh pages.

The prices of a GPU's arithmetic are unknown, so its rows have no limits (`ladder.cost.limits`).
But the device's clock and the prices of the host tell in which part of a call the time passes.
"""

from dataclasses import dataclass

from ladder import registry
from ladder.common import confidence
from ladder.cost.limits import Item


@dataclass(frozen=True)
class Part:
    """A part of a call; together, the parts take as long as the call."""

    name: str  # "kernel", "launch", "pages" or "copy"
    seconds: float
    bill: tuple[Item, ...] = ()  # of a launch, if it is known from prices


def parts(result, key):
    """Return the parts of a row's call, the longest first; empty if they are unknown.

    The pages of a new mask take as long as memset of a new array does longer than memset of an
    existing one. With a time of the mask left on the device, the launch is that time without the
    kernel; otherwise it is computed from prices. The copy of the mask to the host is the rest.
    """
    row, rung, yardstick = result.timed.get(key), registry.BY_KEY.get(key), result.yardstick
    device = rung and result.machine.devices.get(rung.device)
    if not (row and device and row.kernel_s) or device.is_cpu or rung.work is None:
        return ()
    if not (yardstick.memset_fresh_s and yardstick.memset_warm_s):
        return ()
    bill = ()
    if row.left_samples_s:
        launch_s = max(confidence.median(row.left_samples_s) - row.kernel_s, 0.0)
    else:
        if not rung.work.launch or not rung.work.launch.keys() <= yardstick.prices.keys():
            return ()
        amounts = {price: amount["once"] for price, amount in rung.work.launch.items()}
        bill = tuple(Item(name, n, yardstick.prices[name]) for name, n in amounts.items())
        launch_s = sum(item.seconds for item in bill)
    pages_s = max(yardstick.memset_fresh_s - yardstick.memset_warm_s, 0.0)
    copy_s = max(row.median_s - row.kernel_s - launch_s - pages_s, 0.0)
    known = (
        Part("kernel", row.kernel_s),
        Part("launch", launch_s, bill),
        Part("pages", pages_s),
        Part("copy", copy_s),
    )
    return tuple(sorted((part for part in known if part.seconds), key=lambda part: -part.seconds))
