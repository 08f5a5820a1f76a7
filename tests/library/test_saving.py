"""Files are written completely or not at all, and a full disk is reported."""

import contextlib
import errno
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import folded

from polymask.common import saving

NO_SPACE = os.strerror(errno.ENOSPC)


@contextlib.contextmanager
def small_files(limit):
    """Limit files of this process to `limit` bytes: Python raises an error beyond that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_text_and_bytes_are_written_as_the_user_wants_new_files(tmp_path):
    before = os.umask(0o027)
    try:
        saving.write(tmp_path / "text", "µs\n")
    finally:
        os.umask(before)
    assert (tmp_path / "text").read_bytes() == "µs\n".encode()
    assert (tmp_path / "text").stat().st_mode & 0o777 == 0o640
    saving.write(tmp_path / "bytes", b"\0\xff")
    assert (tmp_path / "bytes").read_bytes() == b"\0\xff"


@pytest.mark.parametrize("old", [None, "old\n"])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, old):
    file = tmp_path / "page.html"
    if old:
        file.write_text(old)
    with small_files(1000), pytest.raises(saving.NotWritten) as raised:
        saving.write(file, "x" * 5000)
    assert str(raised.value) == f"cannot write {file}: {os.strerror(errno.EFBIG)}"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == (
        [("page.html", old)] if old else []
    )


def test_an_interrupt_leaves_the_old_file_and_nothing_else(tmp_path):
    file = tmp_path / "mask.npy"
    file.write_text("old\n")

    def interrupt():
        with saving.replacing(file) as unfinished:
            assert unfinished.suffix == ".npy"
            unfinished.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert file.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [file]


def test_links_and_permissions_stay(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    saving.write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_link_to_itself_is_no_file(tmp_path):
    (tmp_path / "loop.npy").symlink_to("loop.npy")
    with pytest.raises(saving.NotWritten, match=r"loop\.npy.*links"):
        saving.write(tmp_path / "loop.npy", "text")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_called_one(snapshot):
    with pytest.raises(saving.NotWritten) as raised:
        saving.write("/dev/full", "text")
    assert str(raised.value) == (snapshot)
    assert Path("/dev/full").is_char_device()  # and is not replaced by a file


def test_a_full_disk_is_reported_before_the_work(polymask, monkeypatch):
    with small_files(1000):
        code, out, err = polymask("bench", "--rungs", "cclass.polygon", "--size", 9)
    assert code == 2
    assert "cannot write polymask-results" in err
    assert "checking" not in err  # nothing was measured
    assert not out


def test_an_error_of_a_compiler_on_a_full_disk(tmp_path):
    text = f"x.c:1: fatal error: error writing to /tmp/cc.s: {NO_SPACE}"
    with pytest.raises(saving.NotWritten, match=f"cannot write {tmp_path}: no space left"):
        saving.check_build(text, tmp_path)
    saving.check_build("x.c:1: error: expected ';'", tmp_path)


@folded(
    "arguments",
    [
        ["labels", "noise.npy", "--shape", "600x600", "-o", "out.tif"],
        ["stats", "image.npy", "noise.npy", "-o", "out.csv"],
        ["outline", "speckles.npy", "-o", "out.geojson"],
    ],
)
def test_a_disk_that_becomes_full(tmp_path, polymask, arguments):
    """The check for room succeeds; then the old file stays, and the message has the reason."""
    rng = np.random.default_rng(1)
    np.save("noise.npy", rng.integers(0, 600, (400, 3, 2)))
    np.save("image.npy", np.ones((9, 9)))
    np.save("speckles.npy", rng.integers(0, 5, (90, 90)))
    out = tmp_path / arguments[-1]
    out.write_text("old\n")
    before = sorted(tmp_path.iterdir())
    with small_files(1000), pytest.MonkeyPatch.context() as patch:
        patch.setattr(saving, "check_room", lambda *_: None)
        code, _, err = polymask(*arguments)
    assert code == 2
    message = f"polymask: cannot write {arguments[-1]}: {os.strerror(errno.EFBIG)}"
    assert err.splitlines()[-1] == message
    assert out.read_text() == "old\n"
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_process_that_is_killed_leaves_the_old_file(tmp_path, name):
    file = tmp_path / "mask.npy"
    file.write_text("old\n")
    code = f"""
import os, signal
from polymask import cli
from polymask.common import saving
if signal.{name} != signal.SIGKILL:
    signal.signal(signal.{name}, signal.SIG_DFL)  # nohup may have it ignored
with saving.replacing({str(file)!r}) as unfinished:
    unfinished.write_text("half")
    os.kill(os.getpid(), signal.{name})
"""
    completed = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert completed.returncode == -getattr(signal, name)
    assert file.read_text() == "old\n"
    assert len(list(tmp_path.iterdir())) == (2 if name == "SIGKILL" else 1)


def test_handlers_of_signals_are_restored(tmp_path):
    def own_handler(*_):
        raise AssertionError

    numbers = signal.SIGTERM, signal.SIGHUP
    before = [signal.getsignal(number) for number in numbers]
    try:
        for handler in (own_handler, signal.SIG_DFL):
            for number in numbers:
                signal.signal(number, handler)
            saving.write(tmp_path / "a", "text")
            assert [signal.getsignal(number) for number in numbers] == [handler] * 2
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
