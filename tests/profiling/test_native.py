"""`polymask profile --native`: lines of compiled code, the tools that find them, and twins."""

import os
import re
import sys

import numpy as np
import pytest
from cases import folded, says

from ladder import registry
from ladder.common import staleness
from ladder.profiling import callgrind, native, tools, twin
from ladder.registry import reference, workload
from polymask import contract


def test_a_wheel_without_sources_says_so(polymask, monkeypatch, tmp_path):
    monkeypatch.setattr(twin, "ROOT", tmp_path)
    for options in ((), ("--tool", "callgrind")):
        monkeypatch.setattr(tools, "allowed", lambda tool: True)
        code, _, err = polymask("profile", "cclass.polygon", "--size", "24", *options)
        assert code == 1
        assert says(err, "wheel", "project")


def test_a_build_that_fails_says_why(monkeypatch, tmp_path):
    code = "import sys; sys.exit('much\\nerror: no compiler')"
    monkeypatch.setattr(twin.sys, "executable", _program(tmp_path, code))
    with pytest.raises(contract.Unavailable, match="error: no compiler"):
        twin.build(registry.get("cclass.polygon"), "profile")


def test_a_build_that_lasts_is_announced(monkeypatch, tmp_path):
    """The build ends once it has been announced: it waits for a pipe, not for a clock."""
    monkeypatch.setattr(twin, "LONG_S", 0.01)
    monkeypatch.setattr(twin, "ROOT", tmp_path)
    (tmp_path / "setup.py").touch()
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    monkeypatch.setattr(twin.sys, "executable", _program(tmp_path, f"open({str(gate)!r}).read()"))
    monkeypatch.setattr("builtins.print", lambda text, **_: gate.write_text(text))
    with pytest.raises(contract.Unavailable, match="made no module"):
        twin.build(registry.get("cclass.polygon"), "profile")


def _program(folder, code):
    """Return an executable that runs this Python code, whatever its arguments are."""
    file = folder / "program"
    file.write_text(f"#!{sys.executable}\n{code}\n")
    file.chmod(0o700)
    return str(file)


CALLGRIND = """\
# callgrind format
events: Ir
fl=(1) /src/a.c
fn=(1) main
ob=(1) /lib/a.so
16 20
+2 5
fi=(2) /src/a.h
7 100
fe=(1)
* 3
cfn=(2) helper
cob=(2) /lib/b.so
calls=4 50
19 1000
fl=(3) /src/b.c
ob=(2)
fn=(2)
50 1000
-1 1

totals: 1129
"""


def test_callgrind_counts_functions_and_lines_and_no_call_twice():
    functions, lines = callgrind.read(CALLGRIND)
    assert functions == {("main", "/lib/a.so"): 128, ("helper", "/lib/b.so"): 1001}
    assert lines == {
        ("/src/a.c", 16): 20,
        ("/src/a.c", 18): 5,
        ("/src/a.h", 7): 100 + 0,
        ("/src/a.c", 7): 3,
        ("/src/b.c", 50): 1000,
        ("/src/b.c", 49): 1,
    }


@folded(
    ("name", "readable"),
    [
        (
            "__pyx_f_6ladder_6cclass_7polygon_7Polygon_fill",
            "ladder.cclass.polygon.Polygon.fill",
        ),
        (
            "__pyx_pw_6ladder_6cclass_7polygon_1make_mask",
            "ladder.cclass.polygon.make_mask",
        ),
        ("static __pyx_pf_6ladder_8scanline_6engine_make_mask(int)", ...),
        ("polymask::detail::avx2::toggle(EdgeTable const&)", "polymask::detail::avx2::toggle"),
        ("_PyEval_EvalFrameDefault'2", "_PyEval_EvalFrameDefault"),
        ("inside_polygon_row.avx2", "inside_polygon_row.avx2"),
    ],
)
def test_names_of_compiled_functions_are_those_of_the_source(name, readable):
    expected = "ladder.scanline.engine.make_mask" if readable is ... else readable
    assert native.readable(name) == expected


