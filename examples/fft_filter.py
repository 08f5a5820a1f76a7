"""Convolution of an image with a filter: by Fourier transforms, and by a loop over the pixels.

    python examples/fft_filter.py [SIZE [FOLDER]]     default size: 512; FOLDER: for the pictures

A filter replaces each pixel with a weighted sum of its neighbours. The product of the Fourier
transforms of image and filter is the transform of the filtered image. This takes n log n operations
for n pixels, whatever the filter's size. The loop takes one operation for each pixel and weight. So
the loop suits small filters, and the transforms suit large ones. At which size are they equally
fast? The transforms treat the image as periodic; so does the loop.
"""

import sys
from pathlib import Path

import in_turn
import numba
import numpy as np
from PIL import Image

from ladder.registry import workload
from polymask import polygon_mask

LAPLACE = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], dtype=float)  # finds edges


def by_frequencies(image, weights):
    """Convolve in array style: two transforms, their product, and the inverse transform."""
    rows, cols = weights.shape
    kernel = np.zeros(image.shape)
    kernel[:rows, :cols] = weights
    kernel = np.roll(kernel, (-(rows // 2), -(cols // 2)), axis=(0, 1))  # its centre to [0, 0]
    product = np.fft.rfft2(image) * np.fft.rfft2(kernel)
    return np.fft.irfft2(product, s=image.shape)


@numba.njit(parallel=True, nogil=True)
def by_pixels(image, weights):
    """Convolve in loop style: threads share the rows, and sum over the weights for each pixel."""
    (rows, cols), (height, width) = image.shape, weights.shape
    result = np.empty(image.shape)
    for y in numba.prange(rows):
        for x in range(cols):
            total = 0.0
            for i in range(height):
                row = image[(y - i + height // 2) % rows]
                for j in range(width):
                    total += weights[i, j] * row[(x - j + width // 2) % cols]
            result[y, x] = total
    return result


def gauss(size):
    """Return the weights of a blur, an array of an odd size x size; their sum is 1."""
    x = np.arange(size) - size // 2
    profile = np.exp(-0.5 * (6 * x / size) ** 2)
    weights = np.outer(profile, profile)
    return weights / weights.sum()


def main(size, folder=None):
    """Measure both styles for several filter sizes; write the pictures to a folder if given."""
    shape = (size, size)
    image = polygon_mask(workload.polygon(shape=shape), shape).astype(float)
    rows = []
    for width in (3, 9, 27):
        weights = LAPLACE if width == 3 else gauss(width)
        filtered = by_frequencies(image, weights)
        np.testing.assert_allclose(by_pixels(image, weights), filtered, atol=1e-12)
        times = in_turn.measure({
            "frequencies": lambda w=weights: by_frequencies(image, w),
            "pixels": lambda w=weights: by_pixels(image, w),
        })  # fmt: skip
        rows.append([f"{width} x {width}", *in_turn.format_times(times)])
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            brightness = np.abs(filtered) / np.abs(filtered).max()
            Image.fromarray((255 * brightness).astype(np.uint8)).save(f"{folder}/{width:02}.png")
    print(f"Filters of an image of {size} x {size} doubles")
    in_turn.print_table(["filter", "array: np.fft", "loop: prange over rows"], rows)
    print(in_turn.conditions())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 512, *sys.argv[2:3])
