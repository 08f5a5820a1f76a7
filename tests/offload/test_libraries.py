"""Libraries of kernels: their search, their contents, and their compilation."""

import subprocess
import sys

import numpy as np
import pytest
from cases import folded
from fresh_python import run

from ladder import offload
from ladder.offload import library
from ladder.offload.engines import host_compiler

TWICE = "PYMIC_KERNEL void twice(PYMIC_ARRAY double *a) { PYMIC_FOR(i, 1) a[i] *= 2; }\n"
VALUE = "PYMIC_KERNEL void value(PYMIC_ARRAY double *a) { PYMIC_FOR(i, 1) a[i] = %s; }\n"
FACTOR = "PYMIC_KERNEL void scale(PYMIC_ARRAY double *a) { PYMIC_FOR(i, 1) a[i] *= FACTOR; }\n"


def ran(device, kernel):
    """Return the result of a kernel for 21."""
    array = np.array([21.0])
    device.get_default_stream().invoke(kernel, array)
    return array[0]


def test_one_name_gives_a_library_and_several_a_list(device, source):
    file = source(TWICE)
    assert isinstance(device.load_library(file), offload.OffloadLibrary)
    for several in (file, str(file)), [[file, file]]:
        assert [ran(device, lib.twice) for lib in device.load_library(*several)] == [42, 42]
    with pytest.raises(ValueError, match=r"name.*library"):
        device.load_library()
    with pytest.raises(ValueError, match=r"name.*library"):
        device.load_library([])


def test_an_unknown_kernel_is_named(device, kernels):
    with pytest.raises(offload.OffloadError, match=r"kernels\.c.*kernel.*'no_such_kernel'"):
        kernels.no_such_kernel  # noqa: B018
    assert not hasattr(kernels, "no_such_kernel")
    assert hasattr(kernels, "double_it")
    assert getattr(kernels, "no_such_kernel", None) is None


@folded("variable", library.SEARCH)
def test_libraries_are_found_on_the_path_of_the_environment(
    device, source, tmp_path, monkeypatch, variable
):
    for name in library.SEARCH:
        monkeypatch.delenv(name, raising=False)
    source(TWICE, "on_the_path.c")
    with pytest.raises(offload.OffloadError, match=r"no library 'on_the_path'.*LIBRARY_PATH"):
        device.load_library("on_the_path")
    (tmp_path / "empty").mkdir(exist_ok=True)
    monkeypatch.setenv(variable, str(tmp_path / "gone"))
    with pytest.raises(offload.OffloadError, match=rf"{variable} .* not folders: {tmp_path}"):
        device.load_library("on_the_path")
    monkeypatch.setenv(variable, f"{tmp_path / 'empty'}:{tmp_path}")
    for name in ("on_the_path", "on_the_path.c"):
        assert ran(device, device.load_library(name).twice) == 42


def test_defines_reach_the_source(device, source):
    file = source(FACTOR)
    for factor in (2, 3):
        loaded = offload.OffloadLibrary(file, device, {"FACTOR": factor})
        assert ran(device, loaded.scale) == 21 * factor


def test_the_compilers_message_is_shown(device, source):
    with pytest.raises(offload.OffloadError, match=r"broken\.c.*cannot.*compiled:\n") as raised:
        device.load_library(source("PYMIC_KERNEL void f(void) { nonsense; }\n", "broken.c"))
    assert "nonsense" in str(raised.value)


# Includes


def test_a_header_that_changes_is_seen(device, source):
    file = source('#include "value.h"\n' + VALUE % "NUMBER")
    for number in 1, 2:
        file.with_name("value.h").write_text(f"#define NUMBER {number}\n")
        assert ran(device, device.load_library(file).value) == number


def test_an_error_has_the_line_and_the_file_that_it_is_in(device, source):
    for name, text in ("value.h", "\n\n#define GOOD 1\n"), ("bad.h", "\n\nnot_a_type x;\n"):
        source("", name).write_text(text)
    with pytest.raises(offload.OffloadError, match=r"kernel\.c(.|\n)*[:(]4[:)]"):
        device.load_library(source('#include "value.h"\n\nnot_a_type x;\n'))
    with pytest.raises(offload.OffloadError, match=r"bad\.h[:(]3"):
        device.load_library(source('#include "bad.h"\n'))


# The host's libraries


def test_a_shared_library_is_loaded_unchanged(host, source, tmp_path):
    compiled = host_compiler.compiled(source(TWICE), {})
    compiled.rename(tmp_path / "libtwice.so")
    for name in ("libtwice", "libtwice.so"):
        assert ran(host, host.load_library(tmp_path / name).twice) == 42


def test_c_plus_plus_is_compiled_too(host, source):
    text = (
        "#include <vector>\nPYMIC_KERNEL void size(double *a) { *a = std::vector<int>(5).size(); }"
    )
    assert ran(host, host.load_library(source(text, "kernel.cpp")).size) == 5


def test_a_source_is_compiled_once_and_again_when_it_or_a_header_changes(
    host, source, users_cache, monkeypatch
):
    runs, real = [], subprocess.run

    def counted(command, **options):
        runs.append(command)
        return real(command, **options)

    monkeypatch.setattr(host_compiler.subprocess, "run", counted)
    source(VALUE % 1, "value.h")
    file = source('#include "value.h"\n')
    for _ in range(3):
        assert ran(host, host.load_library(file).value) == 1
    assert len(runs) == 1
    assert len(list(users_cache.glob("*.so"))) == 1
    source(VALUE % 2, "value.h")
    assert ran(host, host.load_library(file).value) == 2
    assert len(runs) == 2
    assert len(list(users_cache.glob("*.so"))) == 2


def test_a_missing_compiler_is_reported(host, source, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(offload.OffloadError, match=r"no-such-compiler.*start.*CC"):
        host.load_library(source("/* new */" + TWICE))


OPENMP = """
PYMIC_KERNEL void count(int64_t *threads)
{
#pragma omp parallel num_threads(2)
#pragma omp atomic
    threads[0] += 1;
}
"""
PROGRAM = """
import gc, sys
import numpy as np
from ladder import offload
device = offload.devices[0]
stream, library = device.get_default_stream(), device.load_library(sys.argv[1])
threads = np.zeros(1, dtype=np.int64)
stream.invoke(library.count, threads)
del library
stream.sync()
gc.collect()
loaded = open("/proc/self/maps").read()
print(threads[0], "offload/threads" in loaded, "libgomp" in loaded or "libomp" in loaded)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/maps")
def test_the_threads_of_openmp_outlive_the_library_that_brought_them(source):
    """A library is unloaded when it is no longer used, but OpenMP's must stay loaded."""
    done = run("-c", PROGRAM, source(OPENMP, "threads.c"), POLYMASK_OFFLOAD_DEVICES="host")
    assert done.stdout == "2 False True\n", done.stderr
