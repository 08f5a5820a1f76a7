"""What tests share: several quick cases in one test, and what a message has to say."""

import contextlib
import functools
import inspect

import pytest


@contextlib.contextmanager
def case(name):
    """Name the case in which a test of several fails."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error


def folded(names, cases):
    """Run a test for one case after the other; it is skipped if all of them are.

    The arguments are those of ``pytest.mark.parametrize``; fixtures are shared by the cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [one if len(names) > 1 else (one,) for one in cases]

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

        kept = [one for name, one in parameters.items() if name not in names]
        run.__signature__ = inspect.Signature(kept)
        return run

    return decorate


def says(text, *words):
    """Whether a text has all of the words that matter, however its sentences are put."""
    return all(word in text for word in words)
