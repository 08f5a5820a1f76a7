"""A Python kernel that calls a C function: two compilers, and a linker that compares only names.

This module needs no GPU: the code is compiled for a device that need not be present.
"""

from numba import cuda

from ladder.devices import cuda_linking

# The declaration of bar for Python: the types of its result and arguments, in Numba's names.
SIGNATURE = "float64(float64, float64, int64)"

# The definition in C: number i of the sequence start, start + step, start + 2 step and so on.
DEFINITION = """
extern "C" __device__ int bar(double *answer, double start, double step, long long i)
{
    *answer = start + i * step;
    return 0;
}
"""

KERNEL = "void(float64, float64, float64[::1])"  # the types of the arguments of foo


def calling(bar):
    """Return the kernel foo, which calls bar: thread i computes number i of out."""

    @cuda.jit
    def foo(start, step, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = bar(start, step, i)

    return foo


def codes(cc):
    """Compile for a compute capability; return the codes to be linked, of foo and of bar."""
    kernel = calling(cuda.declare_device("bar", SIGNATURE))
    return [
        cuda_linking.code_of_kernel(kernel, KERNEL, cc),
        cuda_linking.code_of_text(DEFINITION, cc),
    ]
