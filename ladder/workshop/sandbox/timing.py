"""Speed ratios of the student's function to the rung before and the solution, in one process.

The functions take turns in shuffled rounds. In each, they get the same polygons, drawn from a shape
and a seed, in a batch of calls. An untimed call with that shape comes first: an OpenCL driver may
compile a kernel again for each image size. One result from each of the student's batches is
checked. A ratio is that of two medians, which are shown beside it. Resampling the rounds
(bootstrap) gives the interval of the ratio, which decides the verdict.
"""

import gc
import random
import time

import numpy as np

from ladder import registry
from ladder.common import confidence
from ladder.registry import reference, workload
from ladder.workshop.sandbox.check_failed import same, same_mask

MOST_CALLS = 1000  # in a batch
BATCH = 2**26  # bytes of all masks in a batch
AROUND = 0.03  # the largest relative difference of rows and columns from the size
SAMPLE_S = 0.004  # duration of a batch of calls to a fast function
SECONDS = 2.0  # per try
FEWEST, MOST = confidence.ENOUGH, 60  # rounds
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane compared with yours
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
EQUAL_BATCHES = {"yours", "solution"}  # lanes with batches of equal length
RESAMPLES = 1000  # of the rounds, for an interval
BUSY_SHIFT = 2.0  # the factor by which other programs may move a ratio, by sharing a core


class Masks:
    """Calls that make masks whose shapes are near a size."""

    def __init__(self, size):
        self.size, self.around = size, max(1, round(AROUND * size))
        self.most = min(MOST_CALLS, max(1, BATCH // (size + self.around) ** 2))

    def draw(self, rng, n):
        """Return the arguments of n calls, with the same shape."""
        shape = tuple(self.size + rng.randint(-self.around, self.around) for _ in range(2))
        seeds = [rng.getrandbits(32) for _ in range(n)]
        return [(workload.polygon(shape=shape, seed=seed), shape) for seed in seeds]

    @staticmethod
    def check_result(got, call):
        """Raise `CheckFailed` unless a call returned the right mask."""
        same_mask(got, reference.mask(*call), "the masks that were timed")


class Values:
    """Calls to an exercise's own function: `timed` draws arguments and right results."""

    most = MOST_CALLS

    def __init__(self, timed):
        self.timed, self.expected = timed, {}

    def draw(self, rng, n):
        """Return the arguments of n calls."""
        calls = [self.timed(rng) for _ in range(n)]
        self.expected = dict(calls)
        return [arguments for arguments, _ in calls]

    def check_result(self, got, call):
        """Raise `CheckFailed` unless a call returned the right result."""
        label = f"the calls that were timed, with {', '.join(map(str, call))}"
        same(got, self.expected[call], label, rtol=1e-9)


def calls_of(exercise):
    """Return the calls that an exercise times: `Masks`, or `Values` if it names functions."""
    if exercise.speed.functions:
        return Values(exercise.own_check().timed)
    return Masks(exercise.speed.size)


def lanes_of(target, answer, solution):
    """Return a dict from lane to timed function: yours, and those that it is compared with.

    `solution` is the solution's module if the exercise has no rung, and else None.
    """
    modules = {"yours": answer}
    for lane, key in (("before", target.before), ("solution", target.solution)):
        if key:
            modules[lane] = registry.get(key).module()
        elif solution and (lane == "solution" or lane in target.functions):
            modules[lane] = solution
    names = target.functions
    default = names.get("yours", "make_mask")
    return {lane: getattr(module, names.get(lane, default)) for lane, module in modules.items()}


def run(target, lanes, calls, seed):
    """Time the lanes; repeat once if the answer is not clearly fast enough.

    `lanes` is a result of `lanes_of`, `calls` one of `calls_of`, and `target` the exercise's
    `Speed`. The timing ends early if the verdict would be the same on a busy machine.

    Returns a dict of seconds, the median of each function; times_before and of_solution, how many
    times as fast yours is, or None without such a lane; between, the 95 % intervals (low, high) of
    these ratios; rounds, in all tries together; and tries. Raises `CheckFailed` if a timed result
    is wrong.
    """
    rng, samples = random.Random(seed), {name: [] for name in lanes}

    def is_settled():
        return verdict(ratios(samples), target, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, calls, rng, samples, is_settled)
        result = {"rounds": len(samples["yours"])} | ratios(samples) | {"tries": tries}
        if is_settled() or verdict(result, target) == FAST:
            break
    return result


def measure(lanes, calls, rng, samples, is_settled=lambda: False):
    """Append seconds per call to `samples`, in shuffled rounds, until `is_settled` after a few."""
    repeats, round_s = {}, 0.0
    for name in lanes:
        batch(lanes, name, calls, rng.getrandbits(32), 1)  # one-time costs: a build, threads
        n = 1
        while True:
            begun = time.perf_counter()
            seconds = batch(lanes, name, calls, rng.getrandbits(32), n)
            if seconds >= SAMPLE_S / 2 or n >= calls.most:
                break
            n = min(2 * n, calls.most)
        repeats[name] = n
        round_s += time.perf_counter() - begun
    equal = repeats.keys() & EQUAL_BATCHES  # so that they can be compared with each other
    repeats |= dict.fromkeys(equal, max(repeats[name] for name in equal))
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    names = list(lanes)
    for done in range(rounds):
        if done and done % FEWEST == 0 and is_settled():
            break
        rng.shuffle(names)
        seed, chosen = rng.getrandbits(32), rng.randrange(repeats["yours"])
        for name in names:
            look = chosen if name == "yours" else 0
            seconds = batch(lanes, name, calls, seed, repeats[name], look)
            samples[name].append(seconds / repeats[name])


def batch(lanes, name, calls, seed, n, look=0):
    """Draw and time n calls of a lane; return the seconds. Check one result, if it is yours."""
    first, *arguments = calls.draw(random.Random(seed), n + 1)
    lanes[name](*first)
    seconds, value = timed(lanes[name], arguments, look)
    if name == "yours":
        calls.check_result(value, arguments[look])
    return seconds


def timed(function, calls, chosen):
    """Make calls; return their time in seconds, and the result of one of them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        begun = time.perf_counter()
        values = [function(*call) for call in calls]
        return time.perf_counter() - begun, values[chosen]
    finally:
        if was_enabled:
            gc.enable()


def ratios(samples):
    """Return medians, ratios of medians and their intervals; `samples` has a time per round."""
    seconds = {name: confidence.median(times) for name, times in samples.items()}
    compared = {ratio: above for ratio, above in RATIOS.items() if above in samples}
    rounds = len(samples["yours"])
    draws = np.random.default_rng(0).integers(rounds, size=(RESAMPLES, rounds))
    medians = {name: np.median(np.asarray(times)[draws], axis=1) for name, times in samples.items()}
    return {
        "seconds": seconds,
        **{r: seconds[compared[r]] / seconds["yours"] if r in compared else None for r in RATIOS},
        "between": {
            r: confidence.percentiles(medians[above] / medians["yours"])
            for r, above in compared.items()
        },
    }


def verdict(result, target, shift=1.0):
    """Return `FAST` if all intervals lie above the target, `SLOW` if one lies below, or `UNCLEAR`.

    Other programs may have moved a ratio, up or down, by a factor of `shift`.
    """
    intervals = [(ends, getattr(target, name)) for name, ends in result["between"].items()]
    if any(high * shift < least for (_, high), least in intervals):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in intervals if least) else UNCLEAR
