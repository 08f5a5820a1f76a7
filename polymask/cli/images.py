"""Writing masks and label images to files, for `polymask run` and `polymask mask`."""

import colorsys

import click
import numpy as np

from polymask import saving
from polymask.cli.options import check_folder


def writer(option, file, shape):
    """Return the function that writes an image of a shape to a file, and its names if it has any.

    What cannot be written is refused here: before the work, and not after it.
    """
    write = WRITERS.get(file.suffix.lower())
    if write is None:
        raise click.UsageError(f"{option} writes {', '.join(WRITERS)}, got {str(file)!r}")
    if write is write_png and 0 in shape:
        raise click.UsageError("a mask without pixels cannot be saved as a picture")
    check_folder(file.parent)

    def save(image, names=None):
        with saving.replacing(file) as unfinished:
            write(unfinished, image, names)

    return save


def write_npz(file, image, names):
    """Write the image as `labels`, and `names`: that of label 1 first."""
    np.savez_compressed(file, labels=image, **({} if names is None else {"names": names}))


def write_png(file, image, _):
    """Write the image as a picture: a mask in black and white, labels in colours or 16-bit grey.

    Up to 255 labels are a palette's indices, so that reading the file gives them back.
    """
    from PIL import Image

    most = int(image.max())
    if most > 65535:
        raise ValueError("a .png holds labels up to 65535: write .npy or .npz")
    if most <= 1:
        picture = Image.fromarray(image.astype(np.uint8) * np.uint8(255))
    elif most <= 255:
        picture = Image.fromarray(image.astype(np.uint8)).convert("P")
        picture.putpalette(palette())
    else:
        picture = Image.fromarray(image.astype(np.uint16))
    picture.save(file)


def palette():
    """Return 256 colours, red, green, blue, ...: black, then hues a golden section apart."""
    colours = [(0.0, 0.0, 0.0)]
    colours += [colorsys.hsv_to_rgb(i * 0.618034 % 1, 0.55, 0.95 - i % 3 / 8) for i in range(255)]
    return [round(255 * channel) for colour in colours for channel in colour]


WRITERS = {
    ".npy": lambda file, image, _: np.save(file, image),
    ".png": write_png,
    ".npz": write_npz,
}
