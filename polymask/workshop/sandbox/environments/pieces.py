"""Pieces of the kernels that PyOpenCL writes, exchanged before they are built: who works shows."""

import contextlib
import functools
import inspect

from pyopencl import elementwise, reduction, scan


@contextlib.contextmanager
def exchanged(join="", only=""):
    """Exchange pieces of each kernel of PyOpenCL's classes that is made meanwhile.

    Parameters
    ----------
    join : str
        An expression of `a` and `b` which stands in the place of a reduction's, or a scan's, own.
    only : str
        A condition, of `i`: what is done for other elements of an ElementwiseKernel is left out.
    """
    classes = reduction.ReductionKernel, scan.GenericScanKernel, elementwise.ElementwiseKernel
    own = [cls.__init__ for cls in classes]
    if join:
        exchange(classes[0], "reduce_expr", lambda own: join)
        exchange(classes[1], "scan_expr", lambda own: join)
    if only:
        exchange(classes[2], "operation", lambda own: f"if ({only}) {{\n{own};\n}}")
    try:
        yield
    finally:
        for cls, init in zip(classes, own, strict=True):
            cls.__init__ = init


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
