"""`polymask profile`: calls, lines of compiled code, and a device's commands."""

import cProfile
import pstats
import re
import subprocess
import sys
import types

import numpy as np
import pytest

from polymask import _fresh, contract, devices
from polymask.cli import profiles as command
from polymask.devices import opencl
from polymask.ladder import reference, registry, workload
from polymask.profiling import callgrind, calls, native, timeline, tools, twin

SMALL = ("--size", "24")
TRIANGLE = [(0, 0), (6, 1), (2, 5)]


def own(stats, rung, name):
    """Calls of a function in the rung's file."""
    return [
        numbers[1]
        for (file, _, function), numbers in stats.stats.items()
        if file.endswith(rung.file) and function == name
    ]


def test_python_tuples_shows_its_calls_and_what_to_notice(polymask, tmp_path):
    code, out, _ = polymask("profile", "python.tuples", *SMALL)
    assert code == 0
    assert re.search(r"^ +576 .* inside_polygon +0_python/tuples.py:\d+", out, re.M)
    assert re.search(r"^- \w+ takes \d+ % of the time itself, called [\d,]+ times\.", out, re.M)
    stats = pstats.Stats(str(tmp_path / "python.tuples.prof"))
    assert own(stats, registry.get("python.tuples"), "inside_polygon") == [576]


def test_the_profile_goes_where_it_is_wanted(polymask, tmp_path):
    code, out, _ = polymask("profile", "python.tuples", *SMALL, "--out", "here.prof")
    assert code == 0
    assert "wrote here.prof" in out
    assert (tmp_path / "here.prof").exists()


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_the_terminal(polymask, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = polymask("profile", "python.vectorized", *SMALL)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]| +$", "", out, flags=re.M)
    assert re.search(r"vectorized\.py:\d+$", plain, re.M)
    assert max(map(len, plain.splitlines())) <= columns


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nosuch",), 2, "no rung is called 'nosuch'"),
        (("python.tuples", "--set", "threads=2"), 2, "no option 'threads'"),
        (("python.tuples", "--out", "nowhere/x.prof"), 2, "there is no folder nowhere"),
        (("cclass.polygon", "--native", "--out", "x.prof"), 2, "no --out, no --view"),
        (("python.tuples", "--native"), 1, "is no compiled module"),
    ],
)
def test_bad_input_is_named_in_a_line(polymask, arguments, code, said):
    found, out, err = polymask("profile", *arguments)
    assert found == code
    assert out == ""
    assert said in err
    assert "Traceback" not in err


