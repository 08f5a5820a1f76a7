"""Kernels in Python linked with C++ functions, for a GPU that this machine may lack."""

import pytest

from ladder.devices import cuda_linking

pytestmark = pytest.mark.extra("cuda")

H200 = (9, 0)
SIGNATURE = "void(float64[::1])"
BAR = """
extern "C" __device__ int bar(double *answer, double a, double b)
{
    *answer = a / b;
    return 0;
}
"""


@pytest.fixture(scope="module", autouse=True)
def _installed():
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")


def foo(declaration):
    """Return the code of a kernel that calls bar with this declaration."""
    from numba import cuda

    bar = cuda.declare_device("bar", declaration)

    @cuda.jit
    def kernel(a):
        a[0] = bar(a[1], a[2])

    return cuda_linking.code_of_kernel(kernel, SIGNATURE, H200)


@pytest.fixture(scope="module")
def kernel():
    return foo("float64(float64, float64)")


def test_a_kernel_is_linked_with_a_function_and_inlines_it(kernel):
    codes = [kernel, cuda_linking.code_of_text(BAR, H200)]
    assert cuda_linking.link(codes, H200).startswith(b"\x7fELF")
    ptx = cuda_linking.link(codes, H200, "ptx").decode()
    assert "div.rn.f64" in ptx
    assert "bar" not in ptx


def test_a_function_that_is_nowhere_is_named(kernel):
    with pytest.raises(ValueError, match=r"cannot be linked: the kernel calls bar"):
        cuda_linking.link([kernel], H200)


@pytest.mark.parametrize("form", ["ptx", "cubin"])
def test_a_product_and_a_sum_are_not_fused_though_the_linker_would(kernel, form, monkeypatch):
    """The linker optimizes again and fuses by default, whatever the compilers' options."""
    from cuda.bindings import nvjitlink

    codes = [kernel, cuda_linking.code_of_text(BAR.replace("a / b", "a * b + 1"), H200)]
    exact = cuda_linking.link(codes, H200, form)
    if form == "ptx":
        assert b"fma" not in exact
        assert b"mul.rn.f64" in exact  # with explicit rounding, which prevents later fusion
    create = nvjitlink.create
    monkeypatch.setattr(
        nvjitlink,
        "create",
        lambda n, options: create(n - 1, [option for option in options if "fma" not in option]),
    )
    assert cuda_linking.link(codes, H200, form) != exact, "the option has no effect"


def test_the_rules_header_compiles_by_nvrtc_and_divides_as_ieee_says(kernel):
    text = '#include "inside_polygon.h"\n' + BAR.replace("a / b", "crossing_x(1, a, 2, b, a)")
    codes = [kernel, cuda_linking.code_of_text(text, H200)]
    ptx = cuda_linking.link(codes, H200, "ptx").decode()
    assert "add.rn.f64" in ptx
    assert "fma" not in ptx
