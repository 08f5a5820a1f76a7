"""What each row of the table does for a mask: counts of work that follow from its algorithm.

One entry a key. An amount is a dict of a name of `polymask.report.counts` to how many a count of
it takes; a dict of amounts goes by their prices in `polymask.bench.prices`.
"""

from dataclasses import dataclass, field, replace

# What the rule of csrc/inside_polygon.h computes, one division aside: comparisons (min and max are
# one each), subtractions, a multiplication and an addition.
RULE = {"visited": 1, "same_x": 1, "asked": 2, "above": 2, "band": 2, "left": 2, "divided": 6}
DIVISION = {"divided": 1}
BRANCHES = "after each comparison comes a branch, of which the processor guesses some wrong"
CHECKS = {"array_call_s": {"once": 2}}  # isfinite and all, in polymask.contract
REST = {
    "memory": "the mask has to be computed before it is written",
    "arithmetic": "its operations wait for each other, and for what else has to be done",
    "calls": "checking the input, making arrays and computing the mask come on top",
    "launch": "the kernel's own work comes on top, and whoever waits has to be woken",
}


@dataclass(frozen=True)
class Work:
    """The work of a rung, beside writing the mask once.

    Attributes
    ----------
    operations : dict
        Arithmetic and comparisons, by their prices.
    divisions : dict
        Divisions of doubles, by their prices: a unit of its own does them, beside the others.
    calls : dict
        Calls and what is paid for as they are, by their prices.
    launch : dict
        What a host program pays for the commands of a device, by their prices.
    traffic : dict
        Bytes that are read and written besides the mask.
    rest : dict
        The name of the limit that binds to what the counts leave out, half a sentence; `REST` has
        words for the others.
    last_edge_first : bool
        As in `polymask.report.counts.of`.
    """

    operations: dict = field(default_factory=dict)
    divisions: dict = field(default_factory=dict)
    calls: dict = field(default_factory=lambda: CHECKS)
    launch: dict = field(default_factory=dict)
    traffic: dict = field(default_factory=dict)
    rest: dict = field(default_factory=dict)
    last_edge_first: bool = True

    @property
    def device(self):
        """Whether a device computes it, which is the CPU itself or not."""
        return bool(self.launch)


def plus(amount, **more):
    """Return an amount with more of it."""
    return {name: amount.get(name, 0) + more.get(name, 0) for name in {**amount, **more}}


PER_PIXEL = Work(
    operations={"multiply_s": RULE},
    divisions={"divide_s": DIVISION},
    rest={"arithmetic": f"{BRANCHES}, and what it did by then is lost"},
)
TEAM = CHECKS | {"team_s": {"once": 1}}
WAKING = "threads that sleep are woken first, and all wait for the last"
# Toggling a bit takes an addition and an exclusive or; a word of bits six shifts, six exclusive
# ors and the one that carries, in one lane of a vector register. It is written, read and cleared.
ENGINE = Work(
    operations={"multiply_s": {"crossings": 2}, "multiply_vector_s": {"words": 13}},
    divisions={"divide_s": {"edges": 1}},
    traffic={"words": 24},
    rest={"memory": "bits are toggled before that, and spread into bytes as they are stored"},
)

# A queue, buffers for the vertices and the mask, a kernel object; copy, launch and copy in a row.
LAUNCH = {
    "queue_s": {"once": 1},
    "device_buffer_s": {"once": 2},
    "kernel_object_s": {"once": 1},
    "round_trip_s": {"once": 1},
}
INTERPRETER = "the interpreter reads bytecode, looks names up and takes tuples apart besides"
ACCUMULATE = "`logical_xor.accumulate` takes a pixel at a time, and each waits for the one before"
SCALARS = "the interpreter's own work comes on top, and NumPy's scalars compare slower than floats"

