"""Speed as ratios: the student's function, the rung before and the solution, in shuffled rounds."""

import gc
import itertools
import random
import time

from polymask import reference, rungs, workload
from polymask.bench import stats, yardstick
from polymask.workshop.compare import same_mask

SAMPLE_S = 0.004  # a fast function repeats inside a sample until it lasts so long
SECONDS = 2.5  # of a try
FEWEST, MOST = 3, 60
STEP = 2.0**-20  # of a pixel, by which a turn's polygon is beside the one of the turn before
RESTLESS = 1.25  # median over minimum of the probe: others have held the core


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
    if own is not None and hasattr(own, "race"):
        found = {"yours": own.race(module), "before": own.before(module)}
        if solution is not None:
            found["solution"] = own.race(solution)
        return {name: lambda _, f=f: f() for name, f in found.items()}, None
    shape = (speed.size, speed.size)
    vertices = workload.polygon(shape=shape)
    found = {"yours": module.make_mask}
    for name, key in (("before", speed.before), ("solution", speed.solution)):
        if key is not None:
            found[name] = rungs.get(key).load()
    if solution is not None:
        found["solution"] = solution.make_mask

    def of(make_mask):
        return lambda turn: make_mask(vertices + turn * STEP, shape)

    return {name: of(make_mask) for name, make_mask in found.items()}, of(reference.mask)


def run(speed, functions, right=None):
    """Measure; try a second time if it is not fast enough, as the machine may have been busy.

    Returns
    -------
    dict
        seconds of each; times_before and of_solution, None where there is no such lane; good;
        tries; and whether the machine was busy in the last.

    Raises
    ------
    Wrong
        If a mask that was timed is not `right`.
    """
    for tries in (1, 2):
        found = measure(functions, right)
        found["tries"] = tries
        found["good"] = (found["times_before"] or speed.times_before) >= speed.times_before and (
            found["of_solution"] or speed.of_solution
        ) >= speed.of_solution
        if found["good"]:
            break
    return found


def measure(functions, right=None):
    """Measure each function in shuffled rounds; return the medians, and medians of the ratios."""
    repeats, round_s, turns = {}, 0.0, itertools.count()
    for name, function in functions.items():
        function(next(turns))  # what is paid once: a build, a first launch, a team of threads
        once = sample(function, 1, turns)[0]
        repeats[name] = max(1, int(SAMPLE_S / max(once, 1e-7)))
        round_s += once * repeats[name]
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    samples, probes = {name: [] for name in functions}, []
    order, names = random.Random(0), list(functions)
    timed = []
    for number in range(rounds):
        order.shuffle(names)
        probes.append(yardstick.probe())
        for name in names:
            taken, turn, got = sample(functions[name], repeats[name], turns)
            samples[name].append(taken)
            if name == "yours" and number in (0, rounds // 2, rounds - 1):
                timed.append((turn, got))
    if right:
        for turn, got in timed:
            same_mask(got, right(turn), "the masks that were timed")

    def ratio(above, below):
        if not (samples.get(above) and samples.get(below)):
            return None
        return stats.median([a / b for a, b in zip(samples[above], samples[below], strict=True)])

    return {
        "seconds": {name: stats.median(taken) for name, taken in samples.items()},
        "times_before": ratio("before", "yours"),
        "of_solution": ratio("solution", "yours"),
        "rounds": rounds,
        "busy": stats.median(probes) > RESTLESS * min(probes),
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
