"""The checks of a student's masks: hostile cases, margins, and the timed masks."""

import ctypes
import random

import known_wrong_masks
import numpy as np
import pytest
from cases import folded, says

from ladder.registry import reference, workload
from ladder.workshop.sandbox import (
    cases,
    check_failed,
    device,
    garbage,
    known_mistakes,
    likely_causes,
    masks,
    timing,
)
from ladder.workshop.sandbox.environments import guards
from ladder.workshop.student import pictures


@pytest.mark.slow
def test_every_known_wrong_way_is_found(load_answer):
    assert known_wrong_masks.undetected(load_answer(), 3) == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("return np.zeros((9, 13), np.uint8)", "a mask was returned"),
        ("return vertices[7]", "IndexError instead of|TypeError instead of"),
        ("raise KeyError('no')", "KeyError instead of"),
    ],
)
def test_bad_input_must_be_refused(more, message, load_answer):
    text = f"def make_mask(vertices, shape, border_value=True):\n    {more}\n"
    with pytest.raises(check_failed.CheckFailed, match=message) as raised:
        masks.check_refusals(load_answer(text))
    assert says(str(raised.value), "contract.check", "else")


def test_every_bad_input_is_refused_by_the_contract():
    for case in cases.refused():
        with pytest.raises((ValueError, TypeError)):
            reference.mask(case.vertices, case.shape, case.border_value)


@pytest.mark.slow
def test_right_masks_pass_whatever_the_seed(load_answer):
    masks.check(load_answer(), 8)


def test_other_seeds_are_other_polygons():
    first, second = cases.random_cases(1), cases.random_cases(2)
    assert any(a.vertices != b.vertices for a, b in zip(first[1:], second[1:], strict=True))


MASK = reference.mask(workload.polygon(9, (9, 12)), (9, 12))
ONE, ROW = np.ones((1, 1), np.uint8), np.ones((1, 9), np.uint8)
RIGHT_EDGE, CORNER = np.arange(12) >= 8, np.arange(12) + np.arange(9)[:, None] > 18


@pytest.mark.parametrize(
    ("got", "expected", "message"),
    [
        (None, MASK, "returned None"),
        (MASK.T.copy(), MASK, "rows come first"),
        (MASK * 1.0, MASK, "float64"),
        (1 - MASK, MASK, "inverse"),
        (ONE, 1 - ONE, r"1 of 1 pixels are wrong$"),
        (MASK + np.uint8(7), MASK, "only 0 and 1$"),
        (MASK.T.reshape(9, 12), MASK, "right pixels, but column after column"),
        (np.where(RIGHT_EDGE, np.uint8(90), MASK), MASK, "columns 8 to 11 are never written"),
        (MASK ^ RIGHT_EDGE, MASK, "wrong$"),  # inverted
        (MASK * np.uint8(255), MASK, "-1 in uint8 is 255"),
        (MASK + np.uint8(2), MASK, "counts, not their parity"),
        (MASK ^ RIGHT_EDGE[:9, None][::-1], MASK, "wrong$"),  # the first rows
        (MASK ^ CORNER, MASK, "wrong$"),
        (np.cumsum(ROW, axis=1, dtype=np.uint8), ROW, "0 and 1$"),  # not garbage
        (
            np.where(np.arange(108).reshape(9, 12) < 70, MASK, np.uint8(165)),
            MASK,
            "the last pixels are never written",
        ),
        (ROW - (np.arange(9) == 8), ROW, "wrong$"),  # the last column may be wrong for any reason
    ],
)
def test_a_message_names_the_fault_of_a_mask(got, expected, message):
    with pytest.raises(check_failed.CheckFailed, match=message):
        check_failed.same_mask(got, expected, "x")


@pytest.mark.parametrize("got", [np.array(3), 3.0, np.float64(3), "3"])
def test_a_whole_number_has_its_type(got):
    with pytest.raises(check_failed.CheckFailed, match="expected a whole number"):
        check_failed.same(got, 3, "x")
    check_failed.same(np.int64(3), 3, "x")


