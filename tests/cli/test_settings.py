"""Nonsense in environment variables is reported in one line, with the remedy and code 2."""

import re

import pytest
from checkouts import ROOT
from every_rung import load
from fresh_python import run

from ladder import registry
from ladder.cli import doctor

OPENMP = "is not a number of threads: set it to a number of threads, or unset it"
NUMBA = "fix or unset the environment variables NUMBA_..."
# A rung that reads the variable, the variable and its value, and a pattern of the message.
NONSENSE = [
    ("opencl.pixels", "PYOPENCL_CTX=foo", "PYOPENCL_CTX=foo chooses no device here .*: unset it"),
    ("offload.copied", "POLYMASK_OFFLOAD_DEVICES=foo", "names engines, .*, not 'foo': name some"),
    ("offload.copied", "POLYMASK_OFFLOAD_TRACE=foo", "TRACE is 0 or 1, not 'foo': set it"),
    ("numba.prange", "NUMBA_THREADING_LAYER=foo", "'foo' is unknown .*: unset NUMBA_THREADING_LAY"),
    ("numba.gpu", "NUMBA_ENABLE_CUDASIM=foo", "NUMBA_ENABLE_CUDASIM=foo is neither 0 nor 1: set"),
    ("numba.njit", "NUMBA_DISABLE_JIT=1", "NUMBA_DISABLE_JIT=1: .*: unset NUMBA_DISABLE_JIT"),
    ("openmp.prange", "OMP_NUM_THREADS=foo", f"OMP_NUM_THREADS=foo {OPENMP}"),
    ("openmp.prange", "OMP_NUM_THREADS=4,0", f"OMP_NUM_THREADS=4,0 {OPENMP}"),
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


@pytest.mark.slow
def test_doctor_and_list_tell_of_a_number_of_threads_that_is_none(monkeypatch):
    require_openmp()
    monkeypatch.setenv("OMP_NUM_THREADS", "4,2")
    assert doctor.openmp()[0]
    monkeypatch.setenv("OMP_NUM_THREADS", "4,x")
    assert doctor.openmp() == (False, f"OMP_NUM_THREADS=4,x {OPENMP}")
    completed = run("-m", "polymask", "list", OMP_NUM_THREADS="foo")
    assert (completed.returncode, completed.stderr) == (0, "")  # no message from OpenMP itself
    (line,) = re.findall(f"^- (.*): OMP_NUM_THREADS=foo {OPENMP}$", completed.stdout, re.M)
    assert {"openmp.prange", "openmp.simd", "offload.copied"} <= set(line.split(", "))
