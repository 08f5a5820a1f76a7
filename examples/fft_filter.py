"""An image filtered by convolution: through the frequencies, and as a loop over the pixels.

    python examples/fft_filter.py [SIZE [FOLDER]]     512 x 512; pictures go to the folder

A filter gives each pixel a weighted sum of its neighbours. Of an image's Fourier transform and the
filter's, the product is the transform of the filtered image: n log n operations for n pixels,
whatever the filter's size. The loop needs one operation for each pixel and weight. So small filters
are for the loop and large ones for the transform; where do they meet? The image here goes on
beyond its sides at the opposite ones, as transforms take it to.
"""

import sys
from pathlib import Path

import in_turn
import numba
import numpy as np
from PIL import Image

from polymask import polygon_mask
from polymask.ladder import workload

LAPLACE = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], dtype=float)  # finds edges


def by_frequencies(image, weights):
    """Array style: convolve by two transforms, a product, and a transform back."""
    rows, cols = weights.shape
    kernel = np.zeros(image.shape)
    kernel[:rows, :cols] = weights
    kernel = np.roll(kernel, (-(rows // 2), -(cols // 2)), axis=(0, 1))  # its middle to [0, 0]
    product = np.fft.rfft2(image) * np.fft.rfft2(kernel)
    return np.fft.irfft2(product, s=image.shape)


@numba.njit(parallel=True, nogil=True)
def by_pixels(image, weights):
    """Loop style: convolve by a sum over the weights for each pixel, rows shared by threads."""
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
    """Return the weights of a blur, size x size for an odd size; their sum is 1."""
    x = np.arange(size) - size // 2
    profile = np.exp(-0.5 * (6 * x / size) ** 2)
    weights = np.outer(profile, profile)
    return weights / weights.sum()


def main(size, folder=None):
    """Measure both styles over the filter's size; write the pictures if there is a folder."""
    shape = (size, size)
    image = polygon_mask(workload.polygon(shape=shape), shape).astype(float)
    rows = []
    for width in (3, 9, 27):
        weights = LAPLACE if width == 3 else gauss(width)
        filtered = by_frequencies(image, weights)
        np.testing.assert_allclose(by_pixels(image, weights), filtered, atol=1e-12)
        took = in_turn.seconds({
            "frequencies": lambda w=weights: by_frequencies(image, w),
            "pixels": lambda w=weights: by_pixels(image, w),
        })  # fmt: skip
        rows.append([f"{width} x {width}", *in_turn.written(took)])
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            shown = np.abs(filtered) / np.abs(filtered).max()
            Image.fromarray((255 * shown).astype(np.uint8)).save(f"{folder}/{width:02}.png")
    print(f"A filter over an image of {size} x {size} doubles")
    in_turn.table(["filter", "array: np.fft", "loop: prange over rows"], rows)
    print(in_turn.where())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 512, *sys.argv[2:3])
