"""The work of a rung for a mask: counts that follow from its algorithm.

An amount is a dict from a name in `ladder.cost.counts` to the number of operations for each. A
dict of amounts has the names of prices in `ladder.cost.prices` as keys. Entries of the registry
use such dicts, and the amounts here, which several rungs share.
"""

from dataclasses import dataclass, field, replace

LIMITS = ("memory", "arithmetic", "calls", "launch")

# The operations of the rule in inside_polygon.h, except one division: comparisons (min and max
# are one each), subtractions, a multiplication and an addition.
RULE = {"visited": 1, "same_x": 1, "asked": 2, "above": 2, "band": 2, "left": 2, "divided": 6}
DIVISION = {"divided": 1}


def once(**numbers):
    """Return amounts that do not depend on the image: for each price, a number per mask."""
    return {price: {"once": number} for price, number in numbers.items()}


CHECKS = once(array_call_s=2)  # isfinite and all, in polymask.contract
TEAM = CHECKS | once(team_s=1)
# A queue, buffers for the vertices and the mask, a kernel object; copy, launch and copy in a row.
LAUNCH = once(queue_s=1, device_buffer_s=2, kernel_object_s=1, round_trip_s=1)
# Memory for the vertices and the mask; copy, launch and copy in a row, in a queue that stays.
SYCL_LAUNCH = once(sycl_memory_s=2, sycl_round_trip_s=1)
# A stream, arrays for the vertices and the mask; copy, launch, copy and a wait in a row.
CUDA_LAUNCH = once(cuda_stream_s=1, cuda_array_s=2, cuda_round_trip_s=1)
# Two arrays are bound; copy, kernel, copy and sync in a row.
OFFLOAD = once(offload_bind_s=2, offload_round_trip_s=1)

WAKING = "sleeping threads are woken first, and all wait for the last one"
COMING_LATE = "sleeping threads are woken first, and may arrive when all work is done"
CALL_PRICES = {"call_s", "compiled_call_s"}  # of a call to a Python function


@dataclass(frozen=True)
class Work:
    """The work of a rung, besides writing the mask once: amounts by price, and bytes."""

    operations: dict = field(default_factory=dict)  # arithmetic and comparisons
    divisions: dict = field(default_factory=dict)  # of doubles, which have a unit of their own
    calls: dict = field(default_factory=lambda: CHECKS)  # and other fixed costs
    launch: dict = field(default_factory=dict)  # the host's cost of the commands of a device
    traffic: dict = field(default_factory=dict)  # bytes read and written, except the mask
    # The binding limit, one of `LIMITS`, to half a sentence on work that the counts leave out;
    # `ladder.report.limits` has texts for the others.
    rest: dict = field(default_factory=dict)
    last_edge_first: bool = True  # as in `ladder.cost.counts.of`
    terms: tuple[str, ...] = ()  # counts whose sum is the time, for fits of sweeps

    @property
    def calls_per_pixel(self):
        """Whether each pixel takes a call of a Python function."""
        return any("pixels" in self.calls.get(price, ()) for price in CALL_PRICES)


def plus(amount, **more):
    """Return the sum of an amount and further counts."""
    return {name: amount.get(name, 0) + more.get(name, 0) for name in {**amount, **more}}


PER_PIXEL = Work(
    operations={"multiply_s": RULE},
    divisions={"divide_s": DIVISION},
    rest={"arithmetic": "the loads, the branches and the loop are not counted"},
)
PER_PIXEL_BY_TEAM = replace(PER_PIXEL, calls=TEAM, rest=PER_PIXEL.rest | {"calls": WAKING})
# In Python min and max are calls, and the division is an operation like the others.
INTERPRETED = Work(
    operations={"operation_s": plus(RULE, asked=-1, above=-1, band=-1, divided=1)},
    calls={"call_s": {"pixels": 1}, "builtin_call_s": {"asked": 1, "above": 1, "band": 1}},
    last_edge_first=False,
)
# Toggling a bit takes an addition and an exclusive or. A word of bits, written, read and cleared,
# takes six shifts, six exclusive ors and one for the carry, in a lane of a vector register.
SCANLINE = Work(
    operations={"multiply_s": {"crossings": 2}, "multiply_vector_s": {"words": 13}},
    divisions={"divide_s": {"edges": 1}},
    traffic={"words": 24},
    rest={"memory": "bits are toggled first, and expanded into bytes as they are stored"},
)
ITEM_PER_PIXEL = Work(
    # A driver may put neighbouring pixels into vector registers.
    operations={"multiply_vector_s": RULE},
    divisions={"divide_vector_s": DIVISION},
    launch=LAUNCH,
    traffic={"pixels": 2},  # the copy to the host
    rest={
        "arithmetic": "the limit assumes that neighbouring pixels fill vector registers, which "
        "few drivers achieve"
    },
)
