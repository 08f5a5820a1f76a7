"""Speed as ratios: the student's function, the rung before and the solution, in shuffled rounds.

Each is in a child of its own, and they take turns. A ratio is that of two medians, which are shown
beside it: who divides them gets it. Its interval comes from drawing the rounds anew. It decides
what can be said of an answer.
"""

import random
import time

import numpy as np

from polymask.common import confidence

SAMPLE_S = 0.004  # a batch of a fast function's calls lasts so long
SECONDS = 2.0  # of a try
FEWEST, MOST = confidence.ENOUGH, 60  # rounds
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane above yours
WORDS = {  # of a ratio
    "times_before": ("{} times as fast as before", "{:.2g}".format),
    "of_solution": ("{} of the solution's speed", "{:.0%}".format),
}
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
ALIKE = {"yours", "solution"}  # lanes whose batches are of one length
GAIN = 1.3  # where the solution itself does not gain so much, no gain can be judged
DRAWN = 1000  # times that the rounds are drawn for an interval
BUSY_SHIFT = 2.0  # so far may other programs move a ratio: who shares a core has half of it


def run(wanted, lanes, most, seed):
    """Measure `lanes`, name to `Child`; go on for as long again if it is not clearly fast enough.

    `wanted` is the exercise's `Speed`, and `most` the calls of a batch. It ends early where the
    verdict would be the same on a busy machine.

    Returns seconds: the median of each function; times_before and of_solution: how many times as
    fast yours is, None without such a lane; between: the 95 % intervals of these ratios, (low,
    high); rounds, of all tries together; tries. Raises `CheckFailed` if a timed mask is wrong.
    """
    drawn_by, samples = random.Random(seed), {name: [] for name in lanes}

    def settled():
        return verdict(ratios(samples), wanted, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, drawn_by, most, samples, settled)
        found = {"rounds": len(samples["yours"])} | ratios(samples) | {"tries": tries}
        if settled() or verdict(found, wanted) == FAST:
            break
    return found


def measure(lanes, drawn_by, most, samples, settled=lambda: False):
    """Measure each function in shuffled rounds; the seconds of a call go to `samples`.

    After each few rounds `settled` is asked whether they will do.
    """
    repeats, round_s = {}, 0.0
    for name, lane in lanes.items():
        batch(lane, drawn_by.getrandbits(32), 1)  # what is paid once: a build, a team of threads
        n = 1
        while True:
            begun = time.perf_counter()
            seconds = batch(lane, drawn_by.getrandbits(32), n)
            if seconds >= SAMPLE_S / 2 or n >= most:
                break
            n = min(2 * n, most)
        repeats[name] = n
        round_s += time.perf_counter() - begun
    # Who is compared with the other does as many calls.
    alike = repeats.keys() & ALIKE
    repeats |= dict.fromkeys(alike, max(repeats[name] for name in alike))
    rounds = min(max(int(SECONDS / round_s), FEWEST), MOST)
    names = list(lanes)
    for done in range(rounds):
        if done and done % FEWEST == 0 and settled():
            break
        drawn_by.shuffle(names)
        seed, chosen = drawn_by.getrandbits(32), drawn_by.randrange(repeats["yours"])
        for name in names:
            look = chosen if name == "yours" else 0
            samples[name].append(batch(lanes[name], seed, repeats[name], look) / repeats[name])


def batch(lane, seed, calls, look=0):
    """Let a child draw calls, and do them; return their seconds."""
    lane.ask(seed=seed, calls=calls, look=look)
    return lane.answered()


def ratios(samples):
    """Make medians, ratios of medians and their intervals of samples: name to a time per round."""
    seconds = {name: confidence.median(taken) for name, taken in samples.items()}
    there = {ratio: above for ratio, above in RATIOS.items() if above in samples}
    rounds = len(samples["yours"])
    drawn = np.random.default_rng(0).integers(rounds, size=(DRAWN, rounds))
    medians = {name: np.median(np.asarray(taken)[drawn], axis=1) for name, taken in samples.items()}
    return {
        "seconds": seconds,
        **{r: seconds[there[r]] / seconds["yours"] if r in there else None for r in RATIOS},
        "between": {
            r: confidence.percentiles(medians[above] / medians["yours"])
            for r, above in there.items()
        },
    }


def verdict(found, wanted, shift=1.0):
    """Return `FAST` if all intervals lie above what is asked for, `SLOW` if one below, `UNCLEAR`.

    `found` is what `run` returns. Other programs on the cores may have moved a ratio, up or down,
    by a factor of `shift`.
    """
    asked = [(found["between"][name], getattr(wanted, name)) for name in found["between"]]
    if any(high * shift < least for (_, high), least in asked):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in asked if least) else UNCLEAR


def gains(found):
    """Whether the solution itself gains enough over what was before for a gain to be judged."""
    seconds = found["seconds"]
    if "solution" not in seconds or "before" not in seconds:
        return True
    return seconds["before"] >= GAIN * seconds["solution"]


def judge(outcome, wanted, others):
    """Put into an outcome what its measured speed allows to be said.

    `others` says who else uses the machine; it is empty if nobody does.
    """
    if wanted.gains and not gains(outcome.speed):
        outcome.untimed = (
            "speed not measured here: the solution itself is not "
            f"{GAIN:g} times as fast as before on this machine"
        ) + (f", as {others}" if others else "")
        return
    found = verdict(outcome.speed, wanted, BUSY_SHIFT if others else 1.0)
    if found == SLOW:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, wanted)
    elif found == UNCLEAR:
        outcome.untimed = (
            f"machine busy, as {others}" if others else wandering(outcome.speed, wanted)
        )


def too_slow(found, wanted):
    """Say by how much a right answer is too slow."""
    parts = []
    for name, (text, write) in WORDS.items():
        least = getattr(wanted, name)
        if found[name] is not None and found[name] < least:
            reached = text.format(write(found[name]))
            parts.append(f"{reached}, at least {write(least)} are asked for")
    return f"the answers are right, but too slow: {'; '.join(parts)}"


def wandering(found, wanted):
    """Say which ratio is too uncertain to be judged."""
    parts = []
    for name, (low, high) in found["between"].items():
        (text, write), least = WORDS[name], getattr(wanted, name)
        if low < least <= high:
            between = text.format(f"{write(low)} to {write(high)}")
            parts.append(f"{between}, where {write(least)} are asked for")
    return f"its times wander too much: {'; '.join(parts)}"
