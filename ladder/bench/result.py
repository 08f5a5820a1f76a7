"""The result of a run: a tree of dataclasses, from which tables, plots and pages are made.

`ladder.bench.result_json` reads and writes it, and checks the types of values. A new field with a
default keeps old files readable; any other change of the fields needs a new `SCHEMA`.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from ladder import registry
from ladder.bench.machine import Machine
from ladder.registry import workload

SCHEMA = 2
API_FRESH, API_OUT = "api.fresh", "api.out"  # rows of `polygon_mask`, with other libraries
DISTURBED = {"noisy", "slowed probe"}  # the flags for disturbances by other programs

# Conditions on numbers besides their type, as text and as a function.
Positive = Annotated[  # ratios of ratios of such numbers are finite
    float, "above zero, from 1e-50 to 1e50", lambda value: 1e-50 <= value <= 1e50
]
Count = Annotated[int, "not below zero", lambda value: value >= 0]
Interval = tuple[float, float]


@dataclass(slots=True, kw_only=True)
class Workload:
    """The image and the polygon, its vertices (x, y); `polygon` is their file."""

    shape: tuple[Count, Count]
    seed: int | None = None
    polygon: str | None = None
    polygon_sha256: str
    polygon_xy: list[tuple[float, float]]

    def __post_init__(self):
        """Refuse a polygon with fewer than three vertices."""
        if len(self.polygon_xy) < 3:
            raise ValueError(f"a polygon needs at least 3 vertices, not {len(self.polygon_xy)}")

    @classmethod
    def of(cls, vertices, shape, seed=None, polygon=None):
        """Return the workload for a polygon, an array (N, 2)."""
        return cls(
            shape=shape,
            seed=seed,
            polygon=polygon,
            polygon_sha256=workload.sha256(vertices),
            polygon_xy=[tuple(vertex) for vertex in vertices.tolist()],
        )

    @property
    def pixels(self):
        """The number of pixels of the image."""
        return self.shape[0] * self.shape[1]

    @property
    def vertices(self):
        """The number of vertices of the polygon."""
        return len(self.polygon_xy)


@dataclass(slots=True, kw_only=True)
class Yardstick:
    """Memset of the mask, warm and fresh, the probe of the machine's load, and prices.

    Rows are compared with the median of memset. Its minimum is a price, as all prices are minima.
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
class Batch:
    """The masks of several polygons, made together."""

    polygons: Count
    samples_s: list[Positive]  # of one mask
    mask_s: Positive  # their median
    ci95_s: Interval | None = None


@dataclass(slots=True, eq=False)
class Contender:
    """A function that makes the mask, and its status; unknown fields are None."""

    key: str
    # "reference" is Numba's row in older results; it is a rung now
    kind: Literal["rung", "reference", "api", "peer"]
    title: str
    status: Literal["ok", "skipped", "wrong"]  # only "ok" rows have a time
    reason: str = ""
    package: str = ""  # a library's name for pip
    included: str = ""  # other work that is timed with a library's function
    changes: str | None = None  # of a rung, from the registry, as are the next three
    other_algorithm: bool = False
    before: str | None = None
    course_s: Positive | None = None
    threads: int | None = None
    mask: Literal["fresh", "out"] = "fresh"  # the destination: a new array, or an existing one
    options: dict[str, Any] = field(default_factory=dict)
    first_call_s: Positive | None = None
    wrong_pixels: Count | None = None
    # of a library, which is never "wrong": differing pixels with samples on an edge,
    differ_on_edges: Count | None = None
    differ_off_edges: Count | None = None  # the other differing pixels,
    differ_far: Count | None = None  # and those of the others without an edge within a pixel


@dataclass(slots=True, kw_only=True)
class Row(Contender):
    """The measurements of a contender; unknown fields are None.

    Medians, intervals and ratios follow from the samples. They are stored for programs that read
    the file without this package.
    """

    median_s: Positive | None = None  # of one call
    min_s: Positive | None = None
    ci95_s: Interval | None = None  # of the median
    samples_s: list[Positive] = field(default_factory=list)
    kernel_s: Positive | None = None  # the median of a device's kernel alone
    # of a call that leaves the mask on the device, which is less work
    left_samples_s: list[Positive] = field(default_factory=list)
    speedup: Positive | None = None  # over the base of the ladder
    speedup_ci95: Interval | None = None
    speedup_before: Positive | None = None  # over the rung that `before` names
    times_yardstick: Positive | None = None  # time / time of memset of the mask
    times_api: Positive | None = None  # time / time of `polygon_mask` into a new array
    cores_used: float | None = None
    batch: Batch | None = None
    flags: list[str] = field(default_factory=list)  # reasons for doubt

    def __post_init__(self):
        """Refuse an "ok" row without a time."""
        if self.ok and not (self.median_s and self.min_s and self.samples_s):
            raise ValueError("its status is ok, but it has no time")

    @property
    def ok(self):
        """Whether the row made the right mask and has a time."""
        return self.status == "ok"

    @property
    def samples(self):
        """The number of samples."""
        return len(self.samples_s)

    @property
    def disturbed(self):
        """Whether another program disturbed the measurement."""
        return not DISTURBED.isdisjoint(self.flags)

    @property
    def course_speedup(self):
        """The speed-up over the base in the course, on its machine."""
        base = registry.get(registry.BASE).course_seconds
        return base / self.course_s if base and self.course_s else None


@dataclass(slots=True, kw_only=True)
class Result:
    """A run on one polygon."""

    interrupted: bool = False  # whether the run ended early
    machine: Machine
    workload: Workload
    seconds: float | None = None  # of the run
    budget_s: float | None = None  # for the rounds of fast rows
    yardstick: Yardstick
    rows: list[Row]  # in the order of the ladder, then other rows

    def row(self, key):
        """Return the row with a key, or None."""
        return next((row for row in self.rows if row.key == key), None)

    def samples(self, key):
        """Return the number of samples of a key's row."""
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
    """A result for each value of a sweep."""

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
        """Whether the sweep ended early."""
        return any(result.interrupted for result in self.results)
