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
    ptx = cuda_linking.ptx(gpu.polygon_mask, H200)
    assert ".target sm_90" in ptx
    assert not CALL.search(ptx)  # the rule is part of the kernel
    assert_exact(ptx)


def test_the_ptx_is_of_a_version_that_drivers_of_cuda_13_0_read(gpu):
    """Newer compilers write newer versions, which such a driver rejects."""
    ptx = cuda_linking.ptx(gpu.polygon_mask, H200)
    version = tuple(map(int, re.search(r"^\.version (\d+)\.(\d+)", ptx, re.MULTILINE).groups()))
    assert version <= (9, 0)


# Linked with csrc's rule


def test_linked_code_is_exact_and_inlined_across_languages(linked):
    ptx = cuda_linking.linked_ptx(linked, H200).decode()
    assert "polygon_mask" in ptx
    assert not CALL.search(ptx)
    assert linked.NAME not in ptx
    assert_exact(ptx)


# The declaration in Python is the definition in C, and that of the header


def test_the_parameters_are_those_of_the_header(root, linked):
    header = (root / "csrc/engine/include/polymask/inside_polygon.h").read_text()
    parameters = re.search(r"int inside_polygon\(([^)]*)\)", header)[1]
    parameters = parameters.replace("POLYMASK_SPACE ", "").replace("polymask_index", "long long")
    assert f"int *result, {' '.join(parameters.split())})" in linked.DEFINITION


def declared(linked):
    """Return the types of the arguments and of the result, as Python declares them."""
    from numba.core import sigutils

    return sigutils.normalize_signature(linked.SIGNATURE)


def test_the_declaration_has_the_types_of_the_definition(linked):
    in_c = {"int32": "int", "float64": "double", "int64": "long long", "float64*": "const double *"}
    arguments, result = declared(linked)
    (parameters,) = re.findall(rf"{linked.NAME}\(([^)]*)\)", linked.DEFINITION)
    types = re.findall(r"\s*([\w ]+ \*?)\w+(?:,|$)", parameters)
    expected = [f"{in_c[str(result)]} *", *(in_c[str(type_)] for type_ in arguments)]
    assert [type_.rstrip() for type_ in types] == expected


def ctype(type_):
    """Return the ctypes equivalent of a Numba type."""
    from numba import types

    if isinstance(type_, types.CPointer):
        return ctypes.POINTER(ctype(type_.dtype))
    return np.ctypeslib.as_ctypes_type(str(type_))


@pytest.fixture
def on_the_host(root, tmp_path, linked):
    """Compile a text with the host's compiler; return the function as its signature describes."""
    if not shutil.which("c++"):
        pytest.skip("c++ is not installed")

    def compile_text(text):
        source, library = tmp_path / "linked.cpp", tmp_path / "linked.so"
        source.write_text(text)
        flags = (root / "csrc/engine/exact_flags.txt").read_text().split()
        flags += ["-D__device__=", "-shared", "-fPIC", "-I", root / "csrc"]
        subprocess.run(["c++", "-O3", *flags, "-o", library, source], check=True)
        function = getattr(ctypes.CDLL(str(library)), linked.NAME)
        arguments, result = declared(linked)
        function.argtypes = [ctypes.POINTER(ctype(result)), *map(ctype, arguments)]
        function.restype = ctypes.c_int

        def inside(x, y, vertices, border_value):
            answer = ctype(result)(-1)
            address = vertices.ctypes.data_as(ctype(arguments[2]))
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
    assert differences(on_the_host(linked.DEFINITION)) == []
