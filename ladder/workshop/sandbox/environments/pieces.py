"""Replaced pieces of PyOpenCL's kernels, which show whether an answer uses the kernels."""

import contextlib
import functools
import inspect

from pyopencl import elementwise, reduction, scan


@contextlib.contextmanager
def exchanged(join="", only=""):
    """Replace pieces of each new kernel of PyOpenCL's classes within a block.

    Parameters
    ----------
    join : str
        An expression of `a` and `b` that replaces that of a reduction or a scan.
    only : str
        A condition on `i`: an ElementwiseKernel skips all other elements.
    """
    classes = reduction.ReductionKernel, scan.GenericScanKernel, elementwise.ElementwiseKernel
    own = [cls.__init__ for cls in classes]
    if join:
        replace_argument(classes[0], "reduce_expr", lambda own: join)
        replace_argument(classes[1], "scan_expr", lambda own: join)
    if only:
        replace_argument(classes[2], "operation", lambda own: f"if ({only}) {{\n{own};\n}}")
    try:
        yield
    finally:
        for cls, init in zip(classes, own, strict=True):
            cls.__init__ = init


def replace_argument(cls, name, replace):
    """Change an argument of a class's constructor: `replace` returns its new value."""
    own = cls.__init__
    signature = inspect.signature(own)

    @functools.wraps(own)
    def init(*arguments, **keywords):
        bound = signature.bind(*arguments, **keywords)
        bound.arguments[name] = replace(bound.arguments[name])
        own(*bound.args, **bound.kwargs)

    cls.__init__ = init
