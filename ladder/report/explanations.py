"""The explanation of a row's time, from its limits or, on a GPU, from the parts of its call."""

import math
from dataclasses import dataclass

from rich.table import Table

from ladder import registry
from ladder.cost import device_call
from ladder.report import limits, table
from polymask.common import figures

BAR = 24  # characters
EIGHTHS = " ▏▎▍▌▋▊▉"
PARTS = {  # each part of a call on a GPU, and what would shorten it
    "kernel": ("the kernel", "only a faster kernel makes the call faster"),
    "launch": ("the launch", "a larger image, or several masks in a call, would share it"),
    "pages": ("the fresh pages of the mask", "a mask in an existing array would not need them"),
    "copy": (
        "the copy of the mask to the host",
        "a mask that stays on the device would not need it",
    ),
}
CUDA = (
    "An idle device reaches the event before the kernel while the host still prepares the launch, "
    "so CUDA's time of a short kernel includes this."
)


@dataclass(frozen=True)
class Explanation:
    """A row's time in words, and the times that explain it."""

    key: str
    outcome: str  # the largest of the times, beside the row's own, in a few words
    text: str  # the reason, in a few sentences
    times: tuple[tuple[str, float, str], ...]  # of each limit or part: name, seconds and a sentence
    binding: str  # the name of the one that limits the row, or ""
    measured: str  # how the measured time compares
    on_device: bool = False


def of_result(result):
    """Map the keys of a result's rows to their explanations; other rows have none."""
    limited = limits.of_result(result)
    known = {key: _of_limits(row_limits) for key, row_limits in limited.items()}
    for key in result.timed:
        if key not in known and (parts := device_call.parts(result, key)):
            known[key] = _of_parts(parts, result.row(key), result.workload.pixels)
    return known


def _of_limits(row_limits):
    name, distance = row_limits.largest.name, figures.digits(row_limits.distance, 2)
    return Explanation(
        row_limits.row.key,
        limits.outcome(row_limits),
        limits.explanation(row_limits),
        tuple((limit.name, limit.seconds, limits.why(limit)) for limit in row_limits.all),
        name if row_limits.binds else "",
        f"{distance} × "
        + ("the largest limit" if row_limits.binds else f"{name}, which does not bind it"),
    )


def _of_parts(parts, row, pixels):
    seconds, whole = figures.seconds(parts[0].seconds), figures.seconds(row.median_s)
    (title, cure), share = PARTS[parts[0].name], 100 * parts[0].seconds / row.median_s
    text = f"Limited by {title}: about {seconds}, {share:.0f} % of the call; {cure}."
    if registry.get(row.key).device == "cuda":
        text += f" {CUDA}"
    times = tuple((part.name, part.seconds, _why(part, row, pixels)) for part in parts)
    outcome = f"{parts[0].name}: {seconds} of {whole}"
    return Explanation(row.key, outcome, text, times, parts[0].name, "The whole call.", True)


def _why(part, row, pixels):
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


def for_terminal(result, explained):
    """Return a table with a bar for each time of an `Explanation`, and the lines below it."""
    key, row = explained.key, result.row(explained.key)
    bars = Table(title=f"{key}: {table.heading(result)}", title_justify="left", box=None)
    bars.add_column("")
    bars.add_column("logarithmic", no_wrap=True, style="cyan")
    bars.add_column("time", justify="right", no_wrap=True)
    bars.add_column("why", overflow="fold")
    times = [("measured", row.median_s, explained.measured), *explained.times]
    least, most = (find(seconds for _, seconds, _ in times) for find in (min, max))
    for name, seconds, text in times:
        style = "bold" if name in ("measured", explained.binding) else None
        bars.add_row(name, bar(seconds, least, most), figures.seconds(seconds), text, style=style)
    rung, sentences = registry.BY_KEY.get(key), [explained.text]
    if rung and (paid := limits.price_paid(rung, result)):
        sentences.append(f"{paid}.")
    if rung and rung.first_call and row.first_call_s:
        first = figures.seconds(row.first_call_s)
        sentences.append(f"Its first call took {first}: it {rung.first_call}.")
    return bars, sentences


def bar(seconds, least, most):
    """Return a bar for the logarithm of a time: one character at `least`, all of them at `most`."""
    part = math.log(seconds / least) / math.log(most / least) if most > least else 1.0
    whole, eighth = divmod(round(8 * (1 + part * (BAR - 1))), 8)
    return "█" * whole + EIGHTHS[eighth].strip()
