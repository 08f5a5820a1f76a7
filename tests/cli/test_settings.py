"""Nonsense in environment variables is reported in one line, with the remedy and code 2."""

import re

import pytest
from checkouts import ROOT
from every_rung import load
from fresh_python import run

from ladder import registry
from ladder.cli import doctor
from ladder.report import results

OPENMP = "is not a number of threads: set it to a number of threads, or unset it"
NUMBA = "fix or unset the environment variables NUMBA_..."
# A rung that reads the variable, the variable and its value, and a pattern of the message.
NONSENSE = [
    ("opencl.pixels", "PYOPENCL_CTX=foo", "PYOPENCL_CTX=foo chooses no device here .*: unset it"),
    ("opencl.pixels", "PYOPENCL_NO_CACHE=foo", "PYOPENCL_NO_CACHE=foo is neither 0 nor 1: set it"),
    ("opencl.pixels", "PYOPENCL_COMPILER_OUTPUT=", "OUTPUT= is neither 0 nor 1: set it"),
    ("offload.copy", "POLYMASK_OFFLOAD_DEVICES=foo", "names engines, .*, not 'foo': name some"),
    ("offload.copy", "POLYMASK_OFFLOAD_TRACE=foo", "TRACE is 0 or 1, not 'foo': set it"),
    ("offload.copy", "OMP_NUM_THREADS=foo", OPENMP),
    ("numba.prange", "NUMBA_THREADING_LAYER=foo", "'foo' is unknown .*: unset NUMBA_THREADING_LAY"),
    ("numba.prange", "NUMBA_THREADING_LAYER_PRIORITY=foo", "unset NUMBA_THREADING_LAYER_PRIORITY"),
    ("numba.prange", "OMP_NUM_THREADS=foo", OPENMP),
    ("numba.njit", "NUMBA_ENABLE_CUDASIM=foo", f"'NUMBA_ENABLE_CUDASIM' .* 'foo' .*: {NUMBA}"),
    ("numba.cuda", "NUMBA_ENABLE_CUDASIM=foo", "NUMBA_ENABLE_CUDASIM=foo is neither 0 nor 1: set"),
    ("numba.njit", "NUMBA_DISABLE_JIT=1", "NUMBA_DISABLE_JIT=1: .*: unset NUMBA_DISABLE_JIT"),
    ("numba.njit", "NUMBA_CPU_NAME=foo", "compile for NUMBA_CPU_NAME=foo: unset NUMBA_CPU_NAME"),
    ("numba.njit", "NUMBA_CPU_FEATURES=+a b", "for NUMBA_CPU_FEATURES=.a b: unset NUMBA_CPU_F"),
    ("openmp.prange", "OMP_NUM_THREADS=foo", f"OMP_NUM_THREADS=foo {OPENMP}"),
    ("openmp.prange", "OMP_NUM_THREADS=-1", f"OMP_NUM_THREADS=-1 {OPENMP}"),
    ("openmp.prange", "OMP_NUM_THREADS=4,0", f"OMP_NUM_THREADS=4,0 {OPENMP}"),
    ("openmp.simd", "OMP_NUM_THREADS=0", OPENMP),
    ("openmp.simd", "OMP_NUM_THREADS=1e3", OPENMP),
    ("openmp.simd", "OMP_NUM_THREADS=", OPENMP),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "setting", "message"), NONSENSE, ids=lambda value: value[:40])
def test_nonsense_is_one_line_that_says_what_to_do(key, setting, message):
    rung = registry.get(key)
    if rung.device != "cuda":  # which is refused before a device is searched for
        _, error = load(rung)
        if error:
            pytest.skip(str(error))
    variable, _, value = setting.partition("=")
    completed = run("-m", "polymask", "run", key, "--size", "9", **{variable: value})
    assert (completed.returncode, completed.stdout) == (2, "")
    assert re.fullmatch(f"polymask: .*{message}.*\n", completed.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("page", [[], ["--html", "page.html"]])
def test_charts_name_the_setting_that_matplotlib_refuses(page, tmp_path):
    pytest.importorskip("matplotlib")
    result = sorted((ROOT / "results").glob("*-xeon.json"))[-1]
    command = ["-m", "polymask", "report", result, "--out", tmp_path / "made", *page]
    completed = run(*command, cwd=tmp_path, MPLBACKEND="foo")
    assert completed.returncode == 2
    expected = (
        "polymask: MPLBACKEND=foo is not a backend of matplotlib: unset it, as the charts need none"
    )
    assert completed.stderr == expected + "\n"


def require_openmp():
    _, error = load(registry.get("openmp.prange"))
    if error:
        pytest.skip(str(error))


@pytest.mark.parametrize("value", ["3", " 3 ", "4,2", "3 , 2"])
def test_numbers_that_openmp_reads_are_accepted(value):
    require_openmp()
    completed = run("-m", "polymask", "run", "openmp.prange", "--size", "9", OMP_NUM_THREADS=value)
    assert (completed.returncode, completed.stderr) == (0, "")


@pytest.mark.slow
def test_doctor_and_list_tell_of_a_number_of_threads_that_is_none(monkeypatch):
    require_openmp()
    monkeypatch.setenv("OMP_NUM_THREADS", "4,2")
    assert doctor.openmp()[0]
    monkeypatch.setenv("OMP_NUM_THREADS", "4,x")
    assert doctor.openmp() == (False, f"OMP_NUM_THREADS=4,x {OPENMP}")
    completed = run("-m", "polymask", "list", OMP_NUM_THREADS="foo")
    assert (completed.returncode, completed.stderr) == (0, "")  # no message from OpenMP itself
    for key in ("openmp.prange", "openmp.simd", "offload.copy"):
        assert f"- {key}: OMP_NUM_THREADS=foo {OPENMP}\n" in completed.stdout


@pytest.mark.slow
def test_list_doctor_and_bench_agree_that_numba_compiles_nothing(polymask, monkeypatch, tmp_path):
    numba = pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert numba  # its functions in this process are already compiled
    for command, code in (
        (["list"], 0),
        (["doctor"], 0),
        (["bench", "--size", "9", "--seconds", "0.1", "--rungs", "numba.njit"], 2),
        (["explain", "numba.njit"], 2),
    ):
        result = polymask(*command)
        assert "unset NUMBA_DISABLE_JIT" in result[1] + result[2], command
        assert "defect" not in result[2]
        assert result[0] == code or command[0] == "bench", result
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text("disable_jit: 1\n")
    assert ".numba_config.yaml" in polymask("list")[1]


@pytest.mark.slow
def test_settings_that_change_times_are_kept_and_told(polymask, monkeypatch):
    monkeypatch.setenv("NUMBA_OPT", "0")
    command = ["bench", "--size", "9", "--seconds", "0.1", "--rungs", "python.tuples"]
    code, out, err = polymask(*command, "--json", "a.json")
    assert code == 0, err
    assert "NUMBA_OPT=0" in out + err
    assert results.load("a.json")[0].machine.settings == {"NUMBA_OPT": "0"}
