"""Run the benchmark with a simulated clock, on which each part of a call takes a known time."""

import itertools

from ladder.workshop.sandbox.check_failed import advising, same

ROWS, ROW_S = 8, 0.25
CASES = (  # the extra seconds of the parts, and the cause of a result that contains them
    ({}, "it must be the time of one call's rows, between two readings of `clock()`"),
    ({"drawing": 7}, "the time contains drawing the vertices: draw them before the first reading"),
    ({"generator": 0}, "a generator computes a row only when it is requested: request them all"),
    ({"first call": 64}, "the first call also imports: leave that out"),
    ({"other calls": 8}, "another program interrupts calls: return the shortest time"),
)


def check(answer, random):
    """Raise `CheckFailed` unless the benchmark returns the time of the rows alone."""
    for extra, advice in CASES:
        got = simulate(answer.seconds, random.randrange(4, 20), extra)
        with advising(advice):
            same(got, ROWS * ROW_S, "the result of `seconds` with the simulated clock", rtol=1e-9)


def simulate(seconds, calls, extra):
    """Return the result of a benchmark in which parts of the calls take extra seconds."""
    names = itertools.chain(["first call", "second call"], itertools.repeat("other calls"))
    passed_s = []

    def make_rows(vertices):
        passed_s.append(extra.get(next(names), 0))
        rows = ([passed_s.append(ROW_S)] for _ in range(ROWS))
        return rows if "generator" in extra else list(rows)

    def draw():
        passed_s.append(extra.get("drawing", 0))

    return seconds(make_rows, draw, calls, lambda: sum(passed_s))
