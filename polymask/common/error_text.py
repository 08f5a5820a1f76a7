"""Messages about refused input: a short line with the input and its fault."""

import difflib
import numbers
import os
import re
import reprlib
import traceback
from pathlib import Path

MIN_FLAT = 6  # numbers in a flat ring x, y, x, y, ... as in COCO, which has at least 3 vertices
UNION = (  # several rings in a list are refused: their overlaps would differ from COCO's mask
    "; COCO takes the union of flat rings{}: "
    "for that pass [[np.reshape(f, (-1, 2))] for f in rings]"
)
WHY = ", but rings here are even-odd"
TWO_ROWS = "; convert [xs, ys] to pairs with np.transpose"
MOST = 100  # characters
# Characters that a terminal executes instead of printing them, except newlines and tabs.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class _Line(reprlib.Repr):
    """The beginning of a value's repr, on one line; for an array its shape."""

    def repr_ndarray(self, array, level):
        """Return an array's shape, or the number in a 0-dimensional array."""
        if array.ndim == 0:
            return self.repr1(array.item(), level)
        return f"an array of shape {array.shape}"

    repr_MaskedArray = repr_ndarray  # noqa: N815, reprlib looks up the type's name

    def repr_int(self, number, level):
        """Return an integer; Python itself refuses to print thousands of digits."""
        if number.bit_length() > 256:
            return f"an integer of {number.bit_length()} bits"
        return super().repr_int(number, level)


_LINE = _Line()


def quote(value):
    """Return a short repr of a value on one line."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    line = " ".join(_LINE.repr(value).split())
    return line if len(line) <= MOST else f"{line[: MOST - 3]}..."


def named(name):
    """Return a name from a file unchanged if it is short and printable, or else its short repr."""
    return name if name.isprintable() and len(name) <= MOST else quote(name)


def list_names(names, most=10):
    """List the first names for a message, in quotes."""
    names = [*names]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(map(quote, names[:most])) or "none") + more


def printable(text):
    """Return a text of several lines with its control characters escaped."""
    return CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


def in_a_line(text):
    """Return a text, such as a file name, on one line with its control characters escaped."""
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def why_no_array(source, error, default="got rows of different lengths"):
    """Explain why NumPy makes no array of an object: rows of different lengths, or its error."""
    if hasattr(source, "__array__"):
        reason = in_a_line(str(error))[:MOST] or type(error).__name__
        return f"but {type(source).__name__} gives no array: {reason}"
    return default


def refuse_rows(points, name, error):
    """Refuse points that NumPy cannot convert to an array of pairs."""
    rule = f"{name} must have the shape (N, 2)"
    if hasattr(points, "__array__"):
        raise ValueError(f"{rule}, {why_no_array(points, error)}") from None
    for number, row in enumerate(points):
        if not hasattr(row, "__len__") or getattr(row, "ndim", 1) == 0:
            raise TypeError(f"{name} must be real numbers, got {quote(row)} at {number}") from None
    lengths = [len(row) for row in points]
    hint = _hint(name, min(lengths) if all(length % 2 == 0 for length in lengths) else 0, False)
    raise ValueError(f"{rule}, {why_no_array(points, error)}{hint}") from None


def refuse_kind(points, name):
    """Refuse an object that contains no real numbers at all, such as text."""
    got = type_name(points)
    raise TypeError(f"{name} must be real numbers, an array or a list of pairs, got {got}")


def type_name(value):
    """Return the name of a value's type, with advice for the name of a file."""
    is_path = isinstance(value, (str, os.PathLike))
    advice = "; read a file with polymask.files.polygon_files.read_table" if is_path else ""
    return type(value).__name__ + advice


def refuse_not_real(points, array, name):
    """Refuse an array of anything but real numbers; its elements may be Python objects."""
    if array.ndim == 0 and array.dtype.kind in "OUS":
        refuse_kind(points, name)
    if array.dtype.kind in "US":
        raise TypeError(f"{name} must be real numbers, got text")
    if array.dtype != object:
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    for value in array.flat:
        if not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be real numbers, got {quote(value)}")


def is_flat(shape):
    """Return whether a shape is that of a flat ring x, y, x, y, ..., or of a list of one ring."""
    return len(shape) in (1, 2) and _is_even(shape[-1]) and shape[:-1] in ((), (1,))


def refuse_shape(shape, name):
    """Refuse an array that does not consist of pairs."""
    got = shape if len(shape) <= 4 else f"an array of {len(shape)} dimensions"
    hint = ""
    if len(shape) == 2 and shape[0] == 2 and shape[1] > 2:
        hint = TWO_ROWS  # for vertices, they may also be flat rings of equal length
        if name == "vertices" and _is_even(shape[1]):
            hint += UNION.format("")
    elif len(shape) in (1, 2) and shape[-1]:
        hint = _hint(name, shape[-1], alone=shape[:-1] in ((), (1,)))
    raise ValueError(f"{name} must have the shape (N, 2), got {got}{hint}")


def refuse_set(shape):
    """Refuse an array with the wrong shape for a set of polygons, such as an image."""
    flat = len(shape) == 2 and _is_even(shape[1])
    hint = "; convert flat rings with .reshape(len(rings), -1, 2)" if flat else ""
    raise ValueError(f"polygons must have the shape (N, k, 2), got {shape}{hint}")


def _is_even(length):
    return length >= MIN_FLAT and length % 2 == 0


def _hint(name, length, alone):
    """Return advice about flat rings, if rows of that length may be flat rings."""
    if name != "vertices":
        pairs = "; convert flat x, y, x, y, ... to pairs with numpy.reshape({}, (-1, 2))"
        return pairs.format(name) if _is_even(length) else ""
    if _is_even(length):
        return UNION.format(WHY)
    even = "; a flat list x, y, x, y, ... needs an even number of values, at least 6"
    return even if alone else ""


def broken_package(error):
    """Return the installed package whose import raised an error, or None for other errors.

    Parameters
    ----------
    error : Exception
        The caught exception, with its traceback.

    Returns
    -------
    str or None
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        packages = {"site-packages", "dist-packages"} & {*Path(frame.f_code.co_filename).parts}
        if packages and frame.f_code.co_name == "<module>":
            return frame.f_globals["__name__"].partition(".")[0]
    return None


def nearest(name, names):
    """Return a hint like "; did you mean 'a' or 'b'?", or all names if none is near."""
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; choose from {', '.join(names)}"


def first_line(error):
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [""])[0]
