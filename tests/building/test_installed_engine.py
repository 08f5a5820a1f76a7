"""The installed engine, as C++ programs use it: its headers have its version."""

import importlib.util
import re
import shutil
import sys

import pytest
from checkouts import ROOT
from commands import ran

ENGINE = ROOT / "csrc/engine"
VERSION = (ENGINE / "VERSION").read_text(encoding="utf-8").strip()


def test_the_header_has_the_version():
    text = (ENGINE / "include/polymask/config.h").read_text(encoding="utf-8")
    macros = dict(re.findall(r"^#define POLYMASK_(VERSION\w*) (\S+)$", text, re.M))
    major, minor, patch = VERSION.split(".")
    numbers = {"VERSION_MAJOR": major, "VERSION_MINOR": minor, "VERSION_PATCH": patch}
    assert macros == {"VERSION": f'"{VERSION}"', **numbers}


def test_cmake_refuses_a_header_of_another_version(tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("needs cmake")
    copy = tmp_path / "engine"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("build", "corpus"))
    (copy / "VERSION").write_text("7.8.9\n", encoding="utf-8")
    completed = ran(["cmake", "-S", copy, "-B", tmp_path / "build"])
    assert completed.returncode != 0
    assert "VERSION is 7.8.9: config.h needs" in completed.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="symbols as on Linux")
@pytest.mark.parametrize(
    "name", ["polymask.masks._engine", "polymask.masks._many", "ladder.scanline.threads"]
)
def test_modules_keep_the_engine_to_themselves(name):
    if not shutil.which("nm"):
        pytest.skip("needs nm")
    file = importlib.util.find_spec(name).origin
    completed = ran(["nm", "-D", "--defined-only", "-C", file], check=True)
    names = [line.split(maxsplit=2)[2] for line in completed.stdout.splitlines()]
    assert f"PyInit_{name.rpartition('.')[2]}" in names
    assert [name for name in names if "polymask::" in name or "polymask_" in name] == []
