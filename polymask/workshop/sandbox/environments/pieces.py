"""Pieces of the kernels that PyOpenCL writes, exchanged before they are built: who works shows.

Only kernels that are made later are others: an answer may make one when it is imported.
"""

import functools
import inspect

from pyopencl import elementwise, reduction

from polymask.workshop.sandbox.environments import Environment


def install(join="", only=""):
    """Exchange pieces of each `ReductionKernel` and `ElementwiseKernel` from now on.

    Parameters
    ----------
    join : str
        An expression of `a` and `b` which stands in the place of a reduction's own.
    only : str
        A condition, of `i`: what is done for other elements of an ElementwiseKernel is left out.
    """
    if join:
        exchange(reduction.ReductionKernel, "reduce_expr", lambda own: join)
    if only:
        exchange(
            elementwise.ElementwiseKernel, "operation", lambda own: f"if ({only}) {{\n{own};\n}}"
        )
    return Environment()


def exchange(cls, name, made):
    """Let a class be made with another value of an argument: `made` returns it of the own one."""
    own = cls.__init__
    signature = inspect.signature(own)

    @functools.wraps(own)
    def init(*arguments, **keywords):
        given = signature.bind(*arguments, **keywords)
        given.arguments[name] = made(given.arguments[name])
        own(*given.args, **given.kwargs)

    cls.__init__ = init
