"""Why a row is as fast as it is: the least time that its work allows, and how far away it is.

A small roofline. Counts of work (`polymask.report.work`) times what one of each costs at best on
the machine (`polymask.bench.prices`, measured in the same run) give up to four limits: memory,
arithmetic, calls, the launch on a device. They may overlap in time, so the largest is the bound.
"""

from dataclasses import dataclass

from polymask.bench.result import MEMSET
from polymask.report import counts, numbers
from polymask.report.work import REST, WAKING, WORK

THERE = 1.25  # so near its bound, a row runs at it
CLEAR = 2  # memset of the mask takes so many times its call, or its bytes are lost in noise
BESIDE = ("launch", "calls")  # limits of what passes beside a device's kernel
IDLE = 0.8  # with so small a part of its cores busy, words say so

ONE = {
    "multiply_s": "an operation",
    "multiply_vector_s": "an operation in vector registers",
    "divide_s": "a division",
    "divide_vector_s": "a division in vector registers",
    "operation_s": "an operation of the interpreter",
    "object_operation_s": "an operation on Python's numbers",
    "call_s": "a call of a Python function",
    "builtin_call_s": "a call of min or max",
    "compiled_call_s": "a call of a compiled function by Python's rules",
    "buffer_s": "a memoryview of an array",
    "item_s": "an item of an array",
    "array_call_s": "a call of NumPy",
    "team_s": "a team of threads",
    "queue_s": "a queue",
    "device_buffer_s": "a buffer of the device",
    "kernel_object_s": "a kernel object with its arguments",
    "round_trip_s": "a copy, an empty kernel and a copy back",
}


@dataclass(frozen=True)
class Limit:
    """The least time by one kind of work.

    Attributes
    ----------
    name : str
        "memory", "arithmetic", "calls" or "launch".
    seconds : float
    why : str
        The counts, in a sentence.
    """

    name: str
    seconds: float
    why: str


@dataclass(frozen=True)
class Bound:
    """A row's limits, and its distance from the largest.

    Attributes
    ----------
    key : str
        The row's.
    median_s : float
        Its time.
    limits : tuple of Limit
        The largest first; only those that are not zero.
    distance : float
        How many times as long as the largest limit the row takes.
    explained : bool
        Whether the largest limit can be what binds it. On a device it cannot where most time
        passes in the kernel and the launch is the largest, or the other way round.
    words : str
        What binds it, how far away it is and why, for readers.
    """

    key: str
    median_s: float
    limits: tuple[Limit, ...]
    distance: float
    explained: bool
    words: str

    @property
    def limit(self):
        """The limit that binds."""
        return self.limits[0]


def bounds(result):
    """Return the bound of each row that has a time and whose work can be priced.

    Parameters
    ----------
    result : dict
        As `polymask.bench.driver.measure` returns it, or its JSON.

    Returns
    -------
    dict
        Key of the row to `Bound`. Left out are rows without a time, rows without an entry in
        `polymask.report.work`, all rows of results that hold no prices (those of a version that
        did not measure them), and rows of a device that is not the CPU: its prices are unknown.
    """
    prices, found, counted = _prices(result), {}, {}
    if not prices:
        return found
    for row in result["rows"]:
        work = WORK.get(row["key"])
        if work is None or row["status"] != "ok" or not row["median_s"]:
            continue
        if work.device and (result["machine"].get("opencl") or {}).get("type") != "CPU":
            continue
        order = work.last_edge_first
        if order not in counted:
            workload = result["workload"]
            counted[order] = counts.of(workload["polygon_xy"], workload["shape"], order)
        limits = _limits(work, row, counted[order], prices, _cores(row, result))
        if limits:
            found[row["key"]] = _bound(row, work, limits, _cores(row, result))
    return found


def border_share(result):
    """Return what part of cython.typed's time goes into calls and buffers; None if not measured.

    cclass.polygon computes the same without them, so 1 - its time / that of cython.typed.
    """
    times = {row["key"]: row["median_s"] for row in result["rows"] if row["status"] == "ok"}
    typed, polygon = times.get("cython.typed"), times.get("cclass.polygon")
    return 1 - polygon / typed if typed and polygon else None


