"""Links an answer for a GPU that is not here, compares its two sides' types, and runs both here."""

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong, same

NAMES = ("NAME", "SIGNATURE", "DEFINITION", "calling", "codes")
BYTES = {"f": "a float", "i": "a signed integer", "u": "an unsigned integer", "p": "a pointer"}
RTOL = 1e-12  # far finer than a float
NUMBERS, THREADS = 11, 12  # that foo makes, and that are launched: whole blocks


def check(answer, random):
    """Raise `Wrong` unless foo and bar link, agree in their types, and compute the numbers."""
    for name in NAMES:
        if not hasattr(answer, name):
            raise Wrong(f"linking.py has no {name}")
    if answer.SIGNATURE is None:
        raise Wrong("SIGNATURE is still None: write down what Python is told of bar")
    if answer.NAME != "bar":
        raise Wrong(f"NAME: the function is called bar, not {answer.NAME}")
    answer.doing("compiling and linking it")
    facts = answer.inside("linked")
    if not facts["is_code"]:
        raise Wrong("what was linked is no code of a device")
    agree(answer)
    if not facts["calls"]:
        raise Wrong(
            "foo was linked with a bar of ours, and gives what it gave before: it does not call bar"
        )
    rng = np.random.default_rng(random.randrange(10**6))
    numbers(answer, rng)


def agree(answer):
    """Raise `Wrong` unless both languages have the same types: the linker has not looked."""
    answer.doing("comparing the types of both sides")
    (answered, *taken), (types, target) = answer.inside("told"), answer.inside("defined")
    status, first, *parameters = [*types, ""]
    if first[:1] != "p":
        raise Wrong(
            "bar, in C: the first parameter is to be a pointer, to where the answer goes: Numba "
            "hands one over before all others"
        )
    if status != "i4":
        raise Wrong(f"bar, in C: it is to return an int, its status, and returns {words(status)}")
    if target != answered:
        raise Wrong(
            f"SIGNATURE says that bar gives {words(answered)}, and in C its first parameter points "
            f"to {words(target)}: it links all the same, and computes nonsense"
        )
    parameters = [one for one in parameters if one]
    if len(parameters) != len(taken):
        raise Wrong(
            f"SIGNATURE says that bar takes {len(taken)} numbers, and in C it takes "
            f"{len(parameters)} behind the first pointer: it links all the same"
        )
    for number, (here, there) in enumerate(zip(taken, parameters, strict=True), 1):
        if here != there:
            raise Wrong(
                f"SIGNATURE: argument {number} is {words(here)}, and in C {words(there)}: it links "
                "all the same, and computes nonsense"
            )


def words(type_):
    """Return what a type is called."""
    kind, size = type_[:1], type_[1:]
    return f"{BYTES[kind]} of {size} bytes" if kind in BYTES and size.isdigit() else type_


def numbers(answer, rng):
    """Raise `Wrong` unless the kernel, in Python, and bar, in C, make the numbers."""
    for i in (0, 7, 2**31 + 5, 2**52 + 1):
        start, step = rng.uniform(1, 2, 2).tolist()
        label = f"bar({start}, {step}, {i})"
        answer.doing(f"calling {label}")
        same(answer.inside("bar_of", start, step, i), start + i * step, label, RTOL)
    start, step = rng.uniform(1, 2, 2).tolist()
    answer.doing("running foo by Python, and bar by the host")
    facts = answer.inside("values", start, step, NUMBERS, THREADS)
    same(facts["out"], start + np.arange(NUMBERS) * step, "foo", RTOL)
    if facts["statuses"] != [0]:
        raise Wrong(
            f"bar, in C: it returned {facts['statuses'][-1]}, which is its status: 0 says that all "
            "went well, and anything else is an exception for Numba"
        )