def test_without_snakeviz_nothing_is_profiled_in_vain(polymask, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    code, out, err = polymask("profile", "python.tuples", *SMALL, "--view")
    assert (code, out) == (1, "")
    assert "pip install 'polymask[profile]'" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("browser", [True, False])
def test_view_opens_snakeviz(polymask, monkeypatch, browser):
    def get():
        if not browser:
            raise command.webbrowser.Error

    started = []
    monkeypatch.setattr(command, "find_spec", lambda name: True)
    monkeypatch.setattr(command.webbrowser, "get", get)
    monkeypatch.setattr(command.subprocess, "run", lambda words, **_: started.append(words))
    code, _, _ = polymask("profile", "python.tuples", *SMALL, "--view")
    assert code == 0
    assert started[0][1:4] == ["-m", "snakeviz", "python.tuples.prof"]
    assert ("--server" in started[0]) is not browser


def test_long_profiles_are_announced(polymask, monkeypatch):
    monkeypatch.setattr(command, "about", lambda *_: 10.0)
    _, _, err = polymask("profile", "python.tuples", *SMALL)
    assert "about 25 s" in err


def test_a_long_call_is_estimated_by_a_band():
    tuples = registry.get("python.tuples")
    wide = types.SimpleNamespace(vertices=workload.polygon(), shape=(100_000, 64))
    assert command.about(tuples, wide, {}) > 1  # and it took no such time
    empty = types.SimpleNamespace(vertices=workload.polygon(), shape=(0, 0))
    assert 0 < command.about(tuples, empty, {}) < 1


def test_where_the_profiler_sees_nothing_it_says_so(polymask, monkeypatch, tmp_path):
    """As on Python 3.12: a compiled rung without hooks is such a one."""
    rung = registry.get("cclass.polygon")
    monkeypatch.setattr(twin, "build", lambda rung, kind: rung.module().__file__)
    code, out, err = polymask("profile", rung.key, *SMALL)
    assert (code, out) == (1, "")
    assert "sees no function of a Cython module" in err
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_without_sources_says_so(polymask, monkeypatch, tmp_path):
    monkeypatch.setattr(twin, "ROOT", tmp_path)
    for more in (
        (),
        (
            "--tool",
            "callgrind",
        ),
    ):
        monkeypatch.setattr(tools, "allowed", lambda tool: True)
        code, _, err = polymask("profile", "cclass.polygon", *SMALL, *more)
        assert code == 1
        assert "a wheel has no sources: git clone the project" in err


def test_a_build_that_fails_says_why(monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "", "much\nerror: no compiler\n")
    monkeypatch.setattr(twin.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(contract.Unavailable, match="error: no compiler"):
        twin.build(registry.get("cclass.polygon"), "profile")


def test_functions_are_named_as_readers_know_them():
    array = "<method 'reduce' of 'numpy.ufunc' objects>"
    assert calls.named(("~", 0, array)) == ("reduce of numpy.ufunc objects", "built in")
    assert calls.named(("~", 0, "<built-in method builtins.min>")) == ("min", "built in")
    assert calls.named(("1_cython/typed.pyx", 9, "f")) == ("f", "1_cython/typed.pyx:9")
    file = str(twin.ROOT / "0_python" / "tuples.py")
    assert calls.named((file, 3, "f")) == ("f", "0_python/tuples.py:3")
    assert calls.named(("/x/site-packages/numpy/a.py", 3, "f")) == ("f", "numpy/a.py:3")


def made_up(**functions):
    """A profile of functions of tuples.py: name to number of calls, and seconds in each itself."""
    file = str(twin.ROOT / registry.get("python.tuples").file)
    stats = {(file, 1, name): (n, n, own, own, {}) for name, (n, own) in functions.items()}
    whole = sum(own for _, own in functions.values())
    count = sum(n for n, _ in functions.values())
    return types.SimpleNamespace(stats=stats, total_tt=whole, total_calls=count)


def test_words_name_the_slowest_function_and_the_one_called_most():
    """Which these are differs between versions of Python: here the numbers are given."""
    rung = registry.get("python.tuples")
    found = made_up(inside_polygon=(576, 1.0), min=(13_000, 0.75), len=(1, 0.25))
    slowest, operators, busiest, price = calls.notice(rung, found, clock_s=0.1)
    assert slowest == "inside_polygon takes 50 % of the time itself, called 576 times."
    assert busiest == "min is called most, 13,000 times, and takes 38 %."
    assert "cProfile sees functions only" in operators
    assert "Under the profiler it took 2.00 s, without about 100 ms" in price
    both = calls.notice(rung, made_up(min=(13_000, 0.75), len=(1, 0.25)), clock_s=1.0)[0]
    assert both == "min takes 75 % of the time itself, called 13,000 times."


def test_a_fast_profile_says_nothing_of_the_price_of_calls():
    profiler = cProfile.Profile()
    rung = registry.get("scanline.rows")
    profiler.runcall(rung.load(), TRIANGLE, (8, 8))
    said = calls.notice(rung, pstats.Stats(profiler), clock_s=1e-9)
    assert not any("each call is made dearer" in one for one in said)


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


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        (
            "__pyx_f_8polymask_6cclass_7polygon_7Polygon_fill",
            "polymask.cclass.polygon.Polygon.fill",
        ),
        (
            "__pyx_pw_8polymask_6cclass_7polygon_1make_mask",
            "polymask.cclass.polygon.make_mask",
        ),
        ("static __pyx_pf_8polymask_8scanline_6engine_make_mask(int)", ...),
        ("polymask::detail::avx2::toggle(EdgeTable const&)", "polymask::detail::avx2::toggle"),
        ("_PyEval_EvalFrameDefault'2", "_PyEval_EvalFrameDefault"),
        ("inside_polygon_row.avx2", "inside_polygon_row.avx2"),
    ],
)
def test_names_of_compiled_functions_are_those_of_the_source(name, readable):
    wanted = "polymask.scanline.engine.make_mask" if readable is ... else readable
    assert native.readable(name) == wanted


def test_lines_show_their_text():
    rung = registry.get("cclass.polygon")
    for file in ("csrc/inside_polygon.h", rung.file):
        text = (twin.ROOT / file).read_text().splitlines()
        number = 1 + next(n for n, line in enumerate(text) if "inside_polygon(" in line)
        name = file.rpartition("/")[2]
        assert native.source_line(rung, f"{name}:{number}") == text[number - 1].strip()
    for unknown in ("inside_polygon.h:0", "inside_polygon.h:9999", "nowhere.h:3", "???:0"):
        assert native.source_line(rung, unknown) == ""


