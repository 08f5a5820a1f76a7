"""Lazy images written to Zarr by blocks, and continued after an end at any moment."""

import json
import os
import threading

import numpy as np
import pytest

import polymask

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
zarr = pytest.importorskip("zarr")
lazy = pytest.importorskip("polymask.dask")
from polymask.dask.block_journal import NAME, open_journal  # noqa: E402
from polymask.dask.blocks import ManyPolygons  # noqa: E402

SHAPE = 300, 260
ANGLES = np.arange(8) * np.pi / 4
OCTAGON = 9 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
CELLS = np.random.default_rng(0).uniform(0, 260, (20, 1, 2)) + OCTAGON


def labels(cells=CELLS, chunks=50, **options):
    return lazy.label_mask(cells, SHAPE, chunks=chunks, dtype="int32", **options)


def finished(folder):
    """Return the blocks that the journal lists, in order."""
    lines = (folder / NAME).read_text().splitlines()[1:]
    return [tuple(map(int, line.split()[:2])) for line in lines]


def chunks(folder, blocks):
    """Return the identity and time of the files of blocks, except blocks without a file."""
    files = [folder / str(row) / str(col) for row, col in blocks]
    return {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in files if file.exists()}


class Killed(Exception):
    pass


def stop_after(blocks):
    """Return a callback that ends the writing after a number of blocks."""

    def progress(done, total):
        if done >= blocks:
            raise Killed

    return progress


def test_array_equals_the_image(tmp_path):
    array = lazy.write_zarr(labels(), tmp_path / "a.zarr", attributes={"names": ["cell"]})
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))
    assert (array.dtype, array.chunks) == (np.int32, (50, 50))
    again = zarr.open_array(str(tmp_path / "a.zarr"), mode="r")
    assert again.attrs["names"] == ["cell"]
    np.testing.assert_array_equal(again[:], array[:])


def test_fractions_and_bools(tmp_path):
    big = OCTAGON * 12 + 140
    for number, image in enumerate(
        (lazy.coverage(big, SHAPE, chunks=60), lazy.polygon_mask(big, SHAPE, chunks=60))
    ):
        array = lazy.write_zarr(image, tmp_path / str(number))
        np.testing.assert_array_equal(array[:], image.compute())


def test_blocks_of_zeros_have_no_file_but_are_finished(tmp_path):
    lazy.write_zarr(labels(), tmp_path)
    expected = polymask.label_mask(CELLS, SHAPE)
    blocks = finished(tmp_path)
    assert sorted(blocks) == list(np.ndindex(6, 6))
    for row, col in blocks:
        has_pixels = expected[50 * row : 50 * row + 50, 50 * col : 50 * col + 50].any()
        assert (tmp_path / str(row) / str(col)).exists() == has_pixels


def test_writing_continues(tmp_path):
    with pytest.raises(Killed):
        lazy.write_zarr(labels(), tmp_path, progress=stop_after(8))
    blocks = finished(tmp_path)
    before = chunks(tmp_path, blocks)
    assert 8 <= len(blocks) < 36
    assert before
    (tmp_path / "0").mkdir(exist_ok=True)
    (tmp_path / "0" / "1.0123.partial").write_bytes(b"part of a chunk")
    reports = []
    array = lazy.write_zarr(labels(), tmp_path, progress=lambda *report: reports.append(report))
    assert reports == [(count, 36) for count in range(len(blocks), 37)]
    assert chunks(tmp_path, blocks) == before
    assert not list(tmp_path.rglob("*.partial"))
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))


def test_a_finished_image_is_not_computed_again(tmp_path, monkeypatch):
    lazy.write_zarr(labels(), tmp_path)
    monkeypatch.setattr(ManyPolygons, "draw", lambda *_: pytest.fail("a block is drawn"))
    reports = []
    array = lazy.write_zarr(labels(), tmp_path, progress=lambda *report: reports.append(report))
    assert reports == [(36, 36)]
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))


def test_a_cut_line_and_a_lost_chunk_are_written_again(tmp_path):
    lazy.write_zarr(labels(), tmp_path)
    journal = tmp_path / NAME
    journal.write_bytes(journal.read_bytes()[:-2])
    next(iter(chunks(tmp_path, finished(tmp_path)[:-1]))).unlink()
    array = lazy.write_zarr(labels(), tmp_path)
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))
    assert sorted(set(finished(tmp_path))) == list(np.ndindex(6, 6))


@pytest.mark.parametrize(
    ("other", "attributes"),
    [
        (lambda: labels(CELLS[1:]), {}),
        (lambda: labels(chunks=60), {}),
        (lambda: labels(all_touched=True), {}),
        (lambda: labels().astype("int64"), {}),
        (labels, {"names": ["b"]}),
    ],
)
def test_another_image_is_refused_unless_it_overwrites(tmp_path, other, attributes):
    with pytest.raises(Killed):
        lazy.write_zarr(labels(), tmp_path, progress=stop_after(8))
    before = chunks(tmp_path, finished(tmp_path)), (tmp_path / NAME).read_bytes()
    with pytest.raises(FileExistsError, match="another image"):
        lazy.write_zarr(other(), tmp_path, attributes=attributes)
    assert before == (chunks(tmp_path, finished(tmp_path)), (tmp_path / NAME).read_bytes())
    array = lazy.write_zarr(other(), tmp_path, attributes=attributes, overwrite=True)
    np.testing.assert_array_equal(array[:], other().compute())
    assert array.attrs.asdict() == attributes


