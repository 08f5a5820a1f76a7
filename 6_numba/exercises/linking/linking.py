"""A Python kernel that calls a C function: two compilers, and a linker that matches names only.

Nothing here needs a GPU: the code is compiled for a device that need not be present.
"""

from numba import cuda

from polymask.devices import cuda_linking

NAME = "bar"  # the name of the function in both languages

# The declaration of bar for Python: the types of its result and arguments, in Numba's names.
SIGNATURE = "float64(float64, float64, int64)"

# The definition in C: the i-th of the numbers start, start + step, start + 2 step and so on.
DEFINITION = """
extern "C" __device__ int bar(double *answer, double start, double step, long long i)
{
    *answer = start + i * step;
    return 0;
}
"""

KERNEL = "void(float64, float64, float64[::1])"  # the types of the arguments of foo


def calling(bar):
    """The kernel foo, which calls bar: thread i computes number i of out."""

    @cuda.jit
    def foo(start, step, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = bar(start, step, i)

    return foo


def codes(cc):
    """The codes to be linked for a compute capability: that of foo, then that of bar."""
    kernel = calling(cuda.declare_device(NAME, SIGNATURE))
    return [
        cuda_linking.code_of_kernel(kernel, KERNEL, cc),
        cuda_linking.code_of_text(DEFINITION, cc),
    ]