def border_words(result):
    """Say the same in a line for readers; an empty one if it was not measured."""
    share = border_share(result)
    if share is None:
        return ""
    return (
        f"cython.typed: {100 * share:.0f} % of its time is the price of a Python call and of a "
        "buffer for each pixel, which cclass.polygon does without (1 - its time / this one's)"
    )


def _prices(result):
    """Return all prices of a result, and of a byte by where the mask goes; nothing without them."""
    yardstick, (rows, cols) = result["yardstick"], result["workload"]["shape"]
    prices, pixels = yardstick.get("prices", {}), rows * cols
    fills = {  # at best; results of old have only the median
        mask: yardstick.get(f"{key}_min_s") or yardstick.get(f"{key}_s")
        for mask, key in MEMSET.items()
    }
    if not pixels or not all(fills.values()) or not {"byte_s", "fill_call_s"} <= prices.keys():
        return {}
    return prices | {mask: _fill(seconds, pixels, prices) for mask, seconds in fills.items()}


def _fill(seconds, pixels, prices):
    """Return the price of a byte of the mask: memset's time, less that for a single byte.

    Of a small mask the difference is noise: there a byte costs what others do, which are in cache.
    """
    call, least = prices["fill_call_s"], prices["byte_s"]
    return max((seconds - call) / pixels, least) if seconds >= CLEAR * call else least


def _cores(row, result):
    """Return how many cores the row had: its threads, as far as there is a core for each."""
    return max(1, min(row["threads"] or 1, result["machine"]["affinity"] or 1))


def _limits(work, row, count, prices, cores):
    """Return the row's limits, the largest first; nothing where a price is missing."""
    try:
        limits = (
            _memory(work, row, count, prices, cores),
            _arithmetic(work, count, prices, cores),
            _calls(work, row, count, prices),
            _launch(work, count, prices),
        )
    except KeyError:
        return ()
    return tuple(sorted((one for one in limits if one.seconds > 0), key=lambda one: -one.seconds))


def _memory(work, row, count, prices, cores):
    """The mask is written once, and other bytes pass at memset's rate, for each core."""
    pixels, traffic, fill = count["pixels"], _amount(work.traffic, count), prices[row["mask"]]
    seconds = (pixels * fill + traffic * prices["byte_s"]) / cores
    why = f"{pixels:,} byte{'s' if pixels != 1 else ''} of the mask written ({_rate(fill)})"
    if traffic:
        why += f", {traffic:,} others read or written ({_rate(prices['byte_s'])})"
    each = f" on each of {cores} cores" if cores > 1 else ""
    return Limit("memory", seconds, f"{why}, as fast as memset{each}.")


def _rate(price):
    return f"{numbers.digits(1e-9 / price, 2)} GB/s"


def _arithmetic(work, count, prices, cores):
    """Units that multiply and add, and one that divides: they work at the same time."""
    operations, divisions = _bill(work.operations, count), _bill(work.divisions, count)
    seconds = max(_total(operations, prices), _total(divisions, prices)) / cores
    why = _list(operations + divisions, prices) + _shared(cores)
    return Limit("arithmetic", seconds, f"{why}.")


def _calls(work, row, count, prices):
    """Calls come one after the other, on one core; a single thread needs no team."""
    bill = [item for item in _bill(work.calls, count) if item[0] != "team_s" or row["threads"] > 1]
    return Limit("calls", _total(bill, prices), f"{_list(bill, prices)}.")


def _launch(work, count, prices):
    """What the host program does for the commands of a device; results of old have no price."""
    bill = [item for item in _bill(work.launch, count) if item[0] in prices]
    return Limit("launch", _total(bill, prices), f"{_list(bill, prices)}.")


def _shared(cores):
    return f", on {cores} cores" if cores > 1 else ""


def _amount(amount, count):
    return sum(times * count[name] for name, times in amount.items())


