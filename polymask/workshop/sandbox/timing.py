"""Speed as ratios: the student's function, the rung before and the solution, in shuffled rounds.

Each is in a child of its own, and they take turns. A round has a shape and a seed, from which each
child draws the same polygons; it does a batch of calls by its own clock. A call of that shape comes
before, which is not measured: an OpenCL driver may compile a kernel anew for each size of an image.
A mask of each batch of the student's is held against the right one. A ratio is that of two medians,
which are shown beside it: who divides them gets it. Its interval comes from drawing the rounds
anew. It decides what can be said of an answer.
"""

import gc
import json
import random
import time

import numpy as np

from polymask.common import robust
from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, examine
from polymask.workshop.sandbox.wrong import same, same_mask

SAMPLE_S = 0.004  # a batch of a fast function's calls lasts so long
SECONDS = 2.0  # of a try
FEWEST, MOST = robust.ENOUGH, 60
MOST_CALLS = 1000  # of a batch
BATCH = 2**26  # bytes of the masks of a batch
AROUND = 0.03  # a round's rows and columns lie so near to the size
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane above yours
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
ALIKE = {"yours", "solution"}  # lanes whose batches are of one length
GAIN = 1.3  # where the solution itself does not gain so much, no gain can be judged
DRAWN = 1000  # times that the rounds are drawn for an interval
BUSY_SHIFT = 2.0  # so far may other programs move a ratio: who shares a core has half of it


