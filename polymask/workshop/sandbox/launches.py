"""Counts what a student's code launches on a device: an answer of the host's launches nothing."""

import functools

import pyopencl as cl

from polymask.workshop.sandbox.wrong import Wrong


class Launches:
    """A context in which the calls of one class of kernels are counted.

    Parameters
    ----------
    kind : type
        `pyopencl.Kernel`, which may be put into a queue by `enqueue_nd_range_kernel`, too, or a
        class that makes its kernel itself, such as `ElementwiseKernel`.
    module : module
        The student's, which may have imported `enqueue_nd_range_kernel` by its name.
    """

    def __init__(self, kind, module):
        self.kind, self.number = kind, 0
        self.places = [(kind, "__call__")]
        if kind is cl.Kernel:
            enqueue = cl.enqueue_nd_range_kernel
            own = [name for name, value in vars(module).items() if value is enqueue]
            self.places += [(cl, "enqueue_nd_range_kernel"), *((module, name) for name in own)]

    def __enter__(self):
        self.kept = [getattr(place, name) for place, name in self.places]
        for (place, name), function in zip(self.places, self.kept, strict=True):
            setattr(place, name, self.counting(function))
        return self

    def __exit__(self, *error):
        for (place, name), function in zip(self.places, self.kept, strict=True):
            setattr(place, name, function)

    def counting(self, function):
        """Return the function, counting its calls."""

        @functools.wraps(function)
        def counted(*arguments, **keywords):
            self.number += 1
            return function(*arguments, **keywords)

        return counted

    def need(self, label):
        """Raise `Wrong` if nothing was launched."""
        if not self.number:
            kind = "kernel" if self.kind is cl.Kernel else self.kind.__name__
            raise Wrong(
                f"{label}: the answer is right, but no {kind} was launched: the host computed it"
            )
