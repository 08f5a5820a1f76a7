"""numba.gpu and numba.linked: code for a GPU, compiled and linked without one."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest
from nvidia_code import assert_exact

from ladder.devices import cuda_linking
from ladder.python import tuples

pytestmark = pytest.mark.extra("cuda")

H200 = (9, 0)
CALL = re.compile(r"^\s*call\b", re.MULTILINE)


@pytest.fixture(scope="module", autouse=True)
def _installed():
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")


@pytest.fixture(scope="module")
def gpu(_installed):
    from ladder.numba import gpu

    return gpu


@pytest.fixture(scope="module")
def linked(_installed):
    from ladder.numba import linked

    return linked


def test_the_kernel_in_python_compiles_to_exact_ptx(gpu):
    ptx = cuda_linking.ptx(gpu.polygon_mask, gpu.SIGNATURE, H200)
    assert ".target sm_90" in ptx
    assert not CALL.search(ptx)  # the rule is part of the kernel
    assert_exact(ptx)


def test_the_ptx_is_of_a_version_that_drivers_of_cuda_13_0_read(gpu):
    """Newer compilers write newer versions, which such a driver rejects."""
    ptx = cuda_linking.ptx(gpu.polygon_mask, gpu.SIGNATURE, H200)
    version = tuple(map(int, re.search(r"^\.version (\d+)\.(\d+)", ptx, re.MULTILINE).groups()))
    assert version <= (9, 0)


# Linked with csrc's rule


@pytest.fixture(scope="module")
def codes(linked):
    return linked.codes(H200)


def test_the_kernel_links_with_the_rule_to_the_devices_own_code(codes):
    cubin = cuda_linking.link(codes, H200)
    assert cubin.startswith(b"\x7fELF")
    assert b"polygon_mask" in cubin


def test_linked_code_is_exact_and_inlined_across_languages(codes, linked):
    ptx = cuda_linking.link(codes, H200, "ptx").decode()
    assert not CALL.search(ptx)
    assert linked.NAME not in ptx
    assert_exact(ptx)


# Both sides come from one list


def test_there_is_no_float_type_to_confuse(linked):
    from numba import types

    assert "float" not in linked.TYPES
    assert types.float32 not in linked.TYPES.values()
    assert len(set(linked.TYPES.values())) == len(linked.TYPES)


def test_the_parameters_are_those_of_the_header(root, linked):
    header = (root / "csrc/inside_polygon.h").read_text()
    parameters = re.search(r"int inside_polygon\(([^)]*)\)", header)[1]
    parameters = parameters.replace("POLYMASK_SPACE ", "").replace("polymask_index", "long long")
    assert " ".join(parameters.split()) == ", ".join(
        f"{type_} {name}".replace("* ", "*") for name, type_ in linked.PARAMETERS.items()
    )


def ctype(type_):
    """Return the ctypes equivalent of a Numba type."""
    from numba import types

    if isinstance(type_, types.CPointer):
        return ctypes.POINTER(ctype(type_.dtype))
    return np.ctypeslib.as_ctypes_type(str(type_))


@pytest.fixture
def on_the_host(root, tmp_path, linked):
    """Compile a text with the host's compiler; return the function as its signature describes."""
    if not shutil.which("cc"):
        pytest.skip("cc is not installed")

    def compile_text(text):
        source, library = tmp_path / "linked.c", tmp_path / "linked.so"
        source.write_text(text)
        flags = (root / "csrc/engine/exact_flags.txt").read_text().split()
        subprocess.run(
            ["cc", "-O3", *flags, "-shared", "-fPIC", "-I", root / "csrc", "-o", library, source],
            check=True,
        )
        function = getattr(ctypes.CDLL(str(library)), linked.NAME)
        types = linked.signature()
        function.argtypes = [ctypes.POINTER(ctype(types.return_type)), *map(ctype, types.args)]
        function.restype = ctypes.c_int

        def inside(x, y, vertices, border_value):
            answer = ctype(types.return_type)(-1)
            address = vertices.ctypes.data_as(ctype(types.args[2]))
            assert function(answer, x, y, address, len(vertices), border_value) == 0
            return answer.value

        return inside

    return compile_text


HUGE, TINY = 1.7e308, 5e-324
HOSTILE = {
    "integers": [(1, 2), (9, 4), (3, 8), (7, 0)],
    "thirds": [(0, 0), (15, 5), (15, 5 + 1e-14), (1 / 3, 7)],
    "huge": [(5, -HUGE), (HUGE, HUGE), (-HUGE, 3)],
    "not a number inside": [(HUGE, -HUGE), (-HUGE, HUGE), (5, 3)],
    "denormal": [(0, TINY), (9, -TINY), (12, 3 * TINY)],
    "beyond a float": [(2**24 + 1, 2), (2**25 + 3, 5), (2**24 + 1, 9)],
}
POINTS = [(0.1, 0.3), (1, 2), (5, 5), (-0.0, TINY), (2**24 + 1, 4), (HUGE, 3), (1 / 3, 7)]


def differences(inside):
    """Return the polygons and points for which a function differs from the rule in Python."""
    grid = [(x, y) for y in range(9) for x in range(12)]
    result = []
    for name, polygon in HOSTILE.items():
        vertices = np.array(polygon, dtype=np.float64)
        for (x, y), border in ((p, b) for p in POINTS + grid for b in (0, 1)):
            expected = tuples.inside_polygon(float(x), float(y), vertices.tolist(), bool(border))
            if inside(x, y, vertices, border) != int(expected):
                result.append((name, x, y, border))
    return result


def test_the_text_computes_the_rule_on_the_host(linked, on_the_host):
    assert differences(on_the_host(linked.definition())) == []
