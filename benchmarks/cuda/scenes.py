"""The tasks of `polymask.cuda` and their scenes; every result stays on the device.

A task's expected result is that of the CPU function with the same name.
"""

from dataclasses import dataclass

import numpy as np

import polymask
from benchmarks.many.contenders import Task
from benchmarks.many.scenes import SEED, Scene, octagons, star

ENGINE = ("engine", "engine: pinned")
ALL = (*ENGINE, "opencv", "rasterio", "xarray-spatial", "pycocotools", "pycocotools: RLE")


@dataclass(frozen=True, kw_only=True)
class DeviceScene(Scene):
    """A scene on a device."""

    beside: tuple = ()  # the keys of other contenders than polymask on the GPU


def star_on(size, vertices):
    """Return the scene of one star on a square image."""
    return DeviceScene(
        key=f"{size}-{vertices}",
        title=f"a star of {vertices:,} vertices",
        shape=(size, size),
        make=star(vertices),
        beside=ALL if vertices == 24 and size < 10_000 else (),
    )


def annotations(count):
    """Return a function that makes polygons like COCO's annotations, all inside the image.

    They have 4 to 150 vertices with two decimals, most of them 12 to 48, and very different sizes.
    """

    def make(shape):
        from polymask.geodata.ragged import Ragged

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


def expected_mask(polygons, shape):
    """Return the mask of the only polygon."""
    return polymask.polygon_mask(polygons.vertices, shape, dtype=np.uint8)


def expected_labels(polygons, shape):
    """Return the image of labels."""
    return polymask.label_mask(polygons, shape, dtype=np.int32)


def expected_masks(polygons, shape):
    """Return the stack of masks."""
    return polymask.polygon_masks(polygons, shape, dtype=np.uint8)


EXPECTED = {"mask": expected_mask, "labels": expected_labels, "instances": expected_masks}
TASKS = (
    Task(
        key="mask",
        result="its mask, uint8, on the device",
        unit="pixels",
        scenes=tuple(
            star_on(size, vertices)
            for size in (1024, 8192, 32768)
            for vertices in (24, 1000, 10_000)
        ),
        quick=(star_on(100, 24),),
    ),
    Task(
        key="labels",
        result="an image of labels, int32, the last polygon on top, on the device",
        unit="pixels",
        scenes=(
            DeviceScene(key="octagons-1m", title="1,000,000 octagons", shape=(20000,) * 2,
                        make=octagons(1_000_000), beside=ENGINE),
            DeviceScene(key="octagons-100k", title="100,000 octagons", shape=(20000,) * 2,
                        make=octagons(100_000), beside=ALL),
        ),
        quick=(
            DeviceScene(key="octagons-300", title="300 octagons", shape=(400, 500),
                        make=octagons(300), beside=ALL),
        ),
    ),
    Task(
        key="instances",
        result="one mask per polygon, uint8, on the device",
        unit="pixels",
        scenes=(
            DeviceScene(key="coco-1000", title="1,000 polygons like COCO's", shape=(256, 256),
                        make=annotations(1000), beside=ALL),
        ),
        quick=(
            DeviceScene(key="coco-20", title="20 polygons like COCO's", shape=(60, 80),
                        make=annotations(20), beside=ALL),
        ),
    ),
)  # fmt: skip
