"""What a run leaves: a tree of dataclasses. Tables, plots and pages are made from it.

`polymask.bench.result_json` reads and writes it, and holds each value against its type here. A
new field with a default leaves old files readable; what else changes the shape is a new `SCHEMA`.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from polymask.bench.machine import Machine
from polymask.ladder import registry, workload

SCHEMA = 2
API_FRESH, API_OUT = "api.fresh", "api.out"  # rows of `polygon_mask`, beside other libraries
DISTURBED = {"noisy", "slowed probe"}  # the flags for a machine that was not quiet

# What a number has to be besides its type, in words and as a function.
Positive = Annotated[  # ratios of ratios of such numbers stay numbers
    float, "above zero, from 1e-50 to 1e50", lambda value: 1e-50 <= value <= 1e50
]
Count = Annotated[int, "not below zero", lambda value: value >= 0]
Some = Annotated[int, "above zero", lambda value: value > 0]
Interval = tuple[float, float]


@dataclass(slots=True, kw_only=True)
class Workload:
    """The image and the polygon, its vertices (x, y); `polygon` is the file that they come from."""

    shape: tuple[Count, Count]
    seed: int | None = None
    polygon: str | None = None
    polygon_sha256: str
    polygon_xy: list[tuple[float, float]]

    def __post_init__(self):
        """Refuse what is no polygon."""
        if len(self.polygon_xy) < 3:
            raise ValueError(f"a polygon has 3 vertices at least, not {len(self.polygon_xy)}")

    @classmethod
    def of(cls, vertices, shape, seed=None, polygon=None):
        """Return the workload of a polygon, an array (N, 2)."""
        return cls(
            shape=shape,
            seed=seed,
            polygon=polygon,
            polygon_sha256=workload.sha256(vertices),
            polygon_xy=[tuple(vertex) for vertex in vertices.tolist()],
        )

    @property
    def pixels(self):
        """How many pixels the image has."""
        return self.shape[0] * self.shape[1]

    @property
    def vertices(self):
        """How many vertices the polygon has."""
        return len(self.polygon_xy)


@dataclass(slots=True, kw_only=True)
class Yardstick:
    """Memset of the mask, warm and fresh, the probe that watched the machine, and prices.

    Rows are held against memset's median. Its least is a price as the others are: at best.
    """

    memset_warm_s: Positive | None
    memset_fresh_s: Positive | None
    memset_warm_min_s: Positive | None = None
    memset_fresh_min_s: Positive | None = None
    probe_s: Positive | None = None
    probes: Count = 0
    probes_slowed: Count = 0
    prices: dict[str, Positive] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Counted:
    """The instructions of one call of a rung's `make_mask`, and the image that it made."""

    image: tuple[Some, Some]
    instructions: Some

    @property
    def per_pixel(self):
        """Instructions per pixel of the image."""
        rows, cols = self.image
        return self.instructions / (rows * cols)


@dataclass(slots=True, kw_only=True)
class Instructions:
    """The instructions of a mask, as `polymask.profiling.instructions` counts them."""

    conditions: dict[str, str]  # only counts of the same ones may be compared
    polygon_sha256: str  # of the polygon, before it was scaled to an image
    rungs: dict[str, Counted]
    failed: dict[str, str] = field(default_factory=dict)  # key to why a rung could not be counted

    def __post_init__(self):
        """Refuse counts of which it is not known what made them."""
        if missing := {"valgrind", "instruction set"} - self.conditions.keys():
            raise ValueError(f"its conditions lack {', '.join(sorted(missing))}")


@dataclass(slots=True, kw_only=True)
class Batch:
    """The masks of several polygons, made together."""

    polygons: Count
    samples_s: list[Positive]  # of one mask
    mask_s: Positive  # their median
    ci95_s: Interval | None = None


