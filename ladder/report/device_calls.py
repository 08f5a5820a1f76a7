"""Explanations of a call on a GPU: its parts, and the part that limits it."""

from ladder import registry
from ladder.cost import device_call
from ladder.report import limits
from polymask.common import figures

NAMES = {
    "kernel": "the kernel",
    "launch": "the launch",
    "pages": "the fresh pages of the mask",
    "copy": "the copy of the mask to the host",
}
CURES = {
    "kernel": "only a faster kernel makes the call faster",
    "launch": "a larger image, or several masks in a call, would share it",
    "pages": "a mask in an existing array would not need them",
    "copy": "a mask that stays on the device would not need it",
}
CUDA = (
    "An idle device reaches the event before the kernel while the host still prepares the launch, "
    "so CUDA's time of a short kernel includes this."
)


def why(part, row, pixels):
    """Describe how a part is known, in a sentence."""
    left = "a call that leaves the mask on the device"
    if part.name == "kernel":
        return "By the device's clock."
    if part.name == "launch":
        return limits.bill_text(part.bill) + "." if part.bill else f"{left}, less the kernel."
    if part.name == "pages":
        return "memset of a new array, less memset of an existing one."
    rate = f"{figures.digits(1e-9 * pixels / part.seconds, 2)} GB/s"
    rest = f"The call, less {left} and the pages" if row.left_samples_s else "The rest of the call"
    return f"{rest}: {pixels:,} bytes at {rate}."


def explanation(result, key):
    """Name the part of a row's call that limits it, in a few sentences; empty if unknown."""
    parts = device_call.parts(result, key)
    if not parts:
        return ""
    row, largest = result.row(key), parts[0]
    seconds, share = figures.seconds(largest.seconds), 100 * largest.seconds / row.median_s
    text = (
        f"Limited by {NAMES[largest.name]}: about {seconds}, {share:.0f} % of the call; "
        f"{CURES[largest.name]}."
    )
    return f"{text} {CUDA}" if registry.get(key).device == "cuda" else text
