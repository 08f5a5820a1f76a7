"""Calls from Python of what Numba compiled: noted, given other numbers, or replaced by nothing.

Numba's classes are changed before the answer is imported, so that it finds no other way. A call
from one compiled function to another passes by no Python, and is not seen.
"""

import functools

import numpy as np
from numba.core.registry import CPUDispatcher
from numba.np.ufunc.dufunc import DUFunc
from numba.np.ufunc.gufunc import GUFunc
from numba.np.ufunc.parallel import ParallelGUFuncBuilder, ParallelUFuncBuilder
from numba.np.ufunc.ufuncbuilder import UFuncDispatcher
from numba.typed import List

from polymask.workshop.sandbox import in_bytes
from polymask.workshop.sandbox.environments import Environment

NJIT, UFUNC, GUFUNC = "njit", "vectorize", "guvectorize"  # kinds, by the decorator's name


def install():
    """Note all calls from now on."""
    return Compiled()


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
        self.watching, self.fast = False, []
        self.switch()
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

    def found(self):
        """Return the names of the functions with `fastmath`."""
        return self.fast

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
        """Do a call as it was asked for, with other numbers, or not at all."""
        if self.idle:
            return None
        note = {"kind": kind, "parallel": in_parallel(function), "nopython": True, "exchanged": 0}
        if self.watching:
            self.seen.append(note)
        if not self.exchanges:
            value = call(*arguments, **keywords)
        else:
            value = self.with_others(note, call, arguments, keywords)
        if kind == NJIT:
            note["nopython"] = bool(function.nopython_signatures)
        return value

    def with_others(self, note, call, arguments, keywords):
        """Do a call with other numbers where those lie that are to be exchanged."""
        given = [*arguments, *keywords.values()]
        taken = [exchanged(one, self.exchanges) for one in given]
        note["exchanged"] = sum(new is not old for new, old in zip(taken, given, strict=True))
        before = [np.copy(one) if isinstance(one, np.ndarray) else None for one in taken]
        n = len(arguments)
        value = call(*taken[:n], **dict(zip(keywords, taken[n:], strict=True)))
        for old, new, was in zip(given, taken, before, strict=True):
            if was is not None and new is not old and not np.array_equal(new, was):
                old[...] = new  # it was written to
        return value

    def switch(self, idle=False, exchanges=()):
        """Change what calls do.

        Parameters
        ----------
        idle : bool
            Whether calls do nothing, and return None.
        exchanges : sequence of (ndarray, ndarray)
            Numbers, and those that calls are given instead of them, of one shape each.
        """
        self.seen, self.idle, self.exchanges = [], idle, exchanges

    def before(self, arguments):
        """Begin."""
        self.seen, self.watching = [], True

    def after(self):
        """Return the calls."""
        self.watching = False
        return self.seen


def in_parallel(function):
    """Whether a function, or what builds one, was asked to use threads."""
    if isinstance(function, ParallelUFuncBuilder | ParallelGUFuncBuilder):
        return True
    return bool(getattr(function, "targetoptions", {}).get("parallel"))


def exchanged(value, pairs):
    """Return an argument with other numbers, or itself where it has none that are looked for."""
    if type(value) in (list, tuple, List):
        parts = list(value)
        made = [exchanged(one, pairs) for one in parts]
        alike = all(new is old for new, old in zip(made, parts, strict=True))
        return value if alike else type(value)(made)
    if isinstance(value, float | np.floating):
        made = exchanged(np.atleast_1d(value), pairs)[0]
        return value if made == value else type(value)(made)
    if type(value) is not np.ndarray or not value.size or value.dtype.kind not in "biuf":
        return value
    made = value
    for old, new in pairs:
        # As integers, many numbers are alike.
        differ = made.dtype.kind == "f" and unique(old)
        made = by_value(made, old, new) if differ else by_bytes(made, old, new)
    return made


def unique(array):
    """Whether numbers say by themselves where they are from: real ones, no two of them alike."""
    return array.dtype.kind == "f" and len(np.unique(array)) == array.size


def by_value(array, old, new):
    """Return an array with each number of `old` replaced, wherever it lies, by that of `new`."""
    wanted = old.astype(array.dtype).ravel()
    order = np.argsort(wanted)
    at = np.searchsorted(wanted, array, sorter=order)
    number = order[np.minimum(at, order.size - 1)]
    found = wanted[number] == array
    if not found.any():
        return array
    made = array.copy("K")
    made[found] = new.ravel()[number[found]]
    return made


def by_bytes(array, old, new):
    """Return an array with the numbers of `old` replaced where they lie one behind the other."""
    order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    text = array.tobytes(order)
    made = in_bytes.exchanged(text, [(old, new)])
    if made == text:
        return array
    return np.ndarray(array.shape, array.dtype, bytearray(made), order=order)
