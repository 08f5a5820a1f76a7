"""Functions that repeat another one elsewhere: they take over its signature and documentation."""

import inspect
import re
from types import SimpleNamespace


def twin_of(host, without=()):
    """Give a function the parameters of another one, and their documentation.

    The function has `**options` for the parameters of `host` that it does not name, except those in
    `without`. Its docstring describes the parameters that differ; the entries of the others, and of
    those that are the same, are added.
    """

    def decorate(function):
        signature, theirs = inspect.signature(function), dict(inspect.signature(host).parameters)
        own = {n: p for n, p in signature.parameters.items() if p.kind != p.VAR_KEYWORD}
        for name in without:
            del theirs[name]
        others = [each for name, each in theirs.items() if name not in own]
        parameters = sorted([*own.values(), *others], key=lambda each: each.kind)
        function.__signature__ = signature.replace(parameters=parameters)
        head, entries, tail = _split(function.__doc__)
        described = {name for entry in entries for name in _names(entry)}
        copies = (_only(entry, theirs.keys() - described) for entry in _split(host.__doc__)[1])
        lines = [line for entry in (*entries, *copies) for line in entry]
        function.__doc__ = "\n".join([*head, *lines, *tail])
        return function

    return decorate


def _split(text):
    """Return the lines before the parameters of a docstring, those of each, and those after."""
    lines = inspect.cleandoc(text).splitlines()
    start = lines.index("Parameters") + 2
    end = next(n for n in range(start, len(lines)) if re.fullmatch("-+", lines[n])) - 1
    entries = []
    for line in filter(None, lines[start:end]):
        if line.startswith(" "):
            entries[-1].append(line)
        else:
            entries.append([line])
    return lines[:start], entries, ["", *lines[end:]]


def _names(entry):
    """Return the names of the parameters that an entry describes."""
    return entry[0].partition(" : ")[0].split(", ")


def _only(entry, names):
    """Return the entry of several parameters for those in `names`; it is empty without any."""
    _, colon, type_text = entry[0].partition(" : ")
    kept = [name for name in _names(entry) if name in names]
    return [", ".join(kept) + colon + type_text, *entry[1:]] if kept else []


def options_of(host, options):
    """Return the options of a function that are given by name, with its defaults for others."""
    bound = inspect.signature(host).bind_partial(**options)
    bound.apply_defaults()
    return SimpleNamespace(**bound.arguments)
