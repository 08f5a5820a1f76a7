"""The command line, as a user runs it."""

import ast
import dataclasses
import importlib
import json
import os
import pstats
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from checkouts import ROOT
from PIL import Image

from polymask.bench import busy, driver
from polymask.cli import progress_bar, show
from polymask.ladder import reference, registry, workload


def in_process_of_its_own(*arguments, **keywords):
    return subprocess.run(
        [sys.executable, "-m", "polymask", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        **keywords,
    )


def test_help_lists_the_commands_and_needs_no_terminal(tmp_path):
    done = in_process_of_its_own("--help", cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    for command in ("list", "show", "run", "bench", "report", "doctor"):
        assert f"\n  {command} " in done.stdout


def test_list_names_every_rung(polymask):
    code, out, _ = polymask("list")
    assert code == 0
    for rung in registry.RUNGS:
        assert rung.key in out
        assert rung.idea in out


def test_list_says_why_a_rung_does_not_run(polymask, monkeypatch):
    before = registry.unavailable().keys()
    monkeypatch.setitem(sys.modules, "polymask.openmp.prange", None)
    code, out, _ = polymask("list")
    assert code == 0
    assert "\n- openmp.prange: not built: run `make build`, and read what it prints\n" in out
    answers = re.findall(r"^(\w+\.\w+) +\w+ +no ", out, re.M)
    assert set(answers) == {*before, "openmp.prange"}


@pytest.mark.parametrize("columns", [80, 120])
def test_list_fits_the_terminal(polymask, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = polymask("list")
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out)
    table, *_ = plain.split("\nDo not run here:")  # these lines are whole, so as to be copied
    assert max(map(len, table.splitlines())) <= columns
    words = " ".join(plain.split())
    for rung in registry.RUNGS:  # no key and no name is broken
        assert f"{rung.key} {rung.folder} yes" in words or f"{rung.key} {rung.folder} no" in words


def test_list_says_what_to_install(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    monkeypatch.delitem(sys.modules, "polymask.opencl.pixels", raising=False)
    _, out, _ = polymask("list")
    assert "\n- opencl.pixels: the package pyopencl is not installed: " in out
    assert "pip install 'polymask[opencl]'\n" in out


@pytest.mark.parametrize("terminal", [True, False])
def test_what_looks_like_markup_is_shown_as_it_is(polymask, monkeypatch, terminal):
    """Names of extras, files and machines stand in brackets and between colons."""
    strange = dataclasses.replace(registry.RUNGS[0], title="polymask[opencl] :x: [/b]")
    monkeypatch.setattr(registry, "RUNGS", (strange,))
    monkeypatch.setenv("COLUMNS", "200")
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = polymask("list")
    assert strange.title in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out)


def test_no_other_console_reads_markup():
    """rich reads markup unless told not to: every console and every column of a bar is told so."""
    told, found = {"markup": False, "emoji": False}, []
    for file in sorted((ROOT / "polymask").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", None)
            if name not in ("Console", "TextColumn"):
                continue
            given = {word.arg: getattr(word.value, "value", None) for word in node.keywords}
            wanted = told if name == "Console" else {"markup": False}
            found.append(name)
            assert given.items() >= wanted.items(), f"{file.name}:{node.lineno}"
    assert {"Console", "TextColumn"} == set(found)


@pytest.mark.parametrize("group", [[], ["workshop"]])
def test_help_cuts_no_sentence(polymask, monkeypatch, group):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = polymask(*group, "--help")
    assert "..." not in out.partition("Commands:")[2]
    assert "\n  list " in out


@pytest.mark.parametrize("diff", [[], ["--diff"]])
def test_show_cuts_no_line_in_a_narrow_terminal(polymask, monkeypatch, diff):
    plain = polymask("show", "cclass.polygon", *diff)[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    coloured = polymask("show", "cclass.polygon", *diff)[1]
    assert re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", coloured) == plain
    assert coloured != plain


def test_show_prints_the_file(polymask):
    code, out, _ = polymask("show", "cython.typed")
    assert code == 0
    assert out == (ROOT / "1_cython" / "typed.pyx").read_text()


def test_show_diff(polymask):
    code, out, _ = polymask("show", "openmp.prange", "--diff")
    assert code == 0
    assert "+from cython.parallel cimport prange" in out
    assert "--- 3_cclass/polygon.pyx" in out


@pytest.mark.parametrize(
    "names",
    ["build, fill", "build, fill  # why", "(\n    build,  # why\n    fill,\n)", "build, fill as f"],
)
def test_imports_from_the_rung_before_are_read_however_they_are_written(names):
    source = f"import numpy\nfrom polymask.opencl.pixels import {names}\n\nx = (1)\n"
    assert show.imported_names(source, "opencl.pixels") == {"build", "fill"}
    assert show.imported_names(source, "opencl.other") == set()


def test_show_diff_leaves_out_what_is_imported_from_the_rung_before(polymask):
    """It was not removed: the rung uses it as it is."""
    _, out, _ = polymask("show", "scanline.opencl", "--diff")
    assert out.startswith("--- 5_opencl/pixels.py, but for what is imported from it\n")
    assert "+from polymask.opencl.pixels import" in out
    assert "-def fill(" not in out
    assert "cl.CommandQueue(" not in out
    assert '-    return build("mask.cl")' in out
    _, out, _ = polymask("show", "python.scalars", "--diff")
    assert "inside = not inside" not in out
    assert "-    vertices = [(x, y) for x, y in vertices.tolist()]" in out


def test_show_diff_of_the_compiled_twin_and_of_the_first_rung(polymask):
    assert "not a letter changed" in polymask("show", "cython.compiled", "--diff")[1]
    code, _, err = polymask("show", "python.tuples", "--diff")
    assert code == 2
    assert "has no rung before it" in err


def test_run_prints_time_and_pixels(polymask):
    code, out, _ = polymask("run", "cclass.polygon", "--size", 50)
    count = np.count_nonzero(reference.mask(workload.polygon(shape=(50, 50)), (50, 50)))
    assert code == 0
    assert f"{count} of 50 x 50 pixels" in out


def test_run_saves_what_it_made(polymask):
    vertices = workload.polygon(9, (20, 30), 4)
    expected = reference.mask(vertices, (20, 30))
    common = ("run", "cclass.polygon", "--shape", "20x30", "--vertices", 9, "--seed", 4, "--save")
    assert polymask(*common, "mask.npy")[0] == 0
    np.testing.assert_array_equal(np.load("mask.npy"), expected)
    assert polymask(*common, "mask.png")[0] == 0
    np.testing.assert_array_equal(np.asarray(Image.open("mask.png")), 255 * expected)


def test_run_reads_a_polygon_and_fits_it(polymask):
    outline = ROOT / "examples" / "france.csv"
    code, out, _ = polymask("run", "cclass.polygon", "--polygon", outline, "--fit", "--size", 100)
    assert code == 0
    inside = re.fullmatch(
        r"cclass\.polygon: first call .*, (\d+) of 100 x 100 pixels inside\n", out
    )
    assert int(inside[1]) > 2000  # about a third of the image, not a dot in a corner


def test_run_sets_options(polymask):
    assert polymask("run", "openmp.prange", "--size", 20, "--set", "threads=2")[0] == 0


def test_profiling_a_rung_shows_just_that_rung(tmp_path):
    profile = tmp_path / "tuples.prof"
    done = subprocess.run(
        [sys.executable, "-m", "cProfile", "-o", str(profile), "-m", "polymask"]
        + ["run", "python.tuples", "--shape", "20x30"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    calls = {
        function: counts[0] for (_, _, function), counts in pstats.Stats(str(profile)).stats.items()
    }
    assert calls["inside_polygon"] == 20 * 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "cclass.polygn"], "did you mean 'cclass.polygon'"),
        (["bnch"], "did you mean 'bench'"),
        (["bench", "--rungs", "python.tuple,clib.points"], "did you mean 'python.tuples'"),
        (["run", "openmp.prange", "--set", "thread=2"], "did you mean 'threads'"),
        (["run", "openmp.prange", "--set", "threads=two"], "threads: "),
        (
            ["run", "openmp.prange", "--size", "9", "--set", "threads=0"],
            "threads must be 1 to",
        ),
        (["run", "openmp.prange", "--size", "9", "--set", "schedule=x"], "schedule must be"),
        (["run", "cclass.polygon", "--set", "threads"], "OPTION=VALUE"),
        (["run", "cclass.polygon", "--set", "threads=1"], "takes none"),
        (["bench", "--set", "threads=1"], "no rung is called ''"),
        (["bench", "--set", "openmp.prange.schedule=often"], "schedule must be"),
        (["bench", "--set", "threads"], "KEY.OPTION=VALUE"),
        (["bench", "--set", "openmp.prang.threads=1"], "did you mean 'openmp.prange'"),
        (
            ["bench", "--rungs", "clib.points", "--set", "openmp.prange.threads=1"],
            "not among the measured rungs",
        ),
        (["run", "cclass.polygon", "--shape", "20"], "ROWSxCOLS"),
        (["run", "cclass.polygon", "--shape", "20x-3"], "ROWSxCOLS"),
        (["run", "cclass.polygon", "--size", "-1"], "--size"),
        (["run", "cclass.polygon", "--size", "9", "--shape", "9x9"], "exclude each other"),
        (["run", "cclass.polygon", "--vertices", "2"], "--vertices"),
        (["run", "cclass.polygon", "--polygon", "nothing.csv"], "nothing.csv"),
        (["run", "cclass.polygon", "--save", "mask.tif"], r".npy, .png, .npz"),
        (["run", "cclass.polygon", "--size", "0", "--save", "mask.png"], "without pixels"),
        (["report", "nothing.json"], "nothing.json"),
        (["run"], "KEY"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_one_clear_line_and_code_2(polymask, arguments, message):
    refused(polymask, arguments, message)


def test_a_bad_work_group_is_refused_before_anything_is_measured(polymask):
    try:
        registry.get("opencl.pixels").load()
    except registry.Unavailable as unavailable:
        pytest.skip(f"opencl.pixels: {unavailable}")  # the row will say so
    refused(polymask, ["bench", "--set", "opencl.pixels.work_group=0x8"], "work-group")


def refused(polymask, arguments, message):
    """Bad usage: code 2, the message, and nothing else."""
    code, out, err = polymask(*arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not out


def test_bad_polygon_file_is_code_2(polymask):
    Path("bad.csv").write_text("0 0\n1 1\n2 x\n")
    code, _, err = polymask("run", "cclass.polygon", "--polygon", "bad.csv")
    assert code == 2
    assert err == "polymask: bad.csv: line 3: expected two numbers, got '2 x'\n"
    assert polymask("run", "cclass.polygon", "--polygon", "bad.csv", "--seed", 3)[0] == 2


def test_unavailable_rung_is_code_1(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    monkeypatch.delitem(sys.modules, "polymask.opencl.pixels", raising=False)
    code, _, err = polymask("run", "opencl.pixels", "--size", 9)
    assert code == 1
    assert "pip install 'polymask[opencl]'" in err


BENCH = ("bench", "--shape", "24x32", "--seconds", 0)


def test_bench_writes_what_report_makes_again(polymask):
    code, out, err = polymask(
        *BENCH, "--rungs", "cclass.polygon,python.tuples", "--out", "made", "--json", "also.json"
    )
    assert code == 0
    assert "wrote made/ and also.json" in out
    names = {"bench.json", "bench.md", "bench.png", "bench.svg", "bench-polygon.png"}
    assert {file.name for file in Path("made").iterdir()} == names
    assert Path("also.json").read_text() == Path("made/bench.json").read_text()
    measured = json.loads(Path("made/bench.json").read_text())
    assert [row["key"] for row in measured["rows"]] == ["python.tuples", "cclass.polygon"]
    assert "measuring" in err  # plain lines where there is no terminal

    before = sorted(Path().rglob("*"))
    code, shown, _ = polymask("report", "made/bench.json")
    assert code == 0
    assert sorted(Path().rglob("*")) == before  # it writes only where it is told
    code, again, _ = polymask("report", "made/bench.json", "--out", "again")
    assert code == 0
    assert again.split("wrote")[0] == shown
    assert out.startswith(shown)
    for name in names - {"bench.json"}:
        assert (Path("again") / name).read_bytes() == (Path("made") / name).read_bytes()


def test_bench_names_a_folder_of_its_own(polymask):
    code, out, _ = polymask(*BENCH, "--rungs", "cclass.polygon")
    folder = Path(out.split("wrote ")[1].strip())
    assert code == 0
    assert folder.parent == Path("polymask-results")
    assert (folder / "bench.json").exists()


def test_bench_reports_a_wrong_row_with_code_1(polymask, monkeypatch):
    module = importlib.import_module("polymask.python.vectorized")
    monkeypatch.setattr(
        module, "make_mask", lambda vertices, shape: np.ones(shape, np.uint8), raising=True
    )
    code, out, _ = polymask(*BENCH, "--rungs", "python.vectorized,cclass.polygon")
    assert code == 1
    assert "python.vectorized wrong" in out
    assert "pixels differ" in out


def test_skipped_row_is_no_error(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    monkeypatch.delitem(sys.modules, "polymask.opencl.pixels", raising=False)
    code, out, _ = polymask(*BENCH, "--rungs", "opencl.pixels,cclass.polygon")
    assert code == 0
    assert "opencl.pixels skipped: the package pyopencl is not installed" in out


def test_ctrl_c_keeps_what_was_measured(tmp_path, interruptible):
    # a line for each round: from the third on, each row has samples
    code = "import sys; from polymask import cli; from polymask.cli import progress_bar; "
    code += "progress_bar.Lines.EVERY_S = 0; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *map(str, BENCH), "--seconds", "60"]
    command += ["--rungs", "cclass.polygon", "--out", "made"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if "round 3 " in line:
                process.send_signal(signal.SIGINT)
                break
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "what was measured by then is kept" in err
    assert json.loads((tmp_path / "made" / "bench.json").read_text())["interrupted"]


@pytest.mark.parametrize("sweep", [[], ["--sweep", "size"]])
def test_ctrl_c_before_anything_was_measured_writes_nothing(polymask, monkeypatch, tmp_path, sweep):
    def interrupted(*_arguments, **_keywords):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(driver, "check_rows", interrupted)
    code, out, err = polymask("bench", "--rungs", "cclass.polygon", *sweep)
    assert code == 130
    assert "interrupted before a row had a time: nothing is written" in err
    assert out == ""
    assert not list(tmp_path.glob("polymask-results/*"))


def test_progress_bar_in_a_terminal(tmp_path):
    """On a terminal of 80 columns standard error shows a bar, and is cleaned up."""
    master, slave = pty.openpty()
    command = [*map(str, BENCH), "--rungs", "cclass.polygon", "--out", "made", "--force"]
    with subprocess.Popen(
        [sys.executable, "-m", "polymask", *command],
        cwd=tmp_path,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=slave,
    ) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                shown += os.read(master, 4096)
            except OSError:  # the other end is closed
                break
        process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert "cclass.polygon: first call" in shown.decode()
    assert "round 7 of 7" in shown.decode()
    assert "━" in shown.decode()


def test_long_calls_tick_and_stop():
    bar = progress_bar.Bar()
    ticks = []
    bar.bar.refresh = lambda: ticks.append(1)
    with bar:
        bar.begin("measuring", 1)
        bar.TICK_S = 0.01
        bar.working("a long call", long=True)
        ticker = bar.ticker
        while not ticks:
            time.sleep(0.001)
        bar.working("a short one")
        assert ticker.is_set()
        assert bar.ticker is None


def test_results_that_cannot_be_written_are_refused_before_measuring(polymask):
    code, out, err = polymask(*BENCH, "--json", "missing/bench.json")
    assert code == 2
    assert "there is no folder missing" in err
    assert not out
    code, _, err = polymask("run", "cclass.polygon", "--size", 9, "--save", "missing/mask.png")
    assert code == 2
    assert "there is no folder missing" in err


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "1e9"])
def test_bad_budget(polymask, seconds):
    code, _, err = polymask("bench", "--seconds", seconds)
    assert code == 2
    assert "Traceback" not in err


def test_doctor_has_a_line_for_each_check(polymask):
    code, out, _ = polymask("doctor")
    assert code == 0
    assert out.count("OK  ") + out.count("LOOK") >= 8
    assert "OpenMP" in out
    assert "OpenCL" in out


@pytest.mark.parametrize("variable", ["POLYMASK_ISA", "POLYMASK_STORES"])
def test_a_mistyped_variable_of_the_engine_is_one_line(polymask, monkeypatch, variable, root):
    monkeypatch.setenv(variable, "AVX-2")
    code, out, _ = polymask("doctor")
    assert code == 0
    assert f"LOOK engine: {variable}=AVX-2 is not automatic, " in out
    france = root / "examples/france.csv"
    code, _, err = polymask("mask", france, "--shape", "9x9", "--fit", "-o", "mask.npy")
    assert code == 1
    assert re.search(rf"^polymask: {variable}=AVX-2 is not automatic, .*\n\Z", err, re.M)


def test_doctor_names_the_programs_that_keep_the_machine_busy(polymask, monkeypatch):
    monkeypatch.setattr(busy, "look", lambda: busy.Look(2, 1.5, 0.0, ("yes",)))
    _, out, _ = polymask("doctor")
    assert "LOOK another program (yes) uses 1.5 of 2 cores: times will be longer" in out


def test_idle_threads_sleep(tmp_path):
    """OMP_WAIT_POLICY is set before anything is imported, and a user's own value stands."""
    bench = [*BENCH, "--rungs", "openmp.prange", "--json", "bench.json"]
    environment = {name: value for name, value in os.environ.items() if "OMP_" not in name}
    for given, expected in (({}, "passive"), ({"OMP_WAIT_POLICY": "active"}, "active")):
        in_process_of_its_own(*bench, cwd=tmp_path, env=environment | given)
        record = json.loads((tmp_path / "bench.json").read_text())["machine"]
        assert record["omp_wait_policy"] == expected
        assert any("omp" in name for name in record["openmp_runtimes"])


def test_closed_pipe_is_no_traceback(tmp_path):
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m polymask list | head -1",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("key")
    assert "Traceback" not in done.stderr


def test_the_commands_begin_where_nothing_is_built():
    code = (
        "import sys; sys.modules |= dict.fromkeys(('polymask._engine', 'polymask._build_facts')); "
    )
    code += "from polymask import cli; sys.exit(cli.main(['report', '--help']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage: polymask report" in done.stdout
