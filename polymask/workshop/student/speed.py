"""Speed ratios of the student's function, the rung before and the solution, in shuffled rounds.

Each runs in its own child process, and they take turns. A ratio is that of two medians, which are
shown beside it. Its interval comes from resampling the rounds (bootstrap), and decides the verdict.
"""

import random
import time

import numpy as np

from polymask.common import confidence

SAMPLE_S = 0.004  # duration of a batch of a fast function's calls
SECONDS = 2.0  # of a try
FEWEST, MOST = confidence.ENOUGH, 60  # rounds
RATIOS = {"times_before": "before", "of_solution": "solution"}  # to the lane above yours
WORDS = {  # of a ratio
    "times_before": ("{} times as fast as before", "{:.2g}".format),
    "of_solution": ("{} of the solution's speed", "{:.0%}".format),
}
FAST, SLOW, UNCLEAR = "fast", "slow", "unclear"
ALIKE = {"yours", "solution"}  # lanes with batches of equal length
GAIN = 1.3  # the least gain of the solution itself at which an answer's gain can be judged
DRAWN = 1000  # resamples of the rounds for an interval
BUSY_SHIFT = 2.0  # the factor by which other programs may move a ratio, by sharing a core


def run(target, lanes, most, seed):
    """Time `lanes`, name to `Child`; repeat once if the answer is not clearly fast enough.

    `target` is the exercise's `Speed`, and `most` the most calls of a batch. The timing ends early
    if the verdict would be the same on a busy machine.

    Returns seconds: the median of each function; times_before and of_solution: how many times as
    fast yours is, None without such a lane; between: the 95 % intervals of these ratios, (low,
    high); rounds, of all tries together; tries. Raises `CheckFailed` if a timed mask is wrong.
    """
    drawn_by, samples = random.Random(seed), {name: [] for name in lanes}

    def settled():
        return verdict(ratios(samples), target, BUSY_SHIFT) != UNCLEAR

    for tries in (1, 2):
        measure(lanes, drawn_by, most, samples, settled)
        measured = {"rounds": len(samples["yours"])} | ratios(samples) | {"tries": tries}
        if settled() or verdict(measured, target) == FAST:
            break
    return measured


def measure(lanes, drawn_by, most, samples, settled=lambda: False):
    """Time each function in shuffled rounds; append the seconds per call to `samples`.

    After every few rounds `settled` decides whether to stop.
    """
    repeats, round_s = {}, 0.0
    for name, lane in lanes.items():
        batch(lane, drawn_by.getrandbits(32), 1)  # one-time costs: a build, a team of threads
        n = 1
        while True:
            begun = time.perf_counter()
            seconds = batch(lane, drawn_by.getrandbits(32), n)
            if seconds >= SAMPLE_S / 2 or n >= most:
                break
            n = min(2 * n, most)
        repeats[name] = n
        round_s += time.perf_counter() - begun
    # Lanes that are compared with each other make as many calls.
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
    """Let a child draw calls and time them; return the seconds."""
    lane.ask(seed=seed, calls=calls, look=look)
    return lane.answered()


def ratios(samples):
    """Return medians, ratios of medians and their intervals; `samples` has a time per round."""
    seconds = {name: confidence.median(times) for name, times in samples.items()}
    compared = {ratio: above for ratio, above in RATIOS.items() if above in samples}
    rounds = len(samples["yours"])
    draws = np.random.default_rng(0).integers(rounds, size=(DRAWN, rounds))
    medians = {name: np.median(np.asarray(times)[draws], axis=1) for name, times in samples.items()}
    return {
        "seconds": seconds,
        **{r: seconds[compared[r]] / seconds["yours"] if r in compared else None for r in RATIOS},
        "between": {
            r: confidence.percentiles(medians[above] / medians["yours"])
            for r, above in compared.items()
        },
    }


def verdict(measured, target, shift=1.0):
    """Return `FAST` if all intervals lie above the target, `SLOW` if one lies below, or `UNCLEAR`.

    `measured` is a result of `run`. Other programs on the cores may have moved a ratio, up or down,
    by a factor of `shift`.
    """
    intervals = [(measured["between"][name], getattr(target, name)) for name in measured["between"]]
    if any(high * shift < least for (_, high), least in intervals):
        return SLOW
    return FAST if all(low >= least * shift for (low, _), least in intervals if least) else UNCLEAR


def gains(measured):
    """Whether the solution itself gains enough over `before` to judge the gain of an answer."""
    seconds = measured["seconds"]
    if "solution" not in seconds or "before" not in seconds:
        return True
    return seconds["before"] >= GAIN * seconds["solution"]


def judge(outcome, target, others):
    """Set the verdict of an outcome by its measured speed.

    `others` describes other programs that use the machine, and is empty if there are none.
    """
    if target.gains and not gains(outcome.speed):
        outcome.untimed = (
            "speed not measured here: the solution itself is not "
            f"{GAIN:g} times as fast as before on this machine"
        ) + (f", as {others}" if others else "")
        return
    speed_verdict = verdict(outcome.speed, target, BUSY_SHIFT if others else 1.0)
    if speed_verdict == SLOW:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, target)
    elif speed_verdict == UNCLEAR:
        outcome.untimed = (
            f"machine busy, as {others}" if others else wandering(outcome.speed, target)
        )


def too_slow(measured, target):
    """Return a message about a right answer that is too slow."""
    parts = []
    for name, (text, write) in WORDS.items():
        least = getattr(target, name)
        if measured[name] is not None and measured[name] < least:
            reached = text.format(write(measured[name]))
            parts.append(f"{reached}, at least {write(least)} required")
    return f"the answers are right, but too slow: {'; '.join(parts)}"


def wandering(measured, target):
    """Return a message about ratios that are too uncertain to judge."""
    parts = []
    for name, (low, high) in measured["between"].items():
        (text, write), least = WORDS[name], getattr(target, name)
        if low < least <= high:
            between = text.format(f"{write(low)} to {write(high)}")
            parts.append(f"{between}, where {write(least)} is required")
    return f"its times vary too much: {'; '.join(parts)}"
