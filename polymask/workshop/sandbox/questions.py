"""What the judge may ask of an answer: a request is a function `do_...` of the child."""

import inspect
import json

import numpy as np

from polymask.workshop.sandbox import classes, counters, memory, peaks, poison, tamper

OURS = {
    "classes": classes,
    "counters": counters,
    "memory": memory,
    "peaks": peaks,
    "poison": poison,
}


def find(child, name, of=None, lane="yours"):
    """Return a function or a value: an object's of that number, or the answer's."""
    if of is not None:
        return getattr(child.held[of], name) if name else child.held[of]
    if child.way is not None and name == "make_mask":
        return child.way
    return getattr(child.lanes[lane], name)


def do_get(child, name, of=None):
    """Return an attribute, and whether there is one."""
    try:
        return {"value": find(child, name, of)}
    except AttributeError:
        return {"missing": True}


def do_set(child, name, value, of=None):
    """Set an attribute."""
    setattr(child.held[of] if of is not None else child.lanes["yours"], name, value)


def do_call(child, name, arguments, keywords, of=None):
    """Call a function of the answer's, or an object's."""
    return find(child, name, of)(*arguments, **keywords)


def do_observe(child, name, arguments, keywords, of=None, keep=False):
    """Call a function; say besides what it did to its arguments, and to arrays before."""
    function = find(child, name, of)
    before = written(child, arguments)
    value, facts = watched(child, function, arguments, keywords)
    facts["changed"] = changed(child, before, arguments)
    if type(value) is np.ndarray:
        facts["c_order"] = bool(value.flags.c_contiguous)
        facts["shares"] = next(
            (number for number, other in child.kept.items() if overlap(value, other)), None
        )
        if keep:
            child.kept_number += 1
            child.kept[child.kept_number] = value
            facts["kept"] = child.kept_number
    return {"value": value, "facts": facts}


def watched(child, function, arguments, keywords):
    """Call a function; return what it gave, and what the environments saw of it."""
    for environment in child.environments.values():
        environment.before(arguments)
    try:
        with np.errstate(all="ignore"):  # huge coordinates follow IEEE, and need no warnings
            value = function(*arguments, **keywords)
    finally:
        seen = {name: one.after() for name, one in child.environments.items()}
    return value, {"found": {name: found for name, found in seen.items() if found is not None}}


def changed(child, before, arguments):
    """Return the numbers of the arguments that are not what they were."""
    pairs = zip(before, written(child, arguments), strict=True)
    return [i for i, (old, new) in enumerate(pairs) if old != new]


def written(child, arguments):
    """Return what the arguments are, each as text and bytes."""
    found = []
    for argument in arguments:
        parts = []
        found.append((json.dumps(child.channel.codec.plain(argument, parts)), parts))
    return found


def do_kept(child, number):
    """Return an array that was kept, as it is now."""
    return child.kept[number]


def do_write(child, number, value):
    """Write into an array that was kept; it is the caller's."""
    child.kept[number][...] = value


def do_rewrite(child, of, value):
    """Write into an array that stands for an argument."""
    child.held[of][...] = value


def do_hold(child, value):
    """Keep a value here as it is, so that several calls get the very same object."""
    return {"held": child.hold(value)}


def do_release(child):
    """Let all arrays go."""
    child.kept.clear()


def do_switch(child, name, settings):
    """Change an environment."""
    child.environments[name].switch(**settings)


def do_found(child, name):
    """Return what an environment has seen since it was asked last."""
    return child.environments[name].found()


def do_inside(child, name, arguments, keywords):
    """Call a function of ours beside check.py; its first argument is the answer's module."""
    function, before = getattr(child.inside, name), written(child, arguments)
    value, seen = watched(child, function, [child.lanes["yours"], *arguments], keywords)
    return {"value": value, "facts": seen | {"changed": changed(child, before, arguments)}}


def do_ours(child, module, name, arguments):
    """Call a function of a module of the sandbox, which says what it saw."""
    with child.guard.starting():
        return getattr(OURS[module], name)(*arguments)


def do_bare(child, name, arguments):
    """Make an object of a class without calling its __init__."""
    cls = find(child, name)
    return cls.__new__(cls, *arguments)


def do_wrap(child, way):
    """Put a known wrong way in the place of the answer's mask, or take it away."""
    child.way = None
    if way:
        child.way = tamper.WAYS[way](find(child, "make_mask"))


def do_parameters(child, name):
    """Return the names of a function's parameters; None if it does not tell."""
    try:
        return list(inspect.signature(find(child, name)).parameters)
    except (TypeError, ValueError):
        return None


def overlap(a, b):
    """Whether two arrays share memory; if that is too hard to say, they do."""
    try:
        return np.may_share_memory(a, b) and np.shares_memory(a, b, max_work=100_000)
    except np.exceptions.TooHardError:
        return True
