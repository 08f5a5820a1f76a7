"""Speed as ratios: the student's function, the rung before and the solution, in shuffled rounds.

The judge draws a size and polygons for each round, the same for all, sends them as a batch, and
holds the clock: from its word to begin until the reply. A call of that size comes before, which is
not measured: an OpenCL driver may compile a kernel anew for each size of an image. A mask of each
batch of the answer's is looked at. A ratio is that of two medians, which are shown beside it: who
divides them gets it. Its interval comes from drawing the rounds anew. It decides what can be said
of an answer.
"""

import time
from dataclasses import dataclass

import numpy as np

from polymask.common import robust
from polymask.ladder import reference, workload
from polymask.workshop.sandbox.wrong import Wrong, same, same_mask

SAMPLE_S = 0.004  # a batch of a fast function's calls lasts so long
SECONDS = 2.0  # of a try
FEWEST, MOST = robust.ENOUGH, 60
MOST_CALLS = 1000  # of a batch
SHARED = 2**26  # bytes for the masks of a batch
AROUND = 0.03  # a round's rows and columns lie so near to the size
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane above yours
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
ALIKE = {"yours", "solution"}  # lanes whose batches are of one length
GAIN = 1.3  # where the solution itself does not gain so much, no gain can be judged
DRAWN = 1000  # times that the rounds are drawn for an interval
BUSY_SHIFT = 2.0  # so far may other programs move a ratio: who shares a core has half of it


@dataclass(frozen=True)
class Lane:
    """What is timed: a function in a child."""

    child: object
    function: str
    lane: str  # whose: the child's name for the module


class Masks:
    """Draws masks to be made, and looks at those that were."""

    function = "make_mask"

    def __init__(self, size, random):
        self.size, self.random = size, random
        self.most = min(MOST_CALLS, max(1, SHARED // self.largest**2))

    @property
    def largest(self):
        """The most rows, and columns, that are drawn."""
        return self.size + max(1, round(AROUND * self.size))

    def draw(self, n):
        """Return the arguments of the calls of a round, and the masks' shape."""
        smallest = 2 * self.size - self.largest
        shape = tuple(self.random.randint(smallest, self.largest) for _ in range(2))
        seeds = [self.random.getrandbits(32) for _ in range(n)]
        return [(workload.polygon(shape=shape, seed=seed), shape) for seed in seeds], shape

    @staticmethod
    def look(seen, chosen, call):
        """Raise `Wrong` unless the answer's mask is that of another lane, or the reference's."""
        others = [mask for name, mask in seen.items() if name != "yours"]
        same_mask(
            seen["yours"], others[0] if others else reference.mask(*call),
            "the masks that were timed",
        )  # fmt: skip


class Values:
    """Draws what an exercise's own `timed` says, and looks at what was returned."""

    most = MOST_CALLS

    def __init__(self, timed, random):
        self.timed, self.random = timed, random

    def draw(self, n):
        """Return the arguments of the calls of a round; what is right stays here."""
        drawn = [self.timed(self.random) for _ in range(n)]
        self.right = [right for _, right in drawn]
        return [arguments for arguments, _ in drawn], None

    def look(self, seen, chosen, call):
        """Raise `Wrong` unless the answer's value is right."""
        label = f"the calls that were timed, with {', '.join(map(str, call))}"
        same(seen["yours"], self.right[chosen], label, rtol=1e-9)


def what(exercise, own):
    """Return in words what is measured, of which the ratios are true."""
    if own is not None and hasattr(own, "timed"):
        return own.MEASURED
    size = exercise.speed.size
    return f"masks of some {size} x {size} pixels, polygons of {workload.VERTICES} vertices"


def run(speed, lanes, drawn):
    """Measure `lanes`, by name; go on for as long again if it is not clearly fast enough.

    It ends early where the verdict would be the same on a busy machine.

    Returns seconds: the median of each function; times_before and of_solution: how many times as
    fast yours is, None where there is no such lane; between: the 95 % interval of those that there
    are, (low, high); rounds, of all tries together; tries. Raises `Wrong` if a mask that was timed
    is not right.
    """
    samples = {name: [] for name in lanes}

    def settled():
        return verdict(ratios(samples), speed, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, drawn, samples, settled)
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


def measure(lanes, drawn, samples, settled=lambda: False):
    """Measure each function in shuffled rounds; the seconds of a call go to `samples`.

    After each few rounds `settled` is asked whether they will do.
    """
    repeats, round_s = {}, 0.0
    for name, lane in lanes.items():
        batch(lane, *drawn.draw(1))  # what is paid once: a build, a first launch, a team of threads
        n = 1
        while True:
            begun = time.perf_counter()
            (*calls, first), shape = drawn.draw(n + 1)
            taken, _ = warm_batch(lane, first, calls, shape)
            if taken >= SAMPLE_S / 2 or n >= drawn.most:
                break
            n = min(2 * n, drawn.most)
        repeats[name] = n
        round_s += time.perf_counter() - begun
    # A batch is waited for, too: who is compared with the other waits as often.
    repeats |= dict.fromkeys(
        repeats.keys() & ALIKE, max(repeats[name] for name in repeats.keys() & ALIKE)
    )
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    names = list(lanes)
    for done in range(rounds):
        if done and done % FEWEST == 0 and settled():
            break
        drawn.random.shuffle(names)
        (*calls, first), shape = drawn.draw(max(repeats.values()) + 1)
        chosen, seen = drawn.random.randrange(repeats["yours"]), {}
        for name in names:
            n = repeats[name]
            looked_at = chosen if chosen < n else 0
            taken, got = warm_batch(lanes[name], first, calls[:n], shape, looked_at)
            samples[name].append(taken / n)
            if chosen < n:
                seen[name] = got
        drawn.look(seen, chosen, calls[chosen])


def warm_batch(lane, first, calls, shape, chosen=0):
    """Let a lane do a call that is not measured, then a `batch` of the same shape."""
    batch(lane, [first], shape)
    return batch(lane, calls, shape, chosen)


def batch(lane, calls, shape, chosen=0):
    """Let a lane do calls; return the seconds, and what one of them gave."""
    child = lane.child
    child.tell("batch", name=lane.function, calls=[list(call) for call in calls], shape=shape,
               lane=lane.lane)  # fmt: skip
    child.answered()  # it is ready
    begun = time.perf_counter()
    child.send({"do": "go"})
    values = child.answered()
    taken = time.perf_counter() - begun
    if isinstance(values, dict):
        same_mask(values["odd"], np.empty(shape, np.uint8), "the masks that were timed")
        raise Wrong("the masks that were timed: they are no plain arrays of NumPy")
    if shape is None:
        return taken, values[chosen]
    size = shape[0] * shape[1]
    mask = np.frombuffer(child.memory, np.uint8, size, offset=chosen * size)
    return taken, mask.reshape(shape).copy()  # the next batch writes there


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
