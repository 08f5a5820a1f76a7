"""Reading whole files: an unreadable one is named, and an endless one is rejected."""

import errno
import io
import os
from pathlib import Path

import pytest
from cases import folded
from readers import read_image

from ladder.report import marks, results
from polymask.files import polygon_files


def rewrite(page):
    """Rewrite a page, which is read first."""
    marks.rewrite(page, lambda name: (name, ""))


READERS = read_image, polygon_files.read_polygon, polygon_files.read_table
READERS += results.load, rewrite


@folded("read", READERS)
@folded("error", [MemoryError(), OSError(errno.EIO, os.strerror(errno.EIO))])
def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch, read, error):
    """The system names files that cannot be opened, but not those that cannot be read."""

    class Failing(io.BytesIO):
        def read(self, size=-1):
            raise error

    monkeypatch.setattr(Path, "open", lambda file, mode: Failing())
    with pytest.raises(type(error)) as raised:
        read(tmp_path / "device")
    message = str(raised.value)
    assert str(tmp_path / "device") in message
    assert not message.endswith(": ")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
@folded("read", READERS)
def test_a_device_without_an_end_is_not_read_for_ever(read):
    with pytest.raises(ValueError, match=r"/dev/zero.*no end"):
        read("/dev/zero")
    with pytest.raises(ValueError, match="/dev/null"):  # which is empty
        read("/dev/null")
