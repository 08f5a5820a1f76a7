"""Notes about calls from Python to functions compiled with Numba.

Numba's classes are changed before the answer is imported, so that all its calls are noted. A call
from one compiled function to another does not pass through Python, and is not noted.
"""

import functools
from collections import Counter

from numba.core.registry import CPUDispatcher
from numba.np.ufunc.dufunc import DUFunc
from numba.np.ufunc.gufunc import GUFunc
from numba.np.ufunc.parallel import ParallelGUFuncBuilder, ParallelUFuncBuilder
from numba.np.ufunc.ufuncbuilder import UFuncDispatcher

from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.environments import Environment

NJIT, UFUNC, GUFUNC = "njit", "vectorize", "guvectorize"  # names of decorators


class UfuncProxy:
    """A proxy that notes calls to a ufunc that Numba built with NumPy's own class."""

    def __init__(self, ufunc, note_call):
        self._ufunc, self._note_call = ufunc, note_call

    def __call__(self, *arguments, **keywords):
        """Call the ufunc."""
        return self._note_call(self._ufunc, arguments, keywords)

    def __getattr__(self, name):
        return getattr(self._ufunc, name)


class Compiled(Environment):
    """Notes about each call: the decorator of the function, and how it was compiled."""

    def __init__(self):
        super().__init__()
        self.fast, self.created = [], Counter()  # names of functions, and each one's dispatchers
        self.watch_options(CPUDispatcher, "__init__")
        self.watch_options(UFuncDispatcher, "compile")
        for cls, decorator in ((CPUDispatcher, NJIT), (DUFunc, UFUNC), (GUFunc, GUFUNC)):
            self.watch_calls(cls, decorator)
        for cls, decorator in ((ParallelUFuncBuilder, UFUNC), (ParallelGUFuncBuilder, GUFUNC)):
            self.watch_builder(cls, decorator)

    def watch_calls(self, cls, decorator):
        """Note the calls to a class's objects."""
        original = cls.__call__

        @functools.wraps(original)
        def call(function, *arguments, **keywords):
            return self.note_call(
                decorator, functools.partial(original, function), function, arguments, keywords
            )

        cls.__call__ = call

    def watch_options(self, cls, name):
        """Note the functions with `fastmath`, through the method that records options."""
        original = getattr(cls, name)

        @functools.wraps(original)
        def method(dispatcher, *arguments, **keywords):
            value = original(dispatcher, *arguments, **keywords)
            options, function = dispatcher.targetoptions | keywords, dispatcher.py_func
            of_numba = (function.__module__ or "").partition(".")[0] == "numba"
            self.created[function.__code__] += name == "__init__" and not of_numba
            if self.created[function.__code__] > 5:  # a loop over options decorates fewer times
                fact = f"each call compiles {function.__name__} again"
                raise CheckFailed(fact, advice="decorate it once, outside all functions")
            if options.get("fastmath") and not of_numba and function.__name__ not in self.fast:
                self.fast.append(function.__name__)
            return value

        setattr(cls, name, method)

    def watch_builder(self, cls, decorator):
        """Note the calls to the ufuncs that a class builds, which have NumPy's own class."""
        original = cls.build_ufunc

        @functools.wraps(original)
        def build_ufunc(builder):
            def note_call(ufunc, arguments, keywords):
                return self.note_call(decorator, ufunc, builder, arguments, keywords)

            return UfuncProxy(original(builder), note_call)

        cls.build_ufunc = build_ufunc

    def note_call(self, decorator, call, function, arguments, keywords):
        """Make a call, and note it."""
        note = {"decorator": decorator, "parallel": is_parallel(function), "nopython": True}
        if self.watching:  # otherwise the notes would take memory for each call
            self.notes.append(note)
        value = call(*arguments, **keywords)
        if decorator == NJIT:
            note["nopython"] = bool(function.nopython_signatures)
        return value


install = Compiled  # called before the answer is imported


def is_parallel(function):
    """Whether a function, or a builder of one, uses threads."""
    if isinstance(function, ParallelUFuncBuilder | ParallelGUFuncBuilder):
        return True
    return bool(getattr(function, "targetoptions", {}).get("parallel"))