def test_lines_show_their_text():
    rung = registry.get("cclass.polygon")
    for file in ("csrc/inside_polygon.h", rung.file):
        text = (twin.ROOT / file).read_text().splitlines()
        number = 1 + next(n for n, line in enumerate(text) if "inside_polygon(" in line)
        name = file.rpartition("/")[2]
        assert native.source_line(rung, f"{name}:{number}") == text[number - 1].strip()
    for unknown in ("inside_polygon.h:0", "inside_polygon.h:9999", "nowhere.h:3", "???:0"):
        assert native.source_line(rung, unknown) == ""


def test_only_lines_of_the_project_are_shown(monkeypatch, root):
    text = (root / "csrc/inside_polygon.h").read_text(encoding="utf-8")
    line = f"inside_polygon.h:{1 + text[: text.index('inside = !inside;')].count(chr(10))}"

    def fake_output(command, tool):
        return {
            "overhead,symbol,dso": " 90.00%\t[.] f\ta.so\n 10.00%\t[.] g\tlibc.so\n",
            "overhead,srcline": f" 40.00%\tcython_utility:920\n 30.00%\t{line}\n"
            " 10.00%\tavx2intrin.h:123\n 5.00%\t??:0\n 5.00%\tinside_polygon.h:?\n",
        }.get(command[command.index("-F") + 1], "")

    rung = registry.get("cclass.polygon")
    monkeypatch.setattr(tools, "must_start", fake_output)
    monkeypatch.setattr(twin, "build", lambda *_: twin.ROOT / "module.so")
    profile = native.profile(rung, workload.polygon(), (8, 8), {}, "perf")
    assert [function.name for function in profile.functions] == ["f", "g"]
    assert profile.lines == [native.Share(0.3, line, "")]


def test_without_tools_it_says_what_to_install(polymask, monkeypatch):
    monkeypatch.setattr(tools, "allowed", lambda tool: False)
    code, _, err = polymask("profile", "cclass.polygon", "--native")
    assert code == 1
    assert says(err, "neither", "valgrind")
    assert "apt install" in err
    code, _, err = polymask("profile", "cclass.polygon", "--tool", "perf")
    assert code == 1
    assert says(err, "perf", "installed")


def test_perf_comes_before_callgrind(monkeypatch):
    monkeypatch.setattr(tools, "allowed", lambda tool: True)
    assert tools.choose() == "perf"
    monkeypatch.setattr(tools, "allowed", lambda tool: tool == "callgrind")
    assert tools.choose() == "callgrind"


@pytest.mark.slow
def test_the_twin_lives_elsewhere_and_the_measured_module_stays_what_it_is():
    rung, triangle = registry.get("cython.typed"), [(0, 0), (6, 1), (2, 5)]
    before = rung.module()
    file = twin.build(rung, "profile")
    make_mask = twin.load(rung, file)
    assert file.is_relative_to(twin.ROOT / "build" / "profile")
    assert rung.module() is before is sys.modules["ladder.cython.typed"]
    assert not before.__file__.startswith(str(twin.ROOT / "build"))
    assert make_mask is not before.make_mask
    assert np.array_equal(make_mask(triangle, (8, 9)), reference.mask(triangle, (8, 9)))
    times = {path: path.stat().st_mtime for path in (file, staleness.RECORD)}
    assert twin.build(rung, "profile") == file
    assert times == {path: path.stat().st_mtime for path in times}  # nothing is built again


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["callgrind", "perf"])
def test_native_finds_the_rule(polymask, tool):
    if not tools.allowed(tool):
        pytest.skip(f"{tool} is not installed or not allowed here")
    code, out, err = polymask("profile", "openmp.prange", "--tool", tool)
    assert code == 0, err
    assert re.search(r"ladder\.openmp\.prange\.\w", out)
    assert re.search(r"^ *\d+ % +inside_polygon\.h:\d+ +if \(y > ", out, re.M)
    if tool == "callgrind":
        assert "128 x 128 pixels" in out  # small by default
        assert "The rung had one thread" in out


@pytest.mark.weekly
def test_callgrind_follows_the_engine_which_must_not_choose_avx512():
    if not tools.allowed("callgrind"):
        pytest.skip("valgrind is not installed")
    rung, vertices = registry.get("scanline.engine"), workload.polygon(shape=(64, 64))
    profile = native.profile(rung, vertices, (64, 64), {}, "callgrind")
    assert sum(function.share for function in profile.functions) == pytest.approx(1)
    assert any("toggle" in function.name for function in profile.functions)
    assert not any("avx512::" in function.name for function in profile.functions)
