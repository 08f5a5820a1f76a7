"""Speed as ratios: the student's function, the rung before and the solution, in shuffled rounds.

A ratio is that of two medians, which are shown beside it: who divides them gets it. Its interval
comes from drawing the rounds anew. It decides what can be said of an answer.
"""

import gc
import itertools
import random
import time

import numpy as np

from polymask import stats
from polymask.ladder import reference, registry, workload
from polymask.workshop.sandbox.wrong import same_mask

SAMPLE_S = 0.004  # a fast function repeats inside a sample until it lasts so long
SECONDS = 2.5  # of a try
FEWEST, MOST = stats.ENOUGH, 60
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane above yours
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
STEP = 2.0**-20  # of a pixel, by which a turn's polygon is beside the one of the turn before
DRAWN = 1000  # times that the rounds are drawn for an interval


def lanes(exercise, module, own, solution):
    """Return what runs: yours, before and solution, and what is right.

    Parameters
    ----------
    exercise : Exercise
    module : module
        The student's.
    own : module or None
        The exercise's check.py.
    solution : module or None
        The solution's, where the exercise has no rung.

    Returns
    -------
    functions : dict
        Name to function of one argument, its turn. A mask is made of a polygon that no turn had
        before: one that was kept is of no use.
    right : callable or None
        Turn to the right mask; None where the functions make no masks.
    """
    speed = exercise.speed
    if own is not None and hasattr(own, "timed"):
        found = {"yours": own.timed(module), "before": own.before(module)}
        if solution is not None:
            found["solution"] = own.timed(solution)
        return {name: lambda _, f=f: f() for name, f in found.items()}, None
    shape = (speed.size, speed.size)
    vertices = workload.polygon(shape=shape)
    found = {"yours": module.make_mask}
    for name, key in (("before", speed.before), ("solution", speed.solution)):
        if key is not None:
            found[name] = registry.get(key).load()
    if solution is not None:
        found["solution"] = solution.make_mask

    def of(make_mask):
        return lambda turn: make_mask(vertices + turn * STEP, shape)

    return {name: of(make_mask) for name, make_mask in found.items()}, of(reference.mask)


def what(exercise, own):
    """Return in words what is measured, of which the ratios are true."""
    if own is not None and hasattr(own, "timed"):
        return own.MEASURED
    size = exercise.speed.size
    return f"masks of {size} x {size} pixels, polygons of {workload.VERTICES} vertices"


def run(speed, functions, right=None):
    """Measure; try a second time if it is not clearly fast enough.

    Returns
    -------
    dict
        As `measure` returns it, and tries.

    Raises
    ------
    Wrong
        If a mask that was timed is not `right`.
    """
    for tries in (1, 2):
        found = measure(functions, right) | {"tries": tries}
        if verdict(found, speed) == FAST:
            break
    return found


def verdict(found, speed, shift=1.0):
    """Say what the intervals of the ratios allow to be said.

    Parameters
    ----------
    found : dict
        As `measure` returns it.
    speed : Speed
        What is asked for.
    shift : float
        By so much may other programs on the cores have moved a ratio, up or down.

    Returns
    -------
    str
        `FAST` if all intervals lie above what is asked for, `SLOW` if one lies below, `UNCLEAR`.
    """
    asked = [(found["between"][name], getattr(speed, name)) for name in found["between"]]
    if any(high * shift < least for (_, high), least in asked):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in asked if least) else UNCLEAR


def measure(functions, right=None):
    """Measure each function in shuffled rounds.

    Returns
    -------
    dict
        seconds: the median of each function; times_before and of_solution: how many times as fast
        yours is, None where there is no such lane; between: the 95 % interval of those that there
        are, (low, high); rounds.
    """
    repeats, round_s, turns = {}, 0.0, itertools.count()
    for name, function in functions.items():
        function(next(turns))  # what is paid once: a build, a first launch, a team of threads
        once = sample(function, 1, turns)[0]
        repeats[name] = max(1, int(SAMPLE_S / max(once, 1e-7)))
        round_s += once * repeats[name]
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    samples = {name: [] for name in functions}
    order, names = random.Random(0), list(functions)
    timed = []
    for number in range(rounds):
        order.shuffle(names)
        for name in names:
            taken, turn, got = sample(functions[name], repeats[name], turns)
            samples[name].append(taken)
            if name == "yours" and number in (0, rounds // 2, rounds - 1):
                timed.append((turn, got))
    if right:
        for turn, got in timed:
            same_mask(got, right(turn), "the masks that were timed")
    return {"rounds": rounds} | ratios(samples)


def ratios(samples):
    """Make medians, ratios of medians and their intervals of samples: name to a time per round."""
    seconds = {name: stats.median(taken) for name, taken in samples.items()}
    there = {ratio: above for ratio, above in RATIOS.items() if above in samples}
    rounds = len(samples["yours"])
    drawn = np.random.default_rng(0).integers(rounds, size=(DRAWN, rounds))
    medians = {name: np.median(np.asarray(taken)[drawn], axis=1) for name, taken in samples.items()}
    return {
        "seconds": seconds,
        **{r: seconds[there[r]] / seconds["yours"] if r in there else None for r in RATIOS},
        "between": {
            r: stats.percentiles(medians[above] / medians["yours"]) for r, above in there.items()
        },
    }


def sample(function, repeats, turns):
    """Return seconds per call, and the last turn with what it gave."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(repeats):
            turn = next(turns)
            got = function(turn)
        return (time.perf_counter() - start) / repeats, turn, got
    finally:
        if collecting:
            gc.enable()