def test_overwriting_the_same_image_continues_it(tmp_path):
    with pytest.raises(Killed):
        lazy.write_zarr(labels(), tmp_path, progress=stop_after(8), overwrite=True)
    before = chunks(tmp_path, finished(tmp_path))
    lazy.write_zarr(labels(), tmp_path, overwrite=True)
    assert before.items() <= chunks(tmp_path, finished(tmp_path)).items()


def test_blocks_of_a_stopped_call_do_not_reach_the_next_image(tmp_path):
    """A block that is computed when another one fails is written before the call ends."""
    begun, go_on = threading.Event(), threading.Event()

    def compute(values, block_id):
        if block_id == (0, 0):
            begun.set()
            assert go_on.wait(30)
            return values
        assert begun.wait(30)
        threading.Timer(0.2, go_on.set).start()  # after the error has left the scheduler
        raise Killed

    image = da.ones((50, 100), chunks=50, dtype="int32")
    image = image.map_blocks(compute, dtype="int32", meta=np.empty((0, 0), "int32"))
    with dask.config.set(num_workers=2), pytest.raises(Killed):
        lazy.write_zarr(image, tmp_path)
    assert go_on.is_set()
    assert finished(tmp_path) == [(0, 0)]


def test_a_part_of_a_line_ends_the_journal(tmp_path):
    class Full:
        def __init__(self, file):
            self.file = file

        def write(self, line):
            return self.file.write(line[:1])

        def close(self):
            self.file.close()

    with open_journal(tmp_path, "polymask", False) as journal:
        journal._file = Full(journal._file)
        with pytest.raises(OSError, match="space"):
            journal.append((10, 3), 7)
        assert journal._file.file.closed
    with open_journal(tmp_path, "polymask", False) as journal:
        assert journal.nonzeros == {}


def test_text_that_looks_like_a_url_is_a_folder(tmp_path):
    array = lazy.write_zarr(labels(), tmp_path / "a::b.zarr")
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))


def test_another_version_is_refused(tmp_path, monkeypatch):
    lazy.write_zarr(labels(), tmp_path)
    monkeypatch.setattr(polymask, "__version__", "999", raising=False)
    with pytest.raises(FileExistsError, match="version"):
        lazy.write_zarr(labels(), tmp_path)


def test_other_content_is_never_removed(tmp_path):
    (tmp_path / "photo.jpg").touch()
    for overwrite in (False, True):
        with pytest.raises(FileExistsError, match="not a Zarr array"):
            lazy.write_zarr(labels(), tmp_path, overwrite=overwrite)
    assert os.listdir(tmp_path) == ["photo.jpg"]


@pytest.mark.parametrize("form", [2, 3])
def test_a_group_is_never_removed(tmp_path, form):
    file = tmp_path / (".zgroup" if form == 2 else "zarr.json")
    file.write_text(json.dumps({"zarr_format": form, "node_type": "group"}))
    with pytest.raises(FileExistsError, match="not a Zarr array"):
        lazy.write_zarr(labels(), tmp_path, overwrite=True)
    assert file.exists()


def test_other_files_beside_an_array_are_never_removed(tmp_path):
    lazy.write_zarr(labels(), tmp_path)
    (tmp_path / "cells.geojson").touch()
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(FileExistsError, match=r"cells\.geojson"):
        lazy.write_zarr(labels(CELLS[1:]), tmp_path, overwrite=True)
    assert (tmp_path / NAME).read_bytes() == before


def test_an_array_without_a_journal_is_kept_unless_overwritten(tmp_path):
    zarr.open_array(str(tmp_path), mode="w", shape=(3, 3), chunks=(3, 3), dtype="u1")[:] = 1
    with pytest.raises(FileExistsError, match="not written by blocks"):
        lazy.write_zarr(labels(), tmp_path)
    array = lazy.write_zarr(labels(), tmp_path, overwrite=True)
    np.testing.assert_array_equal(array[:], polymask.label_mask(CELLS, SHAPE))
    assert not list(tmp_path.glob("zarr.json"))


def test_a_second_writer_is_refused(tmp_path):
    pytest.importorskip("fcntl")
    refused = pytest.raises(FileExistsError, match="another process")
    with open_journal(tmp_path, "polymask", False), refused:
        lazy.write_zarr(labels(), tmp_path)


def test_a_damaged_journal_is_refused(tmp_path):
    lazy.write_zarr(labels(), tmp_path)
    with open(tmp_path / NAME, "ab") as journal:
        journal.write(b"\0\0\0\n")
    with pytest.raises(FileExistsError, match="damaged"):
        lazy.write_zarr(labels(), tmp_path)


def test_the_data_of_a_data_array(tmp_path):
    xarray = pytest.importorskip("xarray")
    image = xarray.DataArray(labels(), dims=("y", "x"), name="cells")
    array = lazy.write_zarr(image, tmp_path)
    np.testing.assert_array_equal(array[:], image.values)
    lazy.write_zarr(labels(), tmp_path)  # the same image


def test_masked_pixels_are_refused(tmp_path):
    image = da.from_array(np.ma.masked_equal(np.arange(20).reshape(4, 5), 7), chunks=2)
    with pytest.raises(ValueError, match="masked"):
        lazy.write_zarr(image, tmp_path / "a")
    array = lazy.write_zarr(da.ma.filled(image, 9), tmp_path / "b")
    assert array[1].tolist() == [5, 6, 9, 8, 9]


def test_invalid_images(tmp_path):
    with pytest.raises(ValueError, match="shape"):
        lazy.write_zarr(labels(chunks=((100, 200), (260,))), tmp_path / "a")
    with pytest.raises(ValueError, match="no pixels"):
        lazy.write_zarr(lazy.label_mask(CELLS, (0, 5)), tmp_path / "a")
    assert not (tmp_path / "a").exists()