WORK = {
    "python.tuples": Work(
        # min and max are calls here, and the division is an operation like the others
        operations={"operation_s": plus(RULE, asked=-1, above=-1, band=-1, divided=1)},
        calls={"call_s": {"pixels": 1}, "builtin_call_s": {"asked": 1, "above": 1, "band": 1}},
        rest={"calls": INTERPRETER, "arithmetic": INTERPRETER},
        last_edge_first=False,
    ),
    "python.scalars": Work(
        operations={"operation_s": plus(RULE, asked=-1, above=-1, band=-1, divided=1)},
        calls={
            "call_s": {"pixels": 1},
            "builtin_call_s": {"asked": 1, "above": 1, "band": 1},
            "item_s": {"visited": 4},
        },
        rest={"calls": SCALARS, "arithmetic": SCALARS},
        last_edge_first=False,
    ),
    "python.vectorized": Work(
        # Each operator runs over the whole image: on doubles, eight times as many bytes as on
        # Booleans, which are not counted. Lesson 0 has the bytes in a table.
        operations={
            "multiply_vector_s": {"edge_pixels": 2, "sloping_pixels": 3, "slanted_pixels": 4}
        },
        divisions={"divide_vector_s": {"slanted_pixels": 1}},
        calls={"array_call_s": {"once": 2, "edges": 4, "sloping": 6, "slanted": 6}},
        traffic={"pixels": 48, "edge_pixels": 24, "sloping_pixels": 36, "slanted_pixels": 84},
        rest={
            "memory": "its arrays take eight bytes a pixel, and pass through slower memory than a "
            "mask does"
        },
        last_edge_first=False,
    ),
    "cython.compiled": Work(
        operations={"object_operation_s": plus(RULE, divided=1)},
        calls={"compiled_call_s": {"pixels": 1}},
        rest={
            "arithmetic": "each number is an object, looked up in a tuple and its references "
            "counted"
        },
        last_edge_first=False,
    ),
    "cython.typed": Work(
        operations=PER_PIXEL.operations,
        divisions=PER_PIXEL.divisions,
        calls={"compiled_call_s": {"pixels": 1}, "buffer_s": {"pixels": 1}},
        rest={"calls": "the rule itself, which is C now, comes on top"},
        last_edge_first=False,
    ),
    "clib.points": Work(
        operations=PER_PIXEL.operations,
        divisions=PER_PIXEL.divisions,
        traffic={"pixels": 64},  # 16 each: written as x and y, read and written as points, read
        rest={"arithmetic": f"the points have to be built first; and {BRANCHES}"},
    ),
    "cclass.polygon": PER_PIXEL,
    "cclass.cpp": PER_PIXEL,
    "openmp.prange": replace(PER_PIXEL, calls=TEAM, rest=PER_PIXEL.rest | {"calls": WAKING}),
    "openmp.simd": Work(
        # An edge's rows are asked for once for eight pixels; five operations take all eight.
        operations={
            "multiply_s": {"edge_blocks": 3, "above_blocks": 2, "crossing_blocks": 7},
            "multiply_vector_s": {"crossing_blocks": 5 * 8},
        },
        divisions={"divide_s": {"crossing_blocks": 1}},
        calls=TEAM,
        rest={
            "arithmetic": "a branch tests the rows of each edge, anew for each eight pixels",
            "calls": WAKING,
        },
    ),
    "opencl.pixels": Work(
        # A driver may put pixels side by side into vector registers.
        operations={"multiply_vector_s": RULE},
        divisions={"divide_vector_s": DIVISION},
        launch=LAUNCH,
        traffic={"pixels": 2},  # the copy to the host
        rest={
            "arithmetic": "the limit is that of vector registers full of pixels, which the rule's "
            "branches hinder"
        },
    ),
    "scanline.rows": Work(
        operations={"multiply_s": {"pixels": 1}, "multiply_vector_s": {"crossings": 9}},
        divisions={"divide_vector_s": {"crossings": 1}},
        calls={"array_call_s": {"once": 2, "crossing_edges": 12}},
        traffic={"pixels": 2, "crossings": 261},
        rest={
            "arithmetic": ACCUMULATE,
            "memory": ACCUMULATE,
            "calls": "each edge makes small arrays of its rows, and picks from them by index",
        },
    ),
    "scanline.engine": ENGINE,
    "scanline.threads": replace(ENGINE, calls=TEAM, rest=dict.fromkeys(REST, WAKING)),
    "scanline.opencl": Work(
        operations={
            "multiply_s": {"edge_rows": 3, "above_rows": 2, "crossings": 9},
            "multiply_vector_s": {"pixels": 1},
        },
        divisions={"divide_s": {"crossings": 1}},
        launch=LAUNCH,
        traffic={"pixels": 2},
    ),
    "reference.numba": replace(PER_PIXEL, last_edge_first=False),
    "api.fresh": ENGINE,
    "api.out": ENGINE,
}