@pytest.mark.parametrize(
    ("got", "expected", "cause"),
    [
        (235, 3563, "modulo 256, as in a type of 8 bits"),
        (3562, 3563, ""),
        (np.array([0.1 + 0.2]), np.array([0.3]), "only the last bits differ"),
        (np.array([0.3 + 1e-12]), np.array([0.3]), ""),
        (float(np.float32(0.3)), 0.3, "single precision"),
        (83886087.0, 83886087.5, "whole number"),  # without its fraction
        (2.0e7, 0.02, "1e9 times as much as expected: in which unit"),
        (np.array([2, 1, 3]), np.array([1, 2, 3]), "another order"),
        (np.array([1, 0xA5A5A5A5 - 2**32], np.int32), np.array([1, 2], np.int32), "never written"),
        (np.array([3, 4]) + np.int64(0xA5A5A5A5A5A5A5A5 - 2**64), np.array([3, 4]), "not set to 0"),
    ],
)
def test_a_message_names_the_fault_of_a_number_only_if_it_is_certain(got, expected, cause):
    with pytest.raises(check_failed.CheckFailed, match=cause or r"got [\d.\[\]]+$"):
        check_failed.same(got, expected, "x")


def test_too_few_items_are_noted_only_if_the_elements_without_an_item_are_wrong():
    facts, right = {"launches": [{"kind": "Kernel", "size": (4,)}]}, np.arange(6)
    got = np.where(right < 4, right, -1)
    assert device.unlaunched(facts, got, right).startswith("4 items were launched")
    for other in (right, right + 1, np.where(right < 3, right, -1)):
        assert not device.unlaunched(facts, other, right)
    assert not device.unlaunched({}, got, right)


def test_a_prediction_is_compared_with_its_hint():
    for value, message in ((None, "N is still None"), (9, "N: it is not 9: count them")):
        with pytest.raises(check_failed.CheckFailed, match=message):
            check_failed.check_predicted("N", value, 3, "count them")
    check_failed.check_predicted("N", 3, 3, "")


def test_advice_ends_a_message_whose_masks_stay():
    right, advice = np.zeros((3, 4), np.uint8), check_failed.advising("look")
    with pytest.raises(check_failed.CheckFailed, match=r"^x: .* wrong.*: look$") as raised, advice:
        check_failed.same_mask(right + np.eye(3, 4, dtype=np.uint8), right, "x")
    assert raised.value.expected is right


def test_nan_is_wrong():
    with pytest.raises(check_failed.CheckFailed, match=r"x: expected 3\.0, got nan"):
        check_failed.same(float("nan"), 3.0, "x", rtol=1e-9)


def test_a_mask_in_fortrans_order_is_wrong(load_answer):
    answer = load_answer(
        """
right = make_mask
def make_mask(vertices, shape, border_value=True):
    return np.asfortranarray(right(vertices, shape, border_value))
"""
    )
    with pytest.raises(check_failed.CheckFailed, match=r"mask.*\(C.*order\)"):
        masks.check_masks(answer, masks.with_masks(cases.fixed_cases()[:1]))


def test_the_picture_shows_the_wrong_pixels():
    expected = np.zeros((4, 6), np.uint8)
    expected[1, 1:3] = 1
    got = expected.copy()
    got[1, 2], got[3, 5] = 0, 1
    wrong = pictures.WrongMask(got, expected, [(0.6, 0.9), (2, 1), (1e300, 3), (-1, 2)])
    lines = [line.strip() for line in pictures.text(wrong).splitlines()]
    numbers = ["0", "012345"]
    assert lines[:6] == [*numbers, "0 ......", "1 .V-...", "2 ......", "3 .....+"]
    assert lines[6:8] == [pictures.LEGEND, pictures.VERTEX_LEGEND]
    assert "row 1, column 2" in lines[-1]


