"""Explanations of a row's time: the parts of its limits, and which limit binds."""

from ladder import registry
from ladder.bench.result import API_FRESH, API_OUT
from ladder.cost import limits
from ladder.registry.work import COMING_LATE, SCANLINE, WAKING
from polymask.common import figures

IDLE = 0.8  # share of busy cores; a sentence mentions smaller shares
API_WORK = {API_FRESH: SCANLINE, API_OUT: SCANLINE}
PRICE_OF = {
    "multiply_s": "an operation",
    "multiply_vector_s": "an operation in vector registers",
    "divide_s": "a division",
    "divide_vector_s": "a division in vector registers",
    "operation_s": "an operation of the interpreter",
    "object_operation_s": "an operation on Python's numbers",
    "call_s": "a call to a Python function",
    "builtin_call_s": "a call to min or max",
    "compiled_call_s": "a call from Python to a compiled function",
    "buffer_s": "a memoryview of an array",
    "item_s": "an item of an array",
    "array_call_s": "a call to NumPy",
    "team_s": "a team of threads",
    "queue_s": "a queue",
    "device_buffer_s": "a buffer on the device",
    "kernel_object_s": "a kernel object with its arguments",
    "round_trip_s": "a copy, an empty kernel and a copy back",
    "cuda_stream_s": "a stream",
    "cuda_array_s": "an array on the device",
    "cuda_round_trip_s": "a copy, an empty kernel, a copy back and a wait",
    "offload_bind_s": "an array bound to the device",
    "offload_round_trip_s": "a copy, an empty kernel, a copy back and a sync",
    "sycl_memory_s": "an allocation of device memory",
    "sycl_round_trip_s": "a copy, an empty kernel, a copy back and a wait",
}
REST = {  # descriptions of work that is not counted, for rungs without their own description
    "memory": "the mask has to be computed before it is written",
    "arithmetic": "its operations wait for each other and for other work",
    "calls": "it also checks the input, makes arrays and computes the mask",
    "launch": "the kernel takes time, too, and waiting threads have to be woken",
}
FASTER = {  # reasons for a time below the largest limit
    "memory": "its stores are faster than those of memset",
    "arithmetic": "its operations are cheaper than the multiplications they are counted as",
    "calls": "its calls are cheaper than those that were measured",
    "launch": "its commands overlap more than those that were measured",
}


def of_result(result):
    """Return the limits of a result's rows, including the library's."""
    return limits.of_result(result, API_WORK)


def why(limit):
    """Describe the parts of a limit in a sentence."""
    if limit.name == "memory":
        mask, *others = limit.bill
        s = "" if mask.number == 1 else "s"
        text = f"{mask.number:,} byte{s} of the mask written ({_rate(mask)})"
        for other in others:
            text += f", {other.number:,} others read or written ({_rate(other)})"
        each = f" on each of {limit.cores} cores" if limit.cores > 1 else ""
        return f"{text}, as fast as memset{each}."
    shared = f", on {limit.cores} cores" if limit.cores > 1 else ""
    return f"{bill_text(limit.bill)}{shared}."


def bill_text(bill):
    """Describe the items of a bill: number, price and the time of one."""
    times = ((f"{item.number:,} × {_price_of(item.price)}", item.one_s) for item in bill)
    return ", ".join(f"{work} ({figures.seconds(one_s)})" for work, one_s in times)


def _price_of(price):
    """Describe the work that a price pays for, by its name if it has no description."""
    return PRICE_OF.get(price, price.removesuffix("_s").replace("_", " "))


def _rate(item):
    return f"{figures.digits(1e-9 / item.one_s, 2)} GB/s"


def outcome(row_limits):
    """Write the largest limit, the time, and their ratio."""
    times = f"{figures.digits(row_limits.distance, 2)} × " if row_limits.binds else "not "
    least, median_s = row_limits.largest.seconds, row_limits.row.median_s
    name = row_limits.largest.name
    return f"{times}{name}: {figures.seconds(least)} → {figures.seconds(median_s)}"


def explanation(row_limits):
    """Describe the limit that binds a row, the distance and the reason, from its `Limits`."""
    row = row_limits.row
    text = _bound(row_limits) if row_limits.binds else _unexplained(row_limits)
    if row.kernel_s:
        text += (
            f" By the device's clock, its kernel takes {figures.seconds(row.kernel_s)}, "
            f"{100 * row.kernel_s / row.median_s:.0f} % of its time."
        )
    return text + _idle(row_limits)


def _bound(row_limits):
    """Describe the binding limit, the distance and the reason."""
    limit, times = row_limits.largest, figures.digits(row_limits.distance, 2)
    on = f" on {limit.cores} cores" if limit.cores > 1 else ""
    text = f"Bound by {_the(limit)}: {figures.seconds(limit.seconds)} at least{on}. "
    if row_limits.distance < 1:
        return (
            f"{text}It takes {times} times that, which is less. Either {FASTER[limit.name]}, "
            "or the machine was slower while prices were measured."
        )
    if row_limits.distance < limits.AT_LIMIT:
        return f"{text}It takes {times} times that: it runs at its limit."
    rest = row_limits.work.rest.get(limit.name, REST[limit.name])
    if rest in (COMING_LATE, WAKING) and row_limits.row.threads == 1:
        rest = REST[limit.name]  # there is no thread to wake
    return f"{text}It takes {times} times that: {rest}."


def _unexplained(row_limits):
    """Describe where most of the time passes if no limit explains it."""
    named = {limit.name: limit for limit in row_limits.all}
    text = (
        f"None of these limits explains its time: the largest, {_the(row_limits.largest)}, is "
        f"{figures.seconds(row_limits.largest.seconds)}. "
    )
    if row_limits.beside:
        price = "not priced in this run"
        if "launch" in named:
            price = f"{figures.seconds(named['launch'].seconds)} at least"
        return text + (
            f"Most of it passes outside the kernel, in the launch ({price}): for a mask of any "
            "size, the host program makes a queue, buffers and a kernel object, submits commands, "
            "and sleeps until it is woken."
        )
    if "arithmetic" not in named:
        return text + "Most of it passes in the kernel, whose arithmetic was not counted."
    times = figures.digits(row_limits.row.kernel_s / named["arithmetic"].seconds, 2)
    rest = row_limits.work.rest.get("arithmetic", REST["arithmetic"])
    return text + f"Most of it passes in the kernel, {times} times its arithmetic: {rest}."


def _the(limit):
    return "the launch" if limit.name == "launch" else limit.name


def _idle(row_limits):
    """Describe how many of its cores were busy, unless nearly all were."""
    used, cores = row_limits.row.cores_used, row_limits.cores
    if not used or used >= IDLE * cores:
        return ""
    if cores > 1:
        return f" Of its {cores} cores, {used:.1f} were busy."
    return (
        f" It had its core for only {100 * used:.0f} % of the time: other programs kept "
        "the machine busy."
    )


def prices_paid(result):
    """Return the `price_paid` sentence of each rung that has one."""
    return list(filter(None, (price_paid(rung, result) for rung in registry.RUNGS)))


def price_paid(rung, result):
    """Describe the share of time for a feature that another rung omits; empty if unknown."""
    share = limits.price_share(rung, result)
    if share is None:
        return ""
    return (
        f"{rung.key}: {100 * share:.0f} % of its time is the price of {rung.price}, which "
        f"{rung.without} avoids (1 - time of {rung.without} / time of {rung.key})"
    )