class Masks:
    """Masks to be made, of shapes near a size."""

    def __init__(self, size):
        self.size, self.around = size, max(1, round(AROUND * size))
        self.most = min(MOST_CALLS, max(1, BATCH // (size + self.around) ** 2))

    def draw(self, drawn_by, n):
        """Return the arguments of n calls, all masks of one shape."""
        shape = tuple(self.size + drawn_by.randint(-self.around, self.around) for _ in range(2))
        seeds = [drawn_by.getrandbits(32) for _ in range(n)]
        return [(workload.polygon(shape=shape, seed=seed), shape) for seed in seeds]

    @staticmethod
    def look(got, call):
        """Raise `Wrong` unless a call gave the right mask."""
        same_mask(got, reference.mask(*call), "the masks that were timed")


class Values:
    """Calls of an exercise's own function: `timed` draws their arguments, and what is right."""

    def __init__(self, timed):
        self.timed, self.right = timed, {}

    def draw(self, drawn_by, n):
        """Return the arguments of n calls."""
        drawn = [self.timed(drawn_by) for _ in range(n)]
        self.right = dict(drawn)
        return [arguments for arguments, _ in drawn]

    def look(self, got, call):
        """Raise `Wrong` unless a call gave what is right."""
        label = f"the calls that were timed, with {', '.join(map(str, call))}"
        same(got, self.right[call], label, rtol=1e-9)


def calls_of(exercise):
    """Return what an exercise measures: `Masks`, or `Values` where it names functions."""
    if exercise.speed.functions:
        return Values(examine.own(exercise).timed)
    return Masks(exercise.speed.size)


def what(speed):
    """Return in words what is measured, of which the ratios are true."""
    if speed.measured:
        return speed.measured
    size = f"{speed.size} x {speed.size}"
    return f"masks of some {size} pixels, polygons of {workload.VERTICES} vertices"


# In the child


def serve(answer, lane, drawn, questions):
    """Do the batches that lines of JSON ask for: a seed, how many calls, which to look at.

    `drawn` is what `calls_of` returns. Of one seed all lanes draw the same calls, as many as each
    of them does.
    """
    names = child.exercise.speed.functions
    function = getattr(answer, names.get(lane, names.get("yours", "make_mask")))
    for question in map(json.loads, questions):
        first, *calls = drawn.draw(random.Random(question["seed"]), question["calls"] + 1)
        function(*first)
        seconds, got = batch(function, calls, question["look"])
        if lane == "yours":
            drawn.look(got, calls[question["look"]])
        child.tell(value=seconds)


def batch(function, calls, chosen):
    """Do calls; return the seconds that they took, and what one of them gave."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        begun = time.perf_counter()
        values = [function(*call) for call in calls]
        return time.perf_counter() - begun, values[chosen]
    finally:
        if collecting:
            gc.enable()


# In the parent


def run(exercise, lanes, seed):
    """Measure `lanes`, name to `Child`; go on for as long again if it is not clearly fast enough.

    It ends early where the verdict would be the same on a busy machine.

    Returns seconds: the median of each function; times_before and of_solution: how many times as
    fast yours is, None where there is no such lane; between: the 95 % interval of those that there
    are, (low, high); rounds, of all tries together; tries. Raises `Wrong` if a mask that was timed
    is not right.
    """
    speed, drawn_by, samples = exercise.speed, random.Random(seed), {name: [] for name in lanes}
    most = MOST_CALLS if speed.functions else Masks(speed.size).most

    def settled():
        return verdict(ratios(samples), speed, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, drawn_by, most, samples, settled)
        found = {"rounds": len(samples["yours"])} | ratios(samples) | {"tries": tries}
        if settled() or verdict(found, speed) == FAST:
            break
    return found


def verdict(found, speed, shift=1.0):
    """Return `FAST` if all intervals lie above what is asked for, `SLOW` if one below, `UNCLEAR`.

    `found` is what `run` returns. Other programs on the cores may have moved a ratio, up or down,
    by a factor of `shift`.
    """
    asked = [(found["between"][name], getattr(speed, name)) for name in found["between"]]
    if any(high * shift < least for (_, high), least in asked):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in asked if least) else UNCLEAR


def gains(found):
    """Whether the solution itself gains enough over what was before for a gain to be judged."""
    seconds = found["seconds"]
    if "solution" not in seconds or "before" not in seconds:
        return True
    return seconds["before"] >= GAIN * seconds["solution"]


def measure(lanes, drawn_by, most, samples, settled=lambda: False):
    """Measure each function in shuffled rounds; the seconds of a call go to `samples`.

    After each few rounds `settled` is asked whether they will do.
    """
    repeats, round_s = {}, 0.0
    for name, lane in lanes.items():
        taken(lane, drawn_by.getrandbits(32), 1)  # what is paid once: a build, a team of threads
        n = 1
        while True:
            begun = time.perf_counter()
            seconds = taken(lane, drawn_by.getrandbits(32), n)
            if seconds >= SAMPLE_S / 2 or n >= most:
                break
            n = min(2 * n, most)
        repeats[name] = n
        round_s += time.perf_counter() - begun
    # Who is compared with the other does as many calls.
    repeats |= dict.fromkeys(
        repeats.keys() & ALIKE, max(repeats[name] for name in repeats.keys() & ALIKE)
    )
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    names = list(lanes)
    for done in range(rounds):
        if done and done % FEWEST == 0 and settled():
            break
        drawn_by.shuffle(names)
        seed, chosen = drawn_by.getrandbits(32), drawn_by.randrange(repeats["yours"])
        for name in names:
            look = chosen if name == "yours" else 0
            seconds = taken(lanes[name], seed, repeats[name], look)
            samples[name].append(seconds / repeats[name])


def taken(lane, seed, calls, look=0):
    """Let a child draw calls, and do them; return their seconds."""
    lane.ask(seed=seed, calls=calls, look=look)
    return lane.answered()


def ratios(samples):
    """Make medians, ratios of medians and their intervals of samples: name to a time per round."""
    seconds = {name: robust.median(taken) for name, taken in samples.items()}
    there = {ratio: above for ratio, above in RATIOS.items() if above in samples}
    rounds = len(samples["yours"])
    drawn = np.random.default_rng(0).integers(rounds, size=(DRAWN, rounds))
    medians = {name: np.median(np.asarray(taken)[drawn], axis=1) for name, taken in samples.items()}
    return {
        "seconds": seconds,
        **{r: seconds[there[r]] / seconds["yours"] if r in there else None for r in RATIOS},
        "between": {
            r: robust.percentiles(medians[above] / medians["yours"]) for r, above in there.items()
        },
    }