def test_the_picture_of_a_part_has_the_numbers_of_the_whole():
    expected = np.zeros((1200, 80), np.uint8)
    got = expected.copy()
    got[1105, 75] = 1
    lines = pictures.text(pictures.WrongMask(got, expected)).splitlines()
    assert lines[0].split() == ["20", "30", "40", "50", "60", "70"]
    (row,) = [line for line in lines if "+" in line and "#" not in line]
    assert row.strip() == f"1105 {'.' * 55}+...."
    assert lines[0].index("70") + 5 == lines[1].rindex("5") == row.index("+")
    assert "V" not in lines[-2]
    assert "shown from row 1095, column 20" in lines[-1]


CROSSING = "(y - y1) * (x2 - x1) / (y2 - y1) + x1"
LIKELY = {
    "y >= min": ("(y > min(y1, y2))", "(y >= min(y1, y2))", likely_causes.VERTEX_ROWS),
    "x < crossing": ("crosses &= x <=", "crosses &= x <", likely_causes.ON_EDGES),
    "no vertices": ("inside[on_vertex] = border_value", "pass", likely_causes.ON_VERTICES),
    "float32 vertices": (
        "n = len(",
        "vertices = vertices.astype(np.float32).astype(float); n = len(",
        likely_causes.ROUNDING,
    ),
    "float32 crossing": (CROSSING, f"np.float32({CROSSING})", likely_causes.ROUNDING),
    "no huge vertices": (
        "n = len(",
        "vertices = np.where(abs(vertices) > 1e9, 0.0, vertices); n = len(",
        "",
    ),
}


@pytest.mark.parametrize("mistake", LIKELY)
def test_the_likely_cause_of_wrong_pixels_is_named(mistake, load_answer):
    old, new, cause = LIKELY[mistake]
    with pytest.raises(check_failed.CheckFailed) as raised:
        masks.check_masks(load_answer("", old, new), masks.with_masks(cases.fixed_cases()))
    assert str(raised.value) == f"{raised.value.fact}{cause}"
    assert len(raised.value.vertices) > 2


def test_each_known_mistake_is_told_from_the_others():
    polygons = [*cases.fixed_cases(), *cases.random_cases(8)]
    right, mistakes = masks.with_masks(polygons), list(known_mistakes.read())
    for text, mistake in mistakes:
        cases_and_masks = ((case, known_mistakes.make_mask(text, case)) for case, _ in right)
        pairs = zip(cases_and_masks, right, strict=True)
        case, got = next(pair for pair, (_, mask) in pairs if not np.array_equal(pair[1], mask))
        assert known_mistakes.of(case, got) == mistake
    case, mask = right[0]
    assert [known_mistakes.of(case, other) for other in (mask, 1 - mask)] == ["", ""]
    assert len({text for text, _ in mistakes}) == len(mistakes)


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("inside ^= crosses", "inside[crosses] = True", "; an edge must toggle a pixel"),
        ("y, x = np", "x, y = np", "; x and y are swapped: a pixel is mask[y, x], a vertex (x, y)"),
        ("n = len(vertices)", "n = min(2, len(vertices))", "; only two vertices count"),
    ],
)
def test_a_known_mistake_is_named_however_it_is_written(old, new, cause, load_answer):
    with pytest.raises(check_failed.CheckFailed) as raised:
        masks.check_masks(load_answer("", old, new), masks.with_masks(cases.fixed_cases()))
    assert f"pixels are wrong{cause}" in str(raised.value)


# During timing, to the last bit, and beside the arrays


def test_all_measured_masks_differ():
    source, rng = timing.Masks(96), random.Random(1)
    shapes, polygons = set(), set()
    for _ in range(20):
        calls = source.draw(rng, 5)
        shapes |= {shape for _, shape in calls}
        polygons |= {vertices.tobytes() for vertices, _ in calls}
    assert all(90 <= length <= 102 for shape in shapes for length in shape)
    assert len(polygons) == 100
    assert 10 < len(shapes) <= 20  # one per round


LAZY = """

right = make_mask
def make_mask(vertices, shape, border_value=True):
    if shape[0] < 93:
        return right(vertices, shape, border_value)
    {}
"""


