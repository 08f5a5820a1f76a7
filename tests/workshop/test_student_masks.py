"""What a student's masks are held against: hostile cases, margins, and the masks that are timed."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from polymask.ladder import reference, workload
from polymask.workshop import exercises
from polymask.workshop.sandbox import cases, guard, poison, tamper, timing, wrong
from polymask.workshop.student import pictures


@pytest.mark.parametrize("way", tamper.WAYS)
def test_every_known_wrong_way_is_found(way):
    make_mask = tamper.WAYS[way](reference.mask)
    from polymask.workshop.sandbox import examine

    chosen = [*cases.fixed(), *cases.drawn(3)]
    expected = [reference.mask(c.vertices, c.shape, c.border_value) for c in chosen]
    with pytest.raises(wrong.Wrong):
        examine.check_masks(make_mask, chosen, expected, lambda **said: None)


@pytest.mark.parametrize(
    ("raised", "message"), [(None, "a mask was returned"), (IndexError, "IndexError instead of")]
)
def test_bad_input_must_be_refused(raised, message):
    from polymask.workshop.sandbox import examine

    def make_mask(vertices, shape, border_value=True):
        if np.size(vertices) == 0 and raised:
            raise raised("index 0 is out of bounds")
        return np.zeros((9, 13), np.uint8) if not raised else reference.mask(vertices, shape)

    doing = []
    with pytest.raises(wrong.Wrong, match=message) as found:
        examine.check_refusals(make_mask, lambda **said: doing.append(said["doing"]))
    assert "call contract.check before anything else" in str(found.value)
    assert "refusing" in doing[-1]  # what a crash there would be told as


def test_every_bad_input_is_refused_by_the_contract():
    for case in cases.refused():
        with pytest.raises((ValueError, TypeError)):
            reference.mask(case.vertices, case.shape, case.border_value)


def test_right_masks_pass_whatever_the_seed():
    from polymask.workshop.sandbox import examine

    chosen = [*cases.fixed(), *cases.drawn(8)]
    expected = [reference.mask(c.vertices, c.shape, c.border_value) for c in chosen]
    examine.check_masks(reference.mask, chosen, expected, lambda **said: None)


def test_other_seeds_are_other_polygons():
    first, second = cases.drawn(1), cases.drawn(2)
    assert any(a.vertices != b.vertices for a, b in zip(first[1:], second[1:], strict=True))


def test_messages_name_the_fault():
    right = reference.mask(workload.polygon(9, (9, 12)), (9, 12))
    with pytest.raises(wrong.Wrong, match="returned None"):
        wrong.same_mask(None, right, "x")
    with pytest.raises(wrong.Wrong, match="rows come first"):
        wrong.same_mask(right.T.copy(), right, "x")
    with pytest.raises(wrong.Wrong, match="float64"):
        wrong.same_mask(right * 1.0, right, "x")
    with pytest.raises(wrong.Wrong, match="inverse"):
        wrong.same_mask(1 - right, right, "x")
    with pytest.raises(wrong.Wrong, match="is every pixel written"):
        wrong.same_mask(right + np.uint8(7), right, "x")


def test_the_picture_shows_what_is_wrong(tmp_path):
    right = np.zeros((4, 6), np.uint8)
    right[1, 1:3] = 1
    got = right.copy()
    got[1, 2], got[3, 5] = 0, 1
    lines = [line.strip() for line in pictures.text(got, right).splitlines()]
    assert lines[:4] == ["......", ".#-...", "......", ".....+"]
    assert "row 1, column 2" in lines[-1]
    pictures.png(got, right, tmp_path / "wrong.png")
    assert (tmp_path / "wrong.png").stat().st_size > 50


# While they are timed, to the last bit, and beside the arrays


def test_a_kept_mask_is_of_no_use_when_it_is_measured():
    exercise, seen = exercises.get("vectorize"), []
    module = SimpleNamespace(make_mask=lambda vertices, shape: seen.append(vertices.tobytes()))
    lanes, _ = timing.lanes(exercise, module, None, None)
    timing.measure({"yours": lanes["yours"], "before": lanes["yours"]})
    assert len(seen) > 10
    assert len(set(seen)) == len(seen)


def test_the_masks_that_are_timed_are_looked_at():
    exercise = exercises.get("vectorize")

    def lazy(vertices, shape):
        return reference.mask(vertices, shape) if shape[0] < 96 else np.zeros(shape, np.uint8)

    lanes, right = timing.lanes(exercise, SimpleNamespace(make_mask=lazy), None, None)
    with pytest.raises(wrong.Wrong, match=r"that were timed: .* yours is all zeros"):
        timing.measure({"yours": lanes["yours"]}, right)
    module = SimpleNamespace(make_mask=reference.mask)
    lanes, right = timing.lanes(exercise, module, None, None)
    assert timing.measure({"yours": lanes["yours"]}, right)["seconds"]["yours"] > 0


CROSSINGS = {
    "the slope first": lambda y, x1, y1, x2, y2: (y - y1) * ((x2 - x1) / (y2 - y1)) + x1,
    "the part first": lambda y, x1, y1, x2, y2: (x2 - x1) * ((y - y1) / (y2 - y1)) + x1,
    "from the other end": lambda y, x1, y1, x2, y2: (y - y2) * (x2 - x1) / (y2 - y1) + x2,
    "single precision": lambda y, x1, y1, x2, y2: np.float32((y - y1) * (x2 - x1) / (y2 - y1) + x1),
    "a little more": lambda y, x1, y1, x2, y2: (y - y1) * (x2 - x1) / (y2 - y1) + x1 + 1e-9,
    "a little less": lambda y, x1, y1, x2, y2: (y - y1) * (x2 - x1) / (y2 - y1) + x1 - 1e-9,
}


@pytest.mark.parametrize("way", CROSSINGS)
def test_a_crossing_that_is_rounded_otherwise_is_found(way):
    """By the fixed case alone, and so whatever the seed."""
    case = next(case for case in cases.fixed() if case.label == "edges through pixels")
    inside = np.zeros(case.shape, bool)
    y, x = np.mgrid[: case.shape[0], : case.shape[1]].astype(float)
    edges = zip(case.vertices, [*case.vertices[1:], case.vertices[0]], strict=True)
    for (x1, y1), (x2, y2) in edges:
        rows = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2))
        inside ^= rows & (x <= CROSSINGS[way](y, x1, y1, x2, y2))
    assert (inside != reference.mask(case.vertices, case.shape)).any()


@pytest.mark.parametrize(("begin", "end"), [(0, 1), (1, 0)])
def test_what_is_written_beside_an_array_is_found(begin, end):
    with guard.Guard().watching() as guarded:
        array = np.empty((5, 7), np.uint8)
        zeros = np.zeros(3)
        assert not zeros.any()
        assert array.flags.c_contiguous
        assert np.unique(array).tolist() == [poison.RUBBISH]
        array[...] = 1
        guarded.check("all within")
        array = np.empty((5, 7), np.uint8)
        address = array.ctypes.data
        ctypes.memset(address - begin, 0, begin + array.nbytes + end)
        with pytest.raises(wrong.Wrong, match="an index leaves it"):
            guarded.check("one byte too many")
    assert np.empty(3).base is None
