"""The bars of `polymask.cuda` on an H100 or better."""

from benchmarks.cuda.contenders import BEST, COCO, EMPTY_LAUNCH, MEMSET, OURS
from benchmarks.harness.bars import Bar

DEVICE = "device_samples_s"
ON_DEVICE = "polymask: device"


def of_memset(size, vertices, limit, kind=""):
    """Return the bar of a mask's time on the device, as a multiple of memset."""
    polygon = "an outline of {:,} vertices" if kind else "{:,} random vertices"
    title = f"{size}², {polygon.format(vertices)}: on the device, relative to memset"
    scene = f"{size}-{vertices}{kind}"
    return Bar(title=title, scene=scene, row=BEST, of=DEVICE, over=MEMSET, limit=limit)


BARS = (
    of_memset(8192, 24, 1.15),
    of_memset(32768, 24, 1.15),
    of_memset(8192, 1000, 1.5),
    of_memset(8192, 1000, 1.5, "-outline"),
    of_memset(8192, 10_000, 2.5),
    of_memset(8192, 10_000, 2.5, "-outline"),
    Bar(title="1024², 24 random vertices, from the host: a call", scene="1024-24",
        row=OURS, limit=40e-6),
    Bar(title="the same on the device, relative to an empty launch", scene="1024-24",
        row=OURS, of=DEVICE, over=EMPTY_LAUNCH, limit=2),
    Bar(title="labels of 1,000,000 octagons, 20000², arrays on the device", scene="octagons-1m",
        row=ON_DEVICE, limit=30e-3),
    Bar(title="labels of 1,000,000 octagons, 20000², arrays on the host", scene="octagons-1m",
        row=OURS, limit=60e-3),
    Bar(title="1,000 masks of 256² of polygons like COCO's", scene="coco-1000", row=OURS,
        limit=1e-3),
    Bar(title="1,000 masks of 256²: times as fast as pycocotools with the copy", scene="coco-1000",
        row=OURS, over=COCO, faster=True, limit=50),
)  # fmt: skip


def differing(run):
    """Return the pixels of polymask's results that differ from those of the CPU functions."""
    return sum(row.differ or 0 for row in run.rows if row.kind == "ours")


def failures(run):
    """Return the rows of polymask without a time, as texts."""
    return [
        f"{row.scene}: {row.key}: {row.reason}"
        for row in run.rows
        if row.kind == "ours" and not row.ok
    ]
