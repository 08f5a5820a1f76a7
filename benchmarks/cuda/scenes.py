"""The tasks of `polymask.cuda` and their scenes; every result stays on the device.

A task's expected result is that of the CPU function with the same name.
"""

import functools

import numpy as np

import polymask
from benchmarks.harness.tasks import Scene, Task
from benchmarks.many.scenes import SEED, circle, octagons, of_rings
from ladder.registry import workload

SIZES, VERTICES = (1024, 8192, 32768), (24, 1000, 10_000)


def course_polygon(size, vertices):
    """Return the scene of the course's polygon, whose edges cross the whole image."""
    return Scene(
        key=f"{size}-{vertices}",
        title=f"{vertices:,} random vertices",
        shape=(size, size),
        make=lambda shape: of_rings(workload.polygon(vertices, shape)[np.newaxis]),
        beside=vertices == 24 and size < 10_000,
    )


def outline(size, vertices):
    """Return the scene of an outline like a coast's: its edges are short."""

    def make(shape):
        angles = np.arange(vertices) * (2 * np.pi / vertices)
        noise = np.random.default_rng(SEED).uniform(-2, 2, vertices) / vertices
        radius = 0.34 + 0.08 * np.sin(3 * angles) + 0.03 * np.sin(11 * angles + 1) + noise
        unit = circle(vertices) * radius[:, np.newaxis]
        return of_rings(((unit + 0.5) * shape[::-1])[np.newaxis])

    key, title = f"{size}-{vertices}-outline", f"an outline of {vertices:,} vertices"
    return Scene(key=key, title=title, shape=(size, size), make=make, beside=False)


def annotations(count):
    """Return a function that makes polygons like COCO's annotations, all inside the image.

    They have 4 to 150 vertices with two decimals, most of them 12 to 48, and very different sizes.
    """

    def make(shape):
        from polymask.forms.ragged import Ragged

        rng = np.random.default_rng(SEED)
        sizes = np.clip(rng.lognormal(np.log(24), 0.7, count), 4, 150).astype(np.int64)
        ends = np.concatenate([[0], np.cumsum(sizes)])
        owner = np.repeat(np.arange(count), sizes)
        angles = (np.arange(ends[-1]) - ends[owner]) * (2 * np.pi / sizes[owner])
        reach = min(shape) / 2 * np.clip(rng.lognormal(np.log(0.3), 0.6, (count, 1)), 0.02, 0.9)
        middle = rng.uniform(reach, np.array(shape[::-1]) - 1 - reach)
        radius = rng.uniform(0.6, 0.99, (ends[-1], 1)) * reach[owner]
        around = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius
        return Ragged(np.round(middle[owner] + around, 2), ends)

    return make


EXPECTED = {  # of polygons on a shape, by the functions of the CPU
    "mask": lambda polygons, shape: polymask.polygon_mask(polygons.vertices, shape, dtype=np.uint8),
    "labels": functools.partial(polymask.label_mask, dtype=np.int32),
    "instances": functools.partial(polymask.polygon_masks, dtype=np.uint8),
}
TASKS = (
    Task(
        key="mask",
        result="its mask, uint8, on the device",
        scenes=(
            *(course_polygon(size, vertices) for size in SIZES for vertices in VERTICES),
            *(outline(size, vertices) for size in SIZES[1:] for vertices in VERTICES[1:]),
        ),
        quick=(course_polygon(100, 24), outline(100, 1000)),
    ),
    Task(
        key="labels",
        result="an image of labels, int32, the last polygon on top, on the device",
        scenes=(
            Scene(key="octagons-1m", title="1,000,000 octagons", shape=(20000,) * 2,
                        make=octagons(1_000_000)),
        ),
        quick=(
            Scene(key="octagons-300", title="300 octagons", shape=(400, 500),
                        make=octagons(300)),
        ),
    ),
    Task(
        key="instances",
        result="one mask per polygon, uint8, on the device",
        scenes=(
            Scene(key="coco-1000", title="1,000 polygons like COCO's", shape=(256, 256),
                        make=annotations(1000)),
        ),
        quick=(
            Scene(key="coco-20", title="20 polygons like COCO's", shape=(60, 80),
                        make=annotations(20)),
        ),
    ),
)  # fmt: skip
