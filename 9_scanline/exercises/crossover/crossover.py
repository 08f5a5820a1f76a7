"""Predict where one algorithm overtakes another, from two measurements of each."""

import timeit

from ladder import registry
from ladder.registry import workload


def line(time_of, small, large):
    """Return a model of a rung: the cost of a call, and the cost of each pixel.

    `time_of(pixels)` measures the seconds of a mask of `pixels` pixels. It is called twice: with
    `small`, and with `large`. The model is the line through the two points. Returns its two
    numbers, (seconds per call, seconds per pixel).
    """
    fast, slow = time_of(small), time_of(large)
    per_pixel = (slow - fast) / (large - small)
    return fast - per_pixel * small, per_pixel


def crossover(one, other, small, large):
    """Predict at how many pixels two rungs take the same time.

    `one` and `other` are functions like `time_of`. Returns the number of pixels, a float, or None
    if there is no such number above zero: then one of them is faster at every size.
    """
    call_1, pixel_1 = line(one, small, large)
    call_2, pixel_2 = line(other, small, large)
    if pixel_1 == pixel_2:
        return None
    pixels = (call_2 - call_1) / (pixel_1 - pixel_2)
    return pixels if pixels > 0 else None


def stopwatch(key, n=24):
    """Return the function `time_of` of a rung: the shortest time of several calls."""
    make_mask = registry.get(key).load()

    def time_of(pixels):
        side = max(1, round(pixels**0.5))
        vertices = workload.polygon(n, (side, side))
        return min(timeit.repeat(lambda: make_mask(vertices, (side, side)), number=1, repeat=15))

    return time_of


if __name__ == "__main__":
    one, other = stopwatch("cclass.polygon"), stopwatch("scanline.rows")
    pixels = crossover(one, other, 32**2, 256**2)
    print(f"predicted: the same time at {pixels} pixels")
    for side in (16, 32, 64, 128, 256, 512):
        print(f"{side:4} x {side:<4} {1e6 * one(side**2):10.1f} us {1e6 * other(side**2):10.1f} us")
