"""The examples of COMING_FROM.md: both programs of a pair give the same pixels off the edges."""

import re

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from quoting import blocks

from benchmarks import edge_distance
from polymask.maps import georeference

PAGE = (ROOT / "COMING_FROM.md").read_text(encoding="utf-8")
EXAMPLES = re.split(
    r"^### ", re.search(r"^## By example$(.*?)^## ", PAGE, re.S | re.M)[1], flags=re.M
)
HEADINGS = [
    "shapely.contains_xy",
    "skimage.draw.polygon",
    "rasterio.features.geometry_mask",
    "cv2.findContours",
    "COCO's polygons",
    "A transform in code",
    "North is up",
]
SHAPE = (50, 70)
# A ring with a dent, in pixels; no sample lies on its edges.
POLYGON = np.array([(5.3, 4.1), (40.2, 7.7), (30.4, 22.9), (64.8, 41.3), (12.1, 46.2)])
WEST, NORTH, STEP = 4.5, 51.25, 0.0625


def test_all_examples_exist():
    assert [example.partition("\n")[0] for example in EXAMPLES[1:]] == HEADINGS


def test_each_block_is_run():
    """Seven pairs here, six in test_peers.py, and that of exactextract in test_coverage.py."""
    assert len(blocks(PAGE, "python")) == 2 * (len(HEADINGS) + 6 + 1)


def names():
    """Return the variables that the page starts from, among them a map with the polygon."""
    transform = georeference.Affine(STEP, 0, WEST, 0, -STEP, NORTH)
    on_map = transform(POLYGON)
    image = np.zeros(SHAPE, np.uint8)
    image[3:40, 5:60] = 1
    image[10:20, 15:30] = 0
    image[44:48, 2:9] = 1
    return {
        "polygon": POLYGON,
        "on_map": {"type": "Polygon", "coordinates": [[*on_map.tolist(), on_map[0].tolist()]]},
        "shape": SHAPE,
        "image": image,
        "west": WEST,
        "north": NORTH,
        "step": STEP,
    }


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # pycocotools
@folded("example", EXAMPLES[1:])
def test_both_sides_make_the_same_pixels(example):
    codes = blocks(example, "python")
    assert len(codes) == 2
    variables = names()
    if "transform" in example:
        rasterio = pytest.importorskip("rasterio")
        variables["transform"] = rasterio.Affine(STEP, 0, WEST, 0, -STEP, NORTH)
    for library in re.findall(r"^(?:import|from) (\w+)", codes[0], re.M):
        pytest.importorskip(library)
    masks = []
    for code in codes:
        exec(compile(code, "COMING_FROM.md", "exec"), variables)
        masks.append(variables["mask"])
    other, ours = masks
    assert other.dtype == ours.dtype == bool
    assert 500 < ours.sum() < ours.size - 500
    if "cv2" in example:
        np.testing.assert_array_equal(ours, variables["image"])
    differ = other != ours
    if "COCO" in example:
        near = edge_distance.within(1.5, POLYGON - 0.5, SHAPE)
        assert differ.any()  # as the page explains
        assert not differ[~near].any()
    else:
        assert not differ.any()