def _bill(amounts, count):
    """Return (price's name, how many) of all that is to be paid."""
    bill = [(price, _amount(amount, count)) for price, amount in amounts.items()]
    return [(price, number) for price, number in bill if number]


def _total(bill, prices):
    return sum(number * prices[price] for price, number in bill)


def _list(bill, prices):
    return ", ".join(
        f"{number:,} × {ONE[price]} ({numbers.seconds(prices[price])})" for price, number in bill
    )


def _bound(row, work, limits, cores):
    distance, explained = row["median_s"] / limits[0].seconds, _explained(row, work, limits)
    words = _words(row, work, limits[0], cores) if explained else _unexplained(row, work, limits)
    if row["kernel_s"]:
        words += (
            f" By the device's clock its kernel takes {numbers.seconds(row['kernel_s'])}, "
            f"{100 * row['kernel_s'] / row['median_s']:.0f} % of its time."
        )
    words += _idle(row, cores)
    return Bound(row["key"], row["median_s"], limits, distance, explained, words)


def _explained(row, work, limits):
    """Whether the largest limit can be what binds: a kernel's where most time is the kernel's."""
    if not (work.device and row["kernel_s"]) or row["median_s"] < THERE * limits[0].seconds:
        return True
    return (limits[0].name in BESIDE) == _beside(row)


def _beside(row):
    """Whether most of a row's time passes beside its kernel."""
    return row["kernel_s"] < row["median_s"] / 2


def _unexplained(row, work, limits):
    """Say where most time passes, which the largest limit has no part in."""
    named = {one.name: one for one in limits}
    the = "the " if limits[0].name == "launch" else ""
    text = (
        f"None of these limits explains its time: the largest, {the}{limits[0].name}, is "
        f"{numbers.seconds(limits[0].seconds)}. "
    )
    if _beside(row):
        price = "not priced in this run"
        if "launch" in named:
            price = f"{numbers.seconds(named['launch'].seconds)} at least"
        return text + (
            f"Most of it passes beside the kernel, with the launch ({price}): the host program "
            "makes a queue, buffers and a kernel object, passes commands, and sleeps until it is "
            "woken, for a mask of any size."
        )
    times = numbers.digits(row["kernel_s"] / named["arithmetic"].seconds, 2)
    rest = work.rest.get("arithmetic", REST["arithmetic"])
    return text + f"Most of it passes in the kernel, {times} times its arithmetic: {rest}."


def _words(row, work, limit, cores):
    """Say what binds a row, how far away it is, and why."""
    times = row["median_s"] / limit.seconds
    on = f" on {cores} cores" if cores > 1 and limit.name in ("memory", "arithmetic") else ""
    the = "the " if limit.name == "launch" else ""
    text = f"Bound by {the}{limit.name}: {numbers.seconds(limit.seconds)} at least{on}. "
    if times < 1:
        text += f"It takes {numbers.digits(times, 2)} times that, so less. Either "
        text += {
            "memory": "its stores are faster than those of memset",
            "arithmetic": "its operations are cheaper than the multiplications they are held for",
            "calls": "its calls are cheaper than those that were measured",
            "launch": "its commands overlap more than those that were measured",
        }[limit.name]
        return text + ", or the machine was slower while prices were measured."
    if times < THERE:
        return text + f"It takes {numbers.digits(times, 2)} times that: it runs at its limit."
    rest = work.rest.get(limit.name, REST[limit.name])
    if rest == WAKING and row["threads"] == 1:
        rest = REST[limit.name]  # there is nobody to wake
    return text + f"It takes {numbers.digits(times, 2)} times that: {rest}."


def _idle(row, cores):
    """Say how much of its cores a row had, if not about all."""
    if not row["cores_used"] or row["cores_used"] >= IDLE * cores:
        return ""
    if cores > 1:
        return f" Of its {cores} cores, {row['cores_used']:.1f} were busy."
    return (
        f" It had its core for {100 * row['cores_used']:.0f} % of the time only: the machine was "
        "busy with others."
    )
