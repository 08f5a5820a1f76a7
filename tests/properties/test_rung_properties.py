"""Every rung: properties of masks of any polygon."""

import numpy as np
import strategies
from every_rung import assert_mask
from hypothesis import given

from ladder.registry import reference

ring_on_image = strategies.images_and(
    lambda shape: strategies.rings(shape, coordinate=strategies.overflowing)
)
tiled_image = strategies.images_and(strategies.fans)


@given(example=ring_on_image, border_value=strategies.booleans)
def test_the_rule(make_mask, example, border_value):
    shape, ring = example
    mask = make_mask(ring, shape, border_value)
    assert_mask(mask, reference.by_rule(ring, shape, border_value))


@given(example=tiled_image)
def test_tiles_at_halves_have_every_sample_once(make_mask, example):
    shape, tiles = example
    assert_mask(sum(make_mask(tile, shape) for tile in tiles), np.ones(shape, np.uint8))
