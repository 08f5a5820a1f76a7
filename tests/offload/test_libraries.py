"""Libraries of kernels: their search, their contents, and their compilation."""

import ctypes
import gc
import subprocess

import numpy as np
import pytest
from cases import folded

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


def test_a_library_in_the_working_directory_comes_first(device, source, tmp_path, monkeypatch):
    current, path = tmp_path / "here", tmp_path / "path"
    for folder, value in ((current, 1), (path, 2)):
        folder.mkdir()
        (folder / "same.c").write_text('#include "pymic_kernel.h"\n' + VALUE % value)
    monkeypatch.setenv(library.SEARCH[0], str(path))
    monkeypatch.chdir(current)
    assert ran(device, device.load_library("same").value) == 1
    monkeypatch.chdir(tmp_path)
    assert ran(device, device.load_library("same").value) == 2


def test_defines_reach_the_source(device, source):
    file = source(FACTOR)
    for factor in (2, 3):
        loaded = offload.OffloadLibrary(file, device, {"FACTOR": factor})
        assert ran(device, loaded.scale) == 21 * factor


def test_the_compiler_s_words_are_told(device, source):
    with pytest.raises(offload.OffloadError, match=r"broken\.c.*cannot.*compiled:\n") as raised:
        device.load_library(source("PYMIC_KERNEL void f(void) { nonsense; }\n", "broken.c"))
    assert "nonsense" in str(raised.value)


# Includes


INCLUDED = {  # headers, the source's lines that include them, and an expression that is 42
    "one with a byte order mark": (
        {"value.h": "\ufeff#define VALUE 42\n"},
        '#include "value.h"\n',
        "VALUE",
    ),
    "one beside the header that includes it": (
        {"sub/outer.h": '#include "inner.h"\n', "sub/inner.h": "#define VALUE 42\n"},
        '#include "sub/outer.h"\n',
        "VALUE",
    ),
}


@pytest.mark.slow
@folded("case", INCLUDED)
@folded("folder", ["here", "with a blank"])
def test_the_compiler_includes(device, tmp_path, case, folder):
    headers, text, value = INCLUDED[case]
    for name, content in headers.items():
        file = tmp_path / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    file = tmp_path / folder / "kernel.c"
    file.write_text('\ufeff#include "pymic_kernel.h"\n' + text + VALUE % value, encoding="utf-8")
    if device.engine.name == "cuda" and "byte order mark" in case:  # NVRTC accepts none in a header
        with pytest.raises(offload.OffloadError, match=r"value\.h"):
            device.load_library(file)
        return
    assert ran(device, device.load_library(file).value) == 42


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


def test_a_shared_library_is_loaded_as_it_is(host, source, tmp_path):
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


def test_a_shared_library_that_was_rebuilt_is_loaded_anew(host, source, tmp_path):
    file = tmp_path / "value.so"
    kept = []
    for number in 1, 2:
        file.write_bytes(host_compiler.compiled(source(VALUE % number), {}).read_bytes())
        kept.append(host.load_library(file))
        assert ran(host, kept[-1].value) == number
    assert ran(host, kept[0].value) == 1


@pytest.mark.parametrize("variable", ["CC", "CPATH"])
def test_a_header_that_only_the_compiler_finds_is_seen(host, source, monkeypatch, variable):
    file = source("#include <elsewhere.h>\n" + VALUE % "NUMBER")
    for number, folder in enumerate(("one", "two", "two")):
        header = file.parent / folder / "elsewhere.h"
        header.parent.mkdir(exist_ok=True)
        header.write_text(f"#define NUMBER {number}\n")
        flag = f"cc -I{header.parent}" if variable == "CC" else header.parent
        monkeypatch.setenv(variable, str(flag))
        assert ran(host, host.load_library(file).value) == number


def test_a_compiler_that_is_not_there_is_told(host, source, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(offload.OffloadError, match=r"no-such-compiler.*start.*CC"):
        host.load_library(source("/* new */" + TWICE))


@pytest.mark.slow
def test_a_library_is_unloaded_with_its_last_user(host, source):
    """Its destructor writes to an address that the test reads."""
    text = """
    static int64_t *told;
    PYMIC_KERNEL void remember(const uint64_t *address) { told = (int64_t *)(uintptr_t)*address; }
    __attribute__((destructor)) static void last(void) { if (told) *told = 1; }
    """
    told = ctypes.c_int64(0)
    stream = host.create_stream()
    loaded = host.load_library(source(text))
    kernel = loaded.remember
    stream.invoke(kernel, ctypes.addressof(told))
    del loaded
    stream.sync()
    gc.collect()
    assert told.value == 0
    del kernel
    gc.collect()
    assert told.value == 1
