"""Helpers: several quick cases in one test, and the words that a message must contain."""

import contextlib
import functools
import inspect

import pytest


@contextlib.contextmanager
def case(name):
    """Name the failing case in a test of several cases."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error


def folded(names, cases):
    """Run a test for each case in turn; skip it if every case is skipped.

    The arguments are those of ``pytest.mark.parametrize``. All cases share the fixtures.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [values if len(names) > 1 else (values,) for values in cases]

    def decorate(test):
        parameters = inspect.signature(test).parameters

        @functools.wraps(test)
        def run(**fixtures):
            skipped = []
            for values in cases:
                arguments = dict(zip(names, values, strict=True))
                try:
                    with case(", ".join(f"{k}={v!r:.100}" for k, v in arguments.items())):
                        test(**fixtures, **arguments)
                except pytest.skip.Exception as error:
                    skipped.append(error)
            if len(skipped) == len(cases):
                raise skipped[-1]

        remaining = [parameter for name, parameter in parameters.items() if name not in names]
        run.__signature__ = inspect.Signature(remaining)
        return run

    return decorate


def says(text, *words):
    """Whether a text contains all of these words, whatever its wording."""
    return all(word in text for word in words)
