"""Speed ratios of the student's function to the rung before and the solution.

The student's function runs in a child process, the two others in a second one, and the three take
turns in shuffled rounds. A ratio is that of two medians, which are shown beside it. Resampling the
rounds (bootstrap) gives the interval of the ratio, which decides the verdict.
"""

import random
import time

import numpy as np

from ladder.common import confidence

SAMPLE_S = 0.004  # duration of a batch of calls to a fast function
SECONDS = 2.0  # per try
FEWEST, MOST = confidence.ENOUGH, 60  # rounds
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane compared with yours
WORDS = {  # for a ratio: its description and its format
    "times_before": ("{} times as fast as {before}", "{:.2g}".format),
    "of_solution": ("{} of the solution's speed", "{:.0%}".format),
}
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
EQUAL_BATCHES = {"yours", "solution"}  # lanes with batches of equal length
GAIN = 1.3  # the smallest gain of the solution itself that lets an answer's gain be judged
RESAMPLES = 1000  # of the rounds, for an interval
BUSY_SHIFT = 2.0  # the factor by which other programs may move a ratio, by sharing a core


def run(target, lanes, most, seed):
    """Time the lanes; repeat once if the answer is not clearly fast enough.

    `lanes` maps each name to its `Child`, `target` is the exercise's `Speed`, and `most` limits the
    calls in a batch. The timing ends early if the verdict would be the same on a busy machine.

    Returns a dict of seconds, the median of each function; times_before and of_solution, how many
    times as fast yours is, or None without such a lane; between, the 95 % intervals (low, high) of
    these ratios; rounds, in all tries together; and tries. Raises `CheckFailed` if a timed mask is
    wrong.
    """
    rng, samples = random.Random(seed), {name: [] for name in lanes}

    def is_settled():
        return verdict(ratios(samples), target, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, rng, most, samples, is_settled)
        result = {"rounds": len(samples["yours"])} | ratios(samples) | {"tries": tries}
        if is_settled() or verdict(result, target) == FAST:
            break
    return result


def measure(lanes, rng, most, samples, is_settled=lambda: False):
    """Time each function in shuffled rounds; append the seconds per call to `samples`.

    After every few rounds `is_settled` decides whether to stop.
    """
    repeats, round_s = {}, 0.0
    for name in lanes:
        batch(lanes, name, rng.getrandbits(32), 1)  # one-time costs: a build, a team of threads
        n = 1
        while True:
            begun = time.perf_counter()
            seconds = batch(lanes, name, rng.getrandbits(32), n)
            if seconds >= SAMPLE_S / 2 or n >= most:
                break
            n = min(2 * n, most)
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
            seconds = batch(lanes, name, seed, repeats[name], look)
            samples[name].append(seconds / repeats[name])


def batch(lanes, name, seed, calls, look=0):
    """Have the child of a lane draw and time calls; return the seconds."""
    lanes[name].ask(lane=name, seed=seed, calls=calls, look=look)
    return lanes[name].receive()


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

    `result` is that of `run`. Other programs on the cores may have moved a ratio, up or down,
    by a factor of `shift`.
    """
    intervals = [(ends, getattr(target, name)) for name, ends in result["between"].items()]
    if any(high * shift < least for (_, high), least in intervals):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in intervals if least) else UNCLEAR


def is_far(result, fraction):
    """Whether the speed is below a fraction of the solution's, and certainly below all of it."""
    if result["of_solution"] is None:
        return False
    return result["of_solution"] < fraction and result["between"]["of_solution"][1] < 1


def gains(result):
    """Whether the solution itself gains enough over `before` to judge the gain of an answer."""
    seconds = result["seconds"]
    if "solution" not in seconds or "before" not in seconds:
        return True
    return seconds["before"] >= GAIN * seconds["solution"]


def judge(outcome, target, others):
    """Set an outcome's verdict according to its measured speed.

    `others` describes other programs that use the machine, and is empty if there are none.
    """
    if target.gains and not gains(outcome.speed):
        outcome.untimed = (
            f"the solution itself is not {GAIN:g} times as fast as {target.baseline} here"
        ) + (f", because {others}" if others else "")
        return
    speed_verdict = verdict(outcome.speed, target, BUSY_SHIFT if others else 1.0)
    if speed_verdict == SLOW:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, target)
    elif speed_verdict == UNCLEAR:
        outcome.untimed = (
            f"the machine is busy, as {others}" if others else too_uncertain(outcome.speed, target)
        )


def too_slow(result, target):
    """Return a message about a right answer that is too slow."""
    parts = []
    for name, (text, write) in WORDS.items():
        minimum = getattr(target, name)
        if result[name] is not None and result[name] < minimum:
            ratio = text.format(write(result[name]), before=target.baseline)
            parts.append(f"{ratio}, at least {write(minimum)} required")
    return f"the answers are right, but too slow: {'; '.join(parts)}"


def too_uncertain(result, target):
    """Return a message about ratios that are too uncertain to judge."""
    parts = []
    for name, (low, high) in result["between"].items():
        (text, write), minimum = WORDS[name], getattr(target, name)
        if low < minimum <= high:
            between = text.format(f"{write(low)} to {write(high)}", before=target.baseline)
            parts.append(f"{between}, where {write(minimum)} is required")
    return f"the times vary too much: {'; '.join(parts)}"
