"""Notes on polygons that miss the image, or whose coordinates are probably no pixels."""

import click
import numpy as np

from polymask.cli.polygons import corners
from polymask.common import figures
from polymask.forms.ranges import extents

DEGREES = 360, 90  # the largest longitude and latitude
ALMOST_NONE = 0.02  # of an image; degrees reach 1.6 % of 1000 x 1000 pixels
MANY = 1 / 3  # of all features: about as many countries lie west or south of 0 degrees
BOUNDS = ". If coordinates are those of a map, place them with --bounds"
SYSTEMS = ". Are their coordinate reference systems the same?"


def print_place(features, is_empty):
    """Print a note if `features` draw no pixel, or if they are probably not placed as intended."""
    is_fitted = features.transform is None and features.given is not features.placed
    polygons = (features.placed if is_fitted else features.given).polygons
    if not len(polygons.vertices):
        return
    image = low, high = corners(features.shape, features.transform)
    first, last = polygons.rings_of(np.arange(polygons.features))
    starts, stops = polygons.ring_offsets[first], polygons.ring_offsets[last]
    ends = extents(polygons.vertices, starts, stops)
    outside = np.count_nonzero(_miss(image, ends) & (first < last))
    extent = ends[0].min(axis=0), ends[1].max(axis=0)
    may_be_degrees = features.given is features.placed and not features.given.center
    are_degrees = may_be_degrees and (
        outside >= MANY * np.count_nonzero(first < last)
        or _are_degrees(polygons.vertices, extent, image)
    )
    if is_empty:
        text = "no pixel is in a polygon"
    elif may_be_degrees and outside:
        text = f"{figures.count(outside, 'feature')} outside the image"
    elif are_degrees:
        text = "polygons reach almost none of the image"
    else:
        return
    is_apart = not features.given.center and _miss(image, [end[None] for end in extent])[0]
    advice = BOUNDS if are_degrees else SYSTEMS if is_apart else ""
    click.echo(
        f"{text}: polygons span {_span(*extent)}, the image {_span(low, high)}{advice}", err=True
    )


def _miss(image, ends):
    """Return whether each box, from its smallest and largest x and y, lies outside an image."""
    return ((ends[1] < image[0]) | (ends[0] > image[1])).any(axis=1)


def _are_degrees(vertices, extent, image):
    """Return whether coordinates may be degrees: small, fractions, and in a corner of an image."""
    (low, high), sides = image, image[1] - image[0]
    reach = (np.minimum(extent[1], high) - np.maximum(extent[0], low)).clip(0).prod()
    is_tiny = (np.abs(extent) <= DEGREES).all() and reach < ALMOST_NONE * np.prod(sides)
    return is_tiny and (2 * vertices % 1).any()  # pixels end at integers or halves


def _span(low, high):
    return " and ".join(f"{a} {x:.7g} to {y:.7g}" for a, x, y in zip("xy", low, high, strict=True))
