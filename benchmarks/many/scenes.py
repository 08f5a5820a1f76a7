"""Scenes of many polygons: octagons and buildings from a seed, and the world's countries.

Each scene consists of a few arrays, which are the same on every machine. Vertices are real numbers,
so hardly any sample lies on an edge, where the rules of libraries differ.
"""

import json

import numpy as np

from ladder.common.staleness import ROOT
from polymask.contract import Unavailable
from polymask.maps import fitting

COUNTRIES = ROOT / "examples" / "countries.geojson"
GLOBE = (-180, -90, 180, 90)  # west, south, east, north
SEED = 16


def octagons(count, seed=SEED):
    """Return a function that makes octagons at random places, with radii of 5 to 15 pixels."""

    def make(shape):
        rng = np.random.default_rng(seed)
        middle = rng.uniform(0, 1, (count, 1, 2)) * shape[::-1]
        radius, rotation = rng.uniform(5, 15, (count, 1)), rng.uniform(0, np.pi / 4, (count, 1))
        angles = rotation + np.arange(8) * (np.pi / 4)
        around = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius[..., np.newaxis]
        return of_rings(middle + around)

    return make


def buildings(count):
    """Return a function that makes buildings: rectangles, and every third one an L.

    Their sides are 8 to 60 pixels long, most of them 15 to 30, as in an image of a town with half a
    metre per pixel. Each building has a random rotation.
    """

    def make(shape):
        rng = np.random.default_rng(SEED)
        middle = rng.uniform(0, 1, (count, 1, 2)) * shape[::-1]
        half = np.clip(rng.lognormal(np.log(21), 0.35, (count, 2)), 8, 60)[:, np.newaxis] / 2
        notch = rng.uniform(0.25, 0.7, (count, 2)) * (np.arange(count) % 3 == 0)[:, np.newaxis]
        corners = np.array([(-1, -1), (1, -1), (1, 1), (1, 1), (1, 1), (-1, 1)], float)
        walls = np.tile(corners, (count, 1, 1))
        walls[:, 2, 1] -= 2 * notch[:, 1]  # the start of the notch, its inner corner, and its end
        walls[:, 3] -= 2 * notch
        walls[:, 4, 0] -= 2 * notch[:, 0]
        walls *= half
        angle = rng.uniform(0, np.pi / 2, (count, 1))
        x, y = walls[..., 0], walls[..., 1]
        rotated = np.stack(
            [x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], axis=-1
        )
        return of_rings(middle + rotated)

    return make


def countries(shape):
    """Return the countries of Natural Earth (public domain); the globe fills the image."""
    if not COUNTRIES.exists():
        raise Unavailable(f"{COUNTRIES.name} is in checkouts only", "clone the repository")
    from polymask.forms.ragged import ragged

    world = ragged(json.loads(COUNTRIES.read_text(encoding="utf-8")))
    return world._replace(vertices=fitting.bounds_from(GLOBE, shape).to_pixels(world.vertices))


def circle_polygon(radius, vertices=24):
    """Return a function that makes one small polygon, with vertices on a circle."""

    def make(shape):
        return of_rings((circle(vertices) * radius + 0.37 * np.array(shape[::-1]))[np.newaxis])

    return make


def star(vertices):
    """Return a function that makes one jagged, simple polygon that fills the image."""

    def make(shape):
        radius = np.random.default_rng(SEED).uniform(0.2, 0.48, (vertices, 1))
        return of_rings(((circle(vertices) * radius + 0.5) * shape[::-1])[np.newaxis])

    return make


def circle(vertices):
    """Return points on the unit circle, (N, 2)."""
    angles = 0.1 + np.arange(vertices) * (2 * np.pi / vertices)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def of_rings(rings):
    """Convert vertices (N, k, 2) to N polygons."""
    from polymask.forms.ragged import Ragged

    count, size, _ = rings.shape
    offsets = np.arange(count + 1, dtype=np.int64) * size
    return Ragged(np.ascontiguousarray(rings.reshape(-1, 2)), offsets)
