"""The registry: the only list of the rungs, and the result of `load` if a rung cannot run."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from every_rung import each_rung, load

from ladder import devices, registry
from ladder.common import preflight
from ladder.registry import course
from ladder.registry.rung import Rung
from polymask import contract
from polymask.common import option_values as values

# What a rung changes, from the one before.
CHANGES = {
    "language", "library", "data", "kernel", "threads", "device", "copies", "vectors", "algorithm",
    "layout", "tuning",
}  # fmt: skip
KEYS = [rung.key for rung in registry.RUNGS]


def test_keys_are_unique():
    assert len(set(KEYS)) == len(KEYS)


def test_rungs_are_in_the_order_of_their_folders():
    numbers = [int(rung.folder.split("_")[0]) for rung in registry.RUNGS]
    assert numbers == sorted(numbers)


@each_rung
def test_the_key_names_the_file(rung):
    if rung.key != "cython.compiled":  # which Cython compiles from python.tuples
        assert Path(rung.file).stem == rung.key.partition(".")[2]


@each_rung
def test_folder_is_a_number_and_the_first_part_of_the_key(rung):
    assert re.fullmatch(r"\d+_" + rung.key.split(".")[0], rung.folder)


@each_rung
def test_before_comes_earlier(rung):
    if rung.before:
        assert rung.before in KEYS[: KEYS.index(rung.key)]
        assert rung.changes in CHANGES


@each_rung
def test_its_page_names_the_same_change(root, rung):
    """A factor in the table is attributed to this word."""
    page = (root / rung.page).read_text(encoding="utf-8")
    assert page.startswith(f"# {rung.key}: ")
    words = re.findall(r"\*\*What changed: the (\w+)", page)
    assert words == ([rung.changes] if rung.changes else [])


@each_rung
def test_file_exists_and_source_is_its_text(rung, root):
    text = (root / rung.file).read_text()
    assert rung.source() == text
    assert "make_mask" in text


@each_rung
def test_title_and_idea_fit_a_line_of_a_table(rung):
    assert 0 < len(rung.title) <= 40
    assert len(rung.idea) <= 80
    assert "\n" not in rung.title + rung.idea


@each_rung
def test_only_threads_devices_and_packages_are_reasons_not_to_run(rung):
    """A missing or stale module is Unavailable too, and its tests would be skipped."""
    _, error = load(rung)
    if error:
        assert rung.extra or rung.device or "threads" in rung.options, error
        assert "make build" not in str(error)


@pytest.mark.parametrize(
    ("key", "near"),
    [("python.tuple", "python.tuples"), ("openmp.range", "openmp.prange"), ("cpp", "cclass.cpp")],
)
def test_get_names_the_nearest(key, near):
    with pytest.raises(KeyError) as raised:
        registry.get(key)
    message = raised.value.args[0]
    assert repr(key) in message
    assert repr(near) in message or near in message


def test_whole_number():
    assert values.whole_number("16") == 16
    assert values.whole_number("-1") == -1
    assert values.whole_number("9" * 640) == 10**640 - 1
    for text in "", "-", "1e9", "1_0", "1.0", "--1", " 1", "x" * 5000:
        with pytest.raises(ValueError, match="whole number") as raised:
            values.whole_number(text)
        assert len(str(raised.value)) < 150
    for text in "1" * 5000, "-" + "1" * 641:
        with pytest.raises(ValueError, match=r"of (5000|641) digits is too large"):
            values.whole_number(text)
    with pytest.raises(ValueError, match=r"5000.*large"):
        course.kind_and_rows("dynamic," + "1" * 5000)


def test_rows_by_cols():
    assert values.rows_by_cols("8x16") == (8, 16)
    assert values.rows_by_cols("8X16") == (8, 16)
    for text in "8", "8x", "x8", "8x-1", "8x1.5", "8 by 2", "", "1x2x3":
        with pytest.raises(ValueError, match="ROWSxCOLS"):
            values.rows_by_cols(text)


def test_kind_and_rows():
    assert course.kind_and_rows("dynamic,16") == ("dynamic", 16)
    assert course.kind_and_rows("static") == ("static", 0)
    for text in "dynamic,", "dynamic,-1", "dynamic,x", "dynamic,1,2", "dynamic, 1":
        with pytest.raises(ValueError, match="KIND,ROWS"):
            course.kind_and_rows(text)


def entry(key, extra=None):
    return Rung(key, "9_none/none.py", "none", extra=extra)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module ladder.scratch, and return its entry."""
    import ladder

    monkeypatch.setattr(ladder, "__path__", [*ladder.__path__, str(tmp_path)])

    def write(text, extra=None):
        (tmp_path / "scratch.py").write_text(text)
        return entry("scratch", extra)

    yield write
    sys.modules.pop("ladder.scratch", None)
    vars(ladder).pop("scratch", None)


