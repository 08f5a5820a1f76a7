"""A kernel in Python that calls a function in C: two compilers, a linker that knows names alone.

Nothing here needs a GPU: the code is made for one that is somewhere else.
"""

from numba import cuda

from polymask.devices import cuda_linking

NAME = "bar"  # of the function, in both languages

# What Python is told of bar: what it gives, and what it takes. Its types are Numba's.
SIGNATURE = "float64(float64, float64, int64)"

# What C has: the i-th of the numbers start, start + step, start + 2 step and so on.
DEFINITION = """
extern "C" __device__ int bar(double *answer, double start, double step, long long i)
{
    *answer = start + i * step;
    return 0;
}
"""

KERNEL = "void(float64, float64, float64[::1])"  # the types of foo's arguments


def calling(bar):
    """The kernel foo, which calls bar: number i of out, in the thread whose number it is."""

    @cuda.jit
    def foo(start, step, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = bar(start, step, i)

    return foo


def codes(cc):
    """What is to be linked for devices of a compute capability: foo's code, then bar's."""
    kernel = calling(cuda.declare_device(NAME, SIGNATURE))
    return [
        cuda_linking.code_of_kernel(kernel, KERNEL, cc),
        cuda_linking.code_of_text(DEFINITION, cc),
    ]