def test_only_lines_of_the_project_are_shown(monkeypatch):
    def shown(command, tool):
        return {
            "overhead,symbol,dso": " 90.00%\t[.] f\ta.so\n 10.00%\t[.] g\tlibc.so\n",
            "overhead,srcline": " 40.00%\tcython_utility:920\n 30.00%\tinside_polygon.h:20\n"
            " 10.00%\tavx2intrin.h:123\n 5.00%\t??:0\n 5.00%\tinside_polygon.h:?\n",
        }.get(command[command.index("-F") + 1], "")

    rung = registry.get("cclass.polygon")
    monkeypatch.setattr(tools, "must_start", shown)
    monkeypatch.setattr(twin, "build", lambda *_: twin.ROOT / "module.so")
    found = native.profile(rung, workload.polygon(), (8, 8), {}, "perf")
    assert [one.name for one in found.functions] == ["f", "g"]
    assert found.lines == [native.Share(0.3, "inside_polygon.h:20", "")]


def test_without_tools_it_says_what_to_install(polymask, monkeypatch):
    monkeypatch.setattr(tools, "allowed", lambda tool: False)
    code, _, err = polymask("profile", "cclass.polygon", "--native")
    assert code == 1
    assert "neither perf nor valgrind" in err
    assert "apt install" in err
    code, _, err = polymask("profile", "cclass.polygon", "--tool", "perf")
    assert code == 1
    assert "perf is not allowed or installed here" in err


def test_perf_comes_before_callgrind(monkeypatch):
    monkeypatch.setattr(tools, "allowed", lambda tool: True)
    assert tools.choose() == "perf"
    monkeypatch.setattr(tools, "allowed", lambda tool: tool == "callgrind")
    assert tools.choose() == "callgrind"


def event(*nanoseconds):
    times = dict(zip(("queued", "submit", "start", "end"), nanoseconds, strict=True))
    return types.SimpleNamespace(profile=types.SimpleNamespace(**times))


def test_a_timeline_shows_when_each_command_waited_and_ran():
    found = opencl.commands(
        {"to_device": event(1000, 1000, 1100, 1200), "kernel": event(1100, 1300, 1500, 2000)}
    )
    assert [timeline.name(one) for one in found] == ["copy to device", "kernel"]
    assert found[1].start == pytest.approx(5e-7)  # since the first was queued
    assert timeline.bar(found[0], 1e-6, 10) == "░█"
    assert timeline.bar(found[1], 1e-6, 10) == " ··░░█████"


WAITS = {
    "to_device": event(0, 0, 0, 1_000),
    "kernel": event(1_000, 2_000, 3_000, 9_003_000),
    "to_host": event(1_003_000, 9_003_000, 9_004_000, 9_006_000),
}
COMES_LATER = WAITS | {"to_host": event(9_500_000, 9_500_000, 9_501_000, 9_503_000)}


def test_a_copy_that_waits_for_the_kernel_is_said_to_wait():
    found = opencl.commands(WAITS)
    assert timeline.waited(found) == pytest.approx(8e-3)
    _, waits, sums = timeline.notice(found, 10e-3)
    assert "asked for 8.00 ms before the kernel had ended" in waits
    assert (
        "Of the call's 10.0 ms by the host's clock, commands ran 9.00 ms by the device's: " in sums
    )
    assert "copy to device 1.00 µs, kernel 9.00 ms, copy to host 2.00 µs." in sums
    later = opencl.commands(COMES_LATER)
    assert timeline.waited(later) == 0
    assert len(timeline.notice(later, 10e-3)) == 2


def test_words_do_not_blame_the_function_that_waits_for_the_device():
    rung = registry.get("opencl.pixels")
    stats = made_up(enqueue_copy=(2, 9e-3), make_mask=(1, 1e-3))
    blamed, waits = calls.notice(rung, stats, 10e-3, opencl.commands(WAITS))
    assert blamed == "enqueue_copy takes 90 % of the time itself, called 2 times."
    assert "it waits: the copy to the host is blocking" in waits
    assert "kernel 9.00 ms, copy to host 2.00 µs" in waits
    assert calls.notice(rung, stats, 10e-3, opencl.commands(COMES_LATER)) == [blamed]


def test_every_command_has_a_mark_within_the_width():
    late = devices.Command("copy", 0.9999, 0.9999, 0.9999, 1.0)
    assert timeline.bar(late, 1.0, 10) == " " * 9 + "█"
    short = devices.Command("copy", 0.0, 0.0, 0.0, 0.0)
    assert timeline.bar(short, 1.0, 10) == "█"


