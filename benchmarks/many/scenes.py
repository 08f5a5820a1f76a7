"""Scenes of many polygons, made from a seed: octagons, buildings, and the world's countries.

Each is a few arrays, and the same on every machine. Vertices are real numbers, so that next to no
sample lies on an edge, where libraries have rules of their own.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from polymask.bench.result import Count
from polymask.common.staleness import ROOT
from polymask.contract import Unavailable
from polymask.geodata import fitting

COUNTRIES = ROOT / "examples" / "countries.geojson"
GLOBE = (-180, -90, 180, 90)  # west, south, east, north
SEED = 16


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An image and what lies on it."""

    key: str
    title: str
    shape: tuple[Count, Count]
    make: Callable  # shape to `Ragged`

    def polygons(self):
        """Return the polygons as ragged arrays."""
        return self.make(self.shape)


def octagons(count):
    """Return what makes octagons, of radius 5 to 15 and any rotation, anywhere on an image."""

    def make(shape):
        rng = np.random.default_rng(SEED)
        middle = rng.uniform(0, 1, (count, 1, 2)) * shape[::-1]
        radius, turned = rng.uniform(5, 15, (count, 1)), rng.uniform(0, np.pi / 4, (count, 1))
        angles = turned + np.arange(8) * (np.pi / 4)
        around = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius[..., np.newaxis]
        return of_rings(middle + around)

    return make


def buildings(count):
    """Return what makes buildings as a town has them: rectangles, and every third one an L.

    A pixel is half a metre, say: sides are 8 to 60 pixels, most of them 15 to 30. Each is turned as
    its street is.
    """

    def make(shape):
        rng = np.random.default_rng(SEED)
        middle = rng.uniform(0, 1, (count, 1, 2)) * shape[::-1]
        half = np.clip(rng.lognormal(np.log(21), 0.35, (count, 2)), 8, 60)[:, np.newaxis] / 2
        notch = rng.uniform(0.25, 0.7, (count, 2)) * (np.arange(count) % 3 == 0)[:, np.newaxis]
        corners = np.array([(-1, -1), (1, -1), (1, 1), (1, 1), (1, 1), (-1, 1)], float)
        walls = np.tile(corners, (count, 1, 1))
        walls[:, 2, 1] -= 2 * notch[:, 1]  # down to where the notch begins, into it, and out again
        walls[:, 3] -= 2 * notch
        walls[:, 4, 0] -= 2 * notch[:, 0]
        walls *= half
        angle = rng.uniform(0, np.pi / 2, (count, 1))
        x, y = walls[..., 0], walls[..., 1]
        turned = np.stack(
            [x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], axis=-1
        )
        return of_rings(middle + turned)

    return make


def countries(shape):
    """Return the countries of Natural Earth (public domain), the whole globe on the image."""
    if not COUNTRIES.exists():
        raise Unavailable(f"{COUNTRIES.name} is in a checkout alone", "clone the repository")
    from polymask.geodata.ragged import (
        ragged,  # not above: commands begin where it is not built, too
    )

    found = ragged(json.loads(COUNTRIES.read_text(encoding="utf-8")))
    return found._replace(vertices=fitting.bounds_to(GLOBE, shape)(found.vertices))


def one(radius, vertices=24):
    """Return what makes one small polygon, a circle's."""

    def make(shape):
        return of_rings((circle(vertices) * radius + 0.37 * np.array(shape[::-1]))[np.newaxis])

    return make


def star(vertices):
    """Return what makes one polygon that fills the image, rough, and that does not cross itself."""

    def make(shape):
        radius = np.random.default_rng(SEED).uniform(0.2, 0.48, (vertices, 1))
        return of_rings(((circle(vertices) * radius + 0.5) * shape[::-1])[np.newaxis])

    return make


def circle(vertices):
    """Return points of a circle, (N, 2)."""
    angles = 0.1 + np.arange(vertices) * (2 * np.pi / vertices)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def of_rings(rings):
    """Return (N, k, 2) vertices as N polygons."""
    from polymask.geodata.ragged import Ragged

    count, each, _ = rings.shape
    offsets = np.arange(count + 1, dtype=np.int64) * each
    return Ragged(np.ascontiguousarray(rings.reshape(-1, 2)), offsets)