@dataclass(slots=True, eq=False)
class Contender:
    """One way to make the mask, and whether it does; None where nothing is known."""

    key: str
    # "reference" is a line of Numba's in older results, which became a rung
    kind: Literal["rung", "reference", "api", "peer"]
    title: str
    status: Literal["ok", "skipped", "wrong"]  # a row that is "ok" has a time, no other one has
    reason: str = ""
    package: str = ""  # of a library: what pip calls it,
    included: str = ""  # and what is timed beside its function
    changes: str | None = None  # of a rung, as the registry says; so are the next three
    other_algorithm: bool = False
    before: str | None = None
    course_s: Positive | None = None
    threads: int | None = None
    mask: Literal["fresh", "out"] = "fresh"  # where it goes: a new array, or one that is there
    options: dict[str, Any] = field(default_factory=dict)
    first_call_s: Positive | None = None
    wrong_pixels: Count | None = None
    # of a library, which is never wrong: pixels unlike the reference's, of samples on an edge;
    differ_on_edges: Count | None = None
    differ_off_edges: Count | None = None  # of all others;
    differ_far: Count | None = None  # and of these, of those without an edge within a pixel


@dataclass(slots=True, kw_only=True)
class Row(Contender):
    """What was measured of one way; None where nothing was.

    Medians, intervals and ratios follow from the samples, and are kept for those who read the file
    without this package.
    """

    median_s: Positive | None = None  # of one call
    min_s: Positive | None = None
    ci95_s: Interval | None = None  # of the median
    samples_s: list[Positive] = field(default_factory=list)
    kernel_s: Positive | None = None  # the median of a device's kernel alone
    speedup: Positive | None = None  # times as fast as the base of the ladder
    speedup_ci95: Interval | None = None
    speedup_before: Positive | None = None  # and as the rung before
    times_yardstick: Positive | None = None  # times as long as memset of the mask
    times_api: Positive | None = None  # and as `polygon_mask` into a new array
    cores_used: float | None = None
    batch: Batch | None = None
    # with one thread, on the image that the result's `instructions` name
    instructions_per_pixel: Positive | None = None
    flags: list[str] = field(default_factory=list)  # what to doubt

    def __post_init__(self):
        """Refuse a row that ran and has no time."""
        if self.ok and not (self.median_s and self.min_s and self.samples_s):
            raise ValueError("it is ok, and has no time")

    @property
    def ok(self):
        """Whether it ran, made the right mask, and has a time."""
        return self.status == "ok"

    @property
    def samples(self):
        """How many samples its time rests on."""
        return len(self.samples_s)

    @property
    def disturbed(self):
        """Whether something else held the core while it was measured."""
        return not DISTURBED.isdisjoint(self.flags)

    @property
    def course_speedup(self):
        """How many times as fast as the base the course found it, on its machine."""
        base = registry.get(registry.BASE).course_seconds
        return base / self.course_s if base and self.course_s else None


@dataclass(slots=True, kw_only=True)
class Result:
    """One run on one polygon."""

    interrupted: bool = False  # whether it was ended before all was measured
    machine: Machine
    workload: Workload
    seconds: float | None = None  # that it took,
    budget_s: float | None = None  # and that the rounds of the fast rows had
    yardstick: Yardstick
    rows: list[Row]  # in the order of the ladder; then what was measured beside it
    instructions: Instructions | None = None  # where they were counted

    def row(self, key):
        """Return the row of a key; None if there is none."""
        return next((row for row in self.rows if row.key == key), None)

    def samples(self, key):
        """Return how many samples the time of a key's row rests on."""
        row = self.row(key)
        return row.samples if row else 0

    @property
    def timed(self):
        """The rows that have a time, by their keys."""
        return {row.key: row for row in self.rows if row.ok}

    @property
    def with_peers(self):
        """Whether other libraries were measured."""
        return any(row.kind == "peer" for row in self.rows)


@dataclass(slots=True, kw_only=True)
class Sweep:
    """A result for each value of what a sweep is over."""

    over: Literal["size", "vertices", "threads"]
    values: list[int]
    results: list[Result]

    def __post_init__(self):
        """Refuse values without results."""
        if not self.results or len(self.values) != len(self.results):
            raise ValueError(f"it has {len(self.values)} values and {len(self.results)} results")

    @property
    def points(self):
        """Pairs of a value and its result."""
        return list(zip(self.values, self.results, strict=True))

    @property
    def rows(self):
        """The rows of all results."""
        return [row for result in self.results for row in result.rows]

    @property
    def interrupted(self):
        """Whether it was ended before all was measured."""
        return any(result.interrupted for result in self.results)
