"""Reading images: a broken file is rejected with one line that names it."""

import io
import struct
import zipfile

import numpy as np
import pytest
from cases import folded, says
from PIL import Image
from readers import array_bytes, read_image

from polymask.files import polygon_files

IMAGE = (np.arange(12 * 14) % 5).reshape(12, 14).astype(np.uint8)
NPY = b"\x93NUMPY\x01\x00"


def content(kind):
    """Return the bytes of IMAGE as a file of a kind."""
    return array_bytes(IMAGE, kind)


def is_rejected(file):
    """Whether a file is rejected, with one line that names it."""
    try:
        read_image(file)
    except ValueError as error:
        message = str(error)
    else:
        return False
    assert message.startswith(f"{file}: ")
    assert "\n" not in message
    return True


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': (((((\n",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)",
        b"{'descr': 'x' * 9, 'fortran_order': False, 'shape': (2, 2)}",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (3, %d)}" % 2**63,
        b"\0" * 16,
    ],
)
def test_a_broken_header(tmp_path, header):
    file = tmp_path / "a.npy"
    file.write_bytes(NPY + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ValueError, match=r"a\.npy.*\.npy.*numbers"):
        read_image(file)


@pytest.mark.parametrize("read", [read_image, polygon_files.read_polygon])
@pytest.mark.parametrize("numeric", [True, False])
def test_truncated_arrays_and_arrays_of_texts(tmp_path, read, numeric):
    file = tmp_path / "a.npy"
    np.save(file, np.arange(12.0).reshape(6, 2) if numeric else np.array(["a", "b"]))
    whole = file.read_bytes()
    for length in (128, len(whole) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"a\.npy: not an \.npy file of numbers, or"):
            read(file)


@pytest.mark.parametrize("read", [read_image, polygon_files.read_polygon, polygon_files.read_table])
def test_arrays_beyond_memory(tmp_path, read):
    file = tmp_path / "a.npy"
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 2)}" % 2**56
    file.write_bytes(NPY + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ValueError, match=r"a\.npy.*allocate"):
        read(file)


def zip_of_several_disks(whole):
    end = whole.rindex(b"PK\x05\x06")
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 1, 0, 2)  # disk 1 of 2
    return whole[:end] + locator + whole[end:]


def zip_with_a_negative_start(whole):
    end = whole.rindex(b"PK\x05\x06") + 16
    return whole[:end] + (len(whole) + 100).to_bytes(4, "little") + whole[end + 4 :]


def archive(**arrays):
    """Return the bytes of an archive of arrays."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def archive_of_text():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zip_file:
        zip_file.writestr("labels.npy", "words")
    return file.getvalue()


def change_headers(whole, field, value):
    """Return an archive with a field changed in both headers of each entry."""
    whole = bytearray(whole)
    for signature, shift in (b"PK\x03\x04", 0), (b"PK\x01\x02", 2):
        position = -1
        while (position := whole.find(signature, position + 1)) >= 0:
            whole[position + field + shift] = value
    return whole


@folded("method", [0, 1, 8, 9, 12, 14, 93, 99])
def test_an_archive_with_a_wrong_method_of_compression(tmp_path, method):
    file = tmp_path / "a.npz"
    file.write_bytes(change_headers(content("npz"), 8, method))
    if method == 8:  # the right one
        np.testing.assert_array_equal(read_image(file)[0], IMAGE)
    else:
        with pytest.raises(ValueError, match=r"a\.npz: (a broken|an) \.npz file"):
            read_image(file)


@folded(
    ("make", "message"),
    [
        (lambda: zip_of_several_disks(content("npz")), r"\.npz.*file"),
        (lambda: zip_with_a_negative_start(content("npz")), r"\.npz.*file"),
        (lambda: change_headers(content("npz"), 6, 1), r"\.npz.*required"),  # a password
        (lambda: content("npz")[:-30], r"not an \.npz file"),
        (archive, r"has no array `labels`, only \[\]"),
        (archive_of_text, ""),
        (lambda: archive(labels=IMAGE, names=np.array(["a", None], object)), r"\.npz.*labels"),
        *(
            (lambda names=names: archive(labels=IMAGE, names=names), "`names`.*str")
            for names in ([["a", "b"]], "a", [1, 2])
        ),
    ],
)
def test_bad_archives(tmp_path, make, message):
    file = tmp_path / "a.npz"
    file.write_bytes(make())
    with pytest.raises(ValueError, match=rf"a\.npz: .*{message}"):
        read_image(file)


def test_an_archive_with_a_comment(tmp_path):
    file = tmp_path / "a.npz"
    file.write_bytes(content("npz"))
    with zipfile.ZipFile(file, "a") as zip_file:
        zip_file.comment = b"of the coast"
    np.testing.assert_array_equal(read_image(file)[0], IMAGE)
    file.write_bytes(archive(labels=IMAGE))
    assert read_image(file).names is None


def test_an_array_from_python_2_is_read_without_a_warning(tmp_path):
    """Warnings are errors in tests."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L), }\n"
    begin = NPY + len(header).to_bytes(2, "little") + header
    (tmp_path / "a.npy").write_bytes(begin + np.arange(6.0).tobytes())
    np.testing.assert_array_equal(read_image(tmp_path / "a.npy")[0], np.arange(6.0).reshape(3, 2))
    (tmp_path / "a.npy").write_bytes(begin)
    with pytest.raises(ValueError, match="only a part"):
        read_image(tmp_path / "a.npy")


def test_an_image_that_is_damaged_is_refused_in_our_words(tmp_path, polymask):
    pytest.importorskip("rasterio")
    (tmp_path / "a.csv").write_text("1 1\n9 1\n5 9\n")
    code, out, err = polymask("stats", broken_tiff(tmp_path).name, "a.csv")
    assert (code, out) == (2, "")
    assert says(err, "a.tif", "damaged")


def broken_tiff(folder):
    """Write a TIFF with a good header and broken compressed pixels."""
    file = folder / "a.tif"
    image = Image.fromarray((np.arange(60_000) % 251).reshape(200, 300).astype(np.uint8))
    image.save(file, "TIFF", compression="tiff_lzw")
    whole = bytearray(file.read_bytes())
    whole[500:540] = bytes(40)
    file.write_bytes(whole)
    return file