def test_a_missing_package_names_the_extra(module):
    rung = module("import no_such_package.inside", extra="opencl")
    with pytest.raises(registry.Unavailable) as raised:
        rung.load()
    assert raised.value.reason == "the package no_such_package is not installed"
    assert raised.value.what_to_do == "pip install 'polymask[opencl]'"


def test_a_module_that_was_not_built_says_why(monkeypatch):
    for lacking, reason in ("", "not built: run `make build`"), ("no compiler", "no compiler"):
        monkeypatch.setattr(preflight, "lacking", lambda lacking=lacking: lacking)
        with pytest.raises(registry.Unavailable, match=f"^{reason}"):
            entry("cython.nothing").load()


def test_a_missing_package_of_a_device_is_reported_before_the_missing_build(monkeypatch):
    """Without the package the rung is not built: `make build` would not help."""

    def check():
        raise contract.Unavailable("the package is not installed", "pip install it")

    monkeypatch.setattr(devices, "kind", lambda name: SimpleNamespace(check=check))
    rung = Rung("cython.nothing", "9_none/none.pyx", "none", compiled="Cython", device="fake")
    with pytest.raises(registry.Unavailable, match=r"package.*installed"):
        rung.load()


def test_heavy_packages_are_not_imported_without_a_device(module, monkeypatch):
    """Without a GPU, a GPU's libraries may fail in any way."""

    def check():
        raise contract.Unavailable("no GPU is here", "use another machine")

    monkeypatch.setattr(devices, "kind", lambda name: SimpleNamespace(check=check))
    broken = module("raise AttributeError('os has no uname')")
    with pytest.raises(registry.Unavailable, match="no GPU is here"):
        replace(broken, device="fake", packages=("numpy",)).load()
    monkeypatch.setattr(devices, "kind", lambda name: SimpleNamespace(check=lambda: None))
    with pytest.raises(registry.Unavailable, match=r"no_such_package.*installed"):
        replace(broken, device="fake", packages=("numpy", "no_such_package")).load()


def test_an_error_in_the_module_is_not_unavailable(module):
    with pytest.raises(ZeroDivisionError):
        module("1 / 0").load()


def test_threads_is_one_unless_the_module_says_more(module):
    assert registry.get("python.tuples").threads() == 1
    rung = module("make_mask = lambda *, threads=4: None; threads_used = lambda threads: threads")
    assert (rung.threads(), rung.threads(threads=3)) == (4, 3)


def test_rungs_with_threads_from_openmp_are_marked():
    """Otherwise OpenMP itself would only warn about an invalid environment variable."""
    keys = {rung.key for rung in registry.RUNGS if rung.openmp}
    line = "from ladder.devices.openmp import "
    assert keys == {rung.key for rung in registry.RUNGS if line in rung.source()}


def test_a_mask_without_pixels_runs_nothing(monkeypatch):
    """`bench --set` validates options this way, without the first call, which is timed later."""
    rung = registry.get("python.tuples")

    def never(vertices, shape, border_value=True):
        raise AssertionError("called")

    monkeypatch.setattr(rung.module(), "make_mask", never)
    make_mask = rung.load()
    assert make_mask([(0, 0), (1, 0), (0, 1)], (0, 5)).shape == (0, 5)
    with pytest.raises(TypeError):
        make_mask([(0, 0), (1, 0), (0, 1)], (0, 5), no_such_option=3)
    with pytest.raises(AssertionError):
        make_mask([(0, 0), (1, 0), (0, 1)], (1, 5))
