"""Calls from Python of what Numba compiled: noted.

Numba's classes are changed before the answer is imported, so that it finds no other way. A call
from one compiled function to another passes by no Python, and is not seen.
"""

import functools

from numba.core.registry import CPUDispatcher
from numba.np.ufunc.dufunc import DUFunc
from numba.np.ufunc.gufunc import GUFunc
from numba.np.ufunc.parallel import ParallelGUFuncBuilder, ParallelUFuncBuilder
from numba.np.ufunc.ufuncbuilder import UFuncDispatcher

from polymask.workshop.sandbox.environments import Environment

NJIT, UFUNC, GUFUNC = "njit", "vectorize", "guvectorize"  # kinds, by the decorator's name


class Stand:
    """Stands for a ufunc of NumPy's own class that Numba made, so that its calls are seen."""

    def __init__(self, ufunc, called):
        self._ufunc, self._called = ufunc, called

    def __call__(self, *arguments, **keywords):
        """Do what the ufunc does."""
        return self._called(self._ufunc, arguments, keywords)

    def __getattr__(self, name):
        return getattr(self._ufunc, name)


class Compiled(Environment):
    """Notes of each call which kind of function it was of, and how that was compiled."""

    def __init__(self):
        super().__init__()
        self.fast = []  # names of functions
        self.watch_options(CPUDispatcher, "__init__")
        self.watch_options(UFuncDispatcher, "compile")
        for cls, kind in ((CPUDispatcher, NJIT), (DUFunc, UFUNC), (GUFunc, GUFUNC)):
            self.watch_calls(cls, kind)
        for cls, kind in ((ParallelUFuncBuilder, UFUNC), (ParallelGUFuncBuilder, GUFUNC)):
            self.watch_builder(cls, kind)

    def watch_calls(self, cls, kind):
        """Let the calls of a class's objects be seen."""
        own = cls.__call__

        @functools.wraps(own)
        def call(function, *arguments, **keywords):
            return self.called(
                kind, functools.partial(own, function), function, arguments, keywords
            )

        cls.__call__ = call

    def watch_options(self, cls, name):
        """Note the functions with `fastmath`: a method records them, from whichever caller."""
        own = getattr(cls, name)

        @functools.wraps(own)
        def method(dispatcher, *arguments, **keywords):
            value = own(dispatcher, *arguments, **keywords)
            options, function = dispatcher.targetoptions | keywords, dispatcher.py_func
            of_numba = (function.__module__ or "").partition(".")[0] == "numba"
            if options.get("fastmath") and not of_numba and function.__name__ not in self.fast:
                self.fast.append(function.__name__)
            return value

        setattr(cls, name, method)

    def watch_builder(self, cls, kind):
        """Let the calls of what a class builds be seen: that is a ufunc of NumPy's own class."""
        own = cls.build_ufunc

        @functools.wraps(own)
        def build_ufunc(builder):
            def called(ufunc, arguments, keywords):
                return self.called(kind, ufunc, builder, arguments, keywords)

            return Stand(own(builder), called)

        cls.build_ufunc = build_ufunc

    def called(self, kind, call, function, arguments, keywords):
        """Do a call, and note it."""
        note = {"kind": kind, "parallel": in_parallel(function), "nopython": True}
        if self.watching:  # else they would take memory, call by call
            self.seen.append(note)
        value = call(*arguments, **keywords)
        if kind == NJIT:
            note["nopython"] = bool(function.nopython_signatures)
        return value


install = Compiled  # called before the answer is imported


def in_parallel(function):
    """Whether a function, or what builds one, was asked to use threads."""
    if isinstance(function, ParallelUFuncBuilder | ParallelGUFuncBuilder):
        return True
    return bool(getattr(function, "targetoptions", {}).get("parallel"))