def test_a_device_that_copies_nothing_waits_for_nothing():
    kernel = devices.Command("kernel", 0.0, 0.0, 0.1, 0.5)
    assert timeline.waited([kernel]) == 0
    assert "kernel 400 ms" in " ".join(timeline.notice([kernel], 1.0))


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl"])
def test_a_device_shows_its_commands(polymask, key):
    rung = registry.get(key)
    try:
        rung.load()
    except registry.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    events = {}
    rung.load()(TRIANGLE, (8, 8), events=events)
    commands = devices.kind(rung.device).commands(events)
    assert [command.name for command in commands] == list(events) == list(timeline.NAMES)
    kernel = commands[1]
    assert devices.kernel_s(commands) == kernel.ran == kernel.end - kernel.start
    assert 0 <= kernel.queued <= kernel.submit <= kernel.start < kernel.end
    code, out, _ = polymask("profile", key, *SMALL)
    assert code == 0
    for name in timeline.NAMES.values():
        assert re.search(rf"^ *{name} .*█", out, re.M)
    assert "commands of the same call" in out
    assert "by the host's clock, commands ran" in out
    code, _, err = polymask("profile", key, "--native")
    assert code == 1
    assert "timeline" in err


def test_a_mask_without_pixels_has_no_commands(polymask):
    code, out, _ = polymask("profile", "scanline.rows", "--size", "0")
    assert code == 0
    assert "commands of" not in out


def profiled(key, shape):
    """Profile of a compiled rung by its twin; skipped where it can see nothing."""
    rung = registry.get(key)
    try:
        return rung, calls.profile(rung, workload.polygon(shape=shape), shape, {})
    except registry.Unavailable as unavailable:
        if sys.version_info[:2] != (3, 12):
            raise
        pytest.skip(str(unavailable))


@pytest.mark.slow
def test_cython_compiled_calls_inside_polygon_once_a_pixel():
    """The course's number, 1,048,576 calls for an image of 1024 x 1024: counted."""
    rung, stats = profiled("cython.compiled", (1024, 1024))
    assert own(stats, rung, "inside_polygon") == [1_048_576]
    assert own(stats, rung, "make_mask") == [1]


@pytest.mark.slow
def test_cython_typed_still_calls_once_a_pixel_and_the_class_does_not():
    rung, stats = profiled("cython.typed", (24, 32))
    assert own(stats, rung, "inside_polygon") == [24 * 32]
    rung, stats = profiled("cclass.polygon", (24, 32))
    assert own(stats, rung, "make_mask") == [1]
    assert own(stats, rung, "inside_polygon") == []


@pytest.mark.slow
def test_the_twin_lives_elsewhere_and_the_measured_module_stays_what_it_is():
    rung = registry.get("cython.typed")
    before = rung.module()
    file = twin.build(rung, "profile")
    make_mask = twin.load(rung, file)
    assert file.is_relative_to(twin.ROOT / "build" / "profile")
    assert rung.module() is before is sys.modules["polymask.cython.typed"]
    assert not before.__file__.startswith(str(twin.ROOT / "build"))
    assert make_mask is not before.make_mask
    assert np.array_equal(make_mask(TRIANGLE, (8, 9)), reference.mask(TRIANGLE, (8, 9)))
    times = {place: place.stat().st_mtime for place in (file, _fresh.RECORD)}
    assert twin.build(rung, "profile") == file
    assert times == {place: place.stat().st_mtime for place in times}  # nothing is built again


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["callgrind", "perf"])
def test_native_finds_the_rule(polymask, tool):
    if not tools.allowed(tool):
        pytest.skip(f"{tool} is not installed or not allowed here")
    code, out, err = polymask("profile", "openmp.prange", "--tool", tool)
    assert code == 0, err
    assert re.search(r"polymask\.openmp\.prange\.\w", out)
    assert re.search(r"^ *\d+ % +inside_polygon\.h:\d+ +if \(y > ", out, re.M)
    if tool == "callgrind":
        assert "128 x 128 pixels" in out  # small unless one says otherwise
        assert "With one thread" in out


@pytest.mark.slow
def test_callgrind_follows_the_engine_which_must_not_choose_avx512():
    if not tools.allowed("callgrind"):
        pytest.skip("valgrind is not installed")
    rung, vertices = registry.get("scanline.engine"), workload.polygon(shape=(64, 64))
    found = native.profile(rung, vertices, (64, 64), {}, "callgrind")
    assert sum(one.share for one in found.functions) == pytest.approx(1)
    assert any("toggle" in one.name for one in found.functions)
    assert not any("avx512::" in one.name for one in found.functions)
