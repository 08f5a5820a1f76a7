"""Pass models of rungs, exact lines whose crossover is known."""

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed, same


def check(answer, random):
    """Raise `CheckFailed` unless both functions are right for lines."""
    draw = random.uniform
    for i in range(5):  # first round numbers, for the message
        small, large = (int(draw(1, 500)), int(draw(1000, 9999))) if i else (100, 1100)
        call, pixel = (draw(1e-6, 1e-5), draw(1e-7, 1e-6)) if i else (1e-6, 1e-8)
        numbers = answer.line(lambda n, a=call, b=pixel: a + b * n, small, large)
        if not isinstance(numbers, tuple | list | np.ndarray) or len(numbers) != 2:
            raise CheckFailed(f"line must return two numbers, got {numbers}")
        times = [f"time_of({n}) = {1e6 * (call + pixel * n):.3g} µs" for n in (small, large)]
        label = "line, if " + " and ".join(times)
        same(numbers[0], call, f"{label}: the first number, the seconds of a call", rtol=1e-6)
        same(numbers[1], pixel, f"{label}: the second number, those of a pixel", rtol=1e-6)
        one, other = (call, pixel), (call + 0.7 * pixel * random.uniform(10, 1e6), 0.3 * pixel)
        check_crossover(answer, one, other, small, large)
        check_crossover(answer, other, one, small, large)
    call, pixel = 2.0**-17, 2.0**-20  # sums are exact, so parallel lines stay parallel
    for other in ((2 * call, pixel), (2 * call, 2 * pixel)):  # parallel, and always slower
        check_crossover(answer, (call, pixel), other, 256, 2048)


def check_crossover(answer, one, other, small, large):
    """Raise `CheckFailed` unless lines, (seconds of a call, of a pixel), meet as `answer` says."""
    label = "two models, {:.3g} s + {:.3g} s n and {:.3g} s + {:.3g} s n".format(*one, *other)
    models = [lambda n, line=line: line[0] + line[1] * n for line in (one, other)]
    got = answer.crossover(*models, small, large)
    right = (other[0] - one[0]) / (one[1] - other[1]) if one[1] != other[1] else -1
    if right <= 0:
        if got is not None:
            raise CheckFailed(f"{label}: their lines do not meet: expected None, got {got}")
    elif got is None:
        raise CheckFailed(f"{label}: they meet at {right:.0f} pixels, but got None: check the sign")
    else:
        same(got, right, f"{label}: the pixels where they meet", rtol=1e-8)