@pytest.mark.parametrize(
    ("lazy", "message"),
    [
        ("return np.zeros(shape, np.uint8)", "that were timed: .* yours is all zeros"),
        ("return None", "that were timed: it returned None"),
    ],
)
def test_the_masks_that_are_timed_are_looked_at(lazy, message, load_answer):
    lanes = {"yours": load_answer(LAZY.format(lazy)).make_mask}
    with pytest.raises(check_failed.CheckFailed, match=message):
        timing.measure(lanes, timing.Masks(96), random.Random(1), {"yours": []})


def test_right_masks_are_timed(load_answer):
    samples = {"yours": []}
    lanes = {"yours": load_answer().make_mask}
    timing.measure(lanes, timing.Masks(96), random.Random(1), samples, lambda: True)
    assert len(samples["yours"]) == timing.FEWEST
    assert min(samples["yours"]) > 0


CROSSINGS = {
    "the slope first": lambda y, x1, y1, x2, y2: (y - y1) * ((x2 - x1) / (y2 - y1)) + x1,
    "the part first": lambda y, x1, y1, x2, y2: (x2 - x1) * ((y - y1) / (y2 - y1)) + x1,
    "from the other end": lambda y, x1, y1, x2, y2: (y - y2) * (x2 - x1) / (y2 - y1) + x2,
    "single precision": lambda y, x1, y1, x2, y2: np.float32((y - y1) * (x2 - x1) / (y2 - y1) + x1),
    "a little more": lambda y, x1, y1, x2, y2: (y - y1) * (x2 - x1) / (y2 - y1) + x1 + 1e-9,
    "a little less": lambda y, x1, y1, x2, y2: (y - y1) * (x2 - x1) / (y2 - y1) + x1 - 1e-9,
}


@folded("name", CROSSINGS)
def test_differently_rounded_crossings_are_detected(name):
    """The fixed case is enough, so it does not depend on the seed."""
    case = next(case for case in cases.fixed_cases() if case.label == "edges through pixels")
    inside = np.zeros(case.shape, bool)
    y, x = np.mgrid[: case.shape[0], : case.shape[1]].astype(float)
    edges = zip(case.vertices, [*case.vertices[1:], case.vertices[0]], strict=True)
    for (x1, y1), (x2, y2) in edges:
        rows = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2))
        inside ^= rows & (x <= CROSSINGS[name](y, x1, y1, x2, y2))
    assert (inside != reference.mask(case.vertices, case.shape)).any()


@pytest.fixture
def guard(monkeypatch):
    for name in ("empty", "zeros"):
        monkeypatch.setattr(np, name, getattr(np, name))  # restored afterwards
    return guards.install()


@pytest.mark.parametrize(("begin", "end"), [(0, 1), (1, 0)])
def test_writes_beside_an_array_are_detected(begin, end, guard):
    guard.before(())
    array = np.empty((5, 7), np.uint8)
    zeros = np.zeros(3)
    assert not zeros.any()
    assert array.flags.c_contiguous
    assert np.unique(array).tolist() == [garbage.GARBAGE]
    array[...] = 1
    assert guard.after() is None
    guard.before(())
    array = np.empty((5, 7), np.uint8)
    address = array.ctypes.data
    ctypes.memset(address - begin, 0, begin + array.nbytes + end)
    (error,) = guard.after()
    with pytest.raises(check_failed.CheckFailed, match=r"index out of bounds.*array"):
        masks.check_margins({"guards": [error]}, "one byte too many", array, array)
    assert np.empty(3).base is None


def test_arrays_can_be_created_in_all_ways_of_numpy(guard):
    guard.before(())
    for array in (np.empty((2, 3), np.uint8, "C"), np.zeros((2, 3), "u1", order="C")):
        assert (array.shape, array.dtype, array.base is None) == ((2, 3), np.uint8, False)
    assert np.empty((2, 3), float, "F").flags.f_contiguous
    assert np.zeros(np.int64(4)).shape == (4,)
    with pytest.raises(TypeError):
        np.empty(2.5)
    with pytest.raises(ValueError, match="negative"):
        np.zeros((3, -1))
