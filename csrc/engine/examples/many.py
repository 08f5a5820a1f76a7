"""The same as many.c, in Python: ctypes calls the shared library.

Usage: python many.py path/to/libpolymask.so
"""

import ctypes
import sys
from array import array
from ctypes import POINTER, byref, c_char_p, c_int64, c_size_t, c_void_p

ROWS, COLS, FEATURES = 18, 40, 2


class Polygons(ctypes.Structure):
    """A polymask_polygons."""

    _fields_ = [
        ("vertices", c_void_p),
        ("vertex_count", c_size_t),
        ("ring_offsets", c_void_p),
        ("ring_count", c_size_t),
        ("polygon_offsets", c_void_p),
        ("polygon_count", c_size_t),
        ("feature_offsets", c_void_p),
        ("feature_count", c_size_t),
    ]


class Box(ctypes.Structure):
    """A polymask_box."""

    _fields_ = [(name, c_int64) for name in ("top", "bottom", "left", "right")]


def load(path):
    """Return the library, with the types of the arguments of its functions."""
    library = ctypes.CDLL(path)
    window = c_int64, c_int64
    many = POINTER(Polygons), *window
    out = c_void_p, c_size_t
    room = c_void_p, POINTER(c_size_t)
    end = c_void_p, c_char_p  # options and error
    for name, types in {
        "fill_labels": (POINTER(Polygons), *out, *window, *out, *end),
        "pixel_counts": (*many, *out, *end),
        "boxes": (*many, *out, *end),
        "label_runs": (*many, *out, c_void_p, c_void_p, *room, *end),
        "trace_labels": (*out, *window, POINTER(c_void_p), *end),
        "write_outlines": (c_void_p, *room, *room, *room, *end),
        "free_outlines": (c_void_p,),
    }.items():
        getattr(library, f"polymask_{name}").argtypes = types
    library.polymask_free_outlines.restype = None
    library.polymask_version.restype = c_char_p
    return library


def call(function, *arguments):
    """Call a function of the library; raise its error as an exception."""
    error = ctypes.create_string_buffer(256)  # POLYMASK_ERROR_SIZE
    if function(*arguments, error) != 0:
        raise ValueError(error.value.decode())


def zeros(kind, count):
    """Return an array of zeros."""
    return array(kind, bytes(array(kind).itemsize * count))


def address(values):
    """Return the address of an array's first element."""
    return values.buffer_info()[0]


def main(path):
    """Paint two polygons, and print their sizes, runs and outlines."""
    library = load(path)
    vertices = array("d", [2, 1, 37, 3, 9, 17, 20, 9, 34, 9, 34, 16, 20, 16])
    rings = array("q", [0, 3, 7])
    polygons = byref(Polygons(address(vertices), 7, address(rings), FEATURES))

    image = zeros("i", ROWS * COLS)
    pixels = address(image), len(image)
    call(library.polymask_fill_labels, polygons, None, 0, ROWS, COLS, *pixels, None)
    for row in range(ROWS):
        print("".join(".12"[label] for label in image[row * COLS : (row + 1) * COLS]))

    many = polygons, ROWS, COLS
    counts, ends, boxes = zeros("q", FEATURES), zeros("q", FEATURES), (Box * FEATURES)()
    call(library.polymask_pixel_counts, *many, address(counts), FEATURES, None)
    call(library.polymask_boxes, *many, boxes, FEATURES, None)
    size = c_size_t()
    call(library.polymask_label_runs, *many, None, 0, None, None, None, byref(size), None)
    runs = [zeros("i", size.value) for _ in range(3)]
    outputs = address(ends), FEATURES, *map(address, runs), byref(size)
    call(library.polymask_label_runs, *many, *outputs, None)
    for i, box in enumerate(boxes):
        row, start, stop = (values[ends[i] - 1] for values in runs)
        print(
            f"feature {i + 1}: {counts[i]} pixels, rows {box.top} to {box.bottom - 1}, "
            f"last run: row {row}, columns {start} to {stop - 1}"
        )

    outlines, n, r, p = c_void_p(), c_size_t(), c_size_t(), c_size_t()
    call(library.polymask_trace_labels, *pixels, ROWS, COLS, byref(outlines), None)
    sizes = None, byref(n), None, byref(r), None, byref(p), None
    call(library.polymask_write_outlines, outlines, *sizes)
    corners, labels = zeros("d", 2 * n.value), zeros("i", p.value)
    ring_starts, polygon_starts = zeros("q", r.value + 1), zeros("q", p.value + 1)
    outputs = address(corners), byref(n), address(ring_starts), byref(r), address(polygon_starts)
    call(library.polymask_write_outlines, outlines, *outputs, byref(p), address(labels))
    library.polymask_free_outlines(outlines)
    for i, label in enumerate(labels):
        first = 2 * ring_starts[polygon_starts[i]]
        x, y = corners[first : first + 2]
        print(f"region {i + 1}: label {label}, from ({x:g}, {y:g})")
    print("polymask", library.polymask_version().decode())


if __name__ == "__main__":
    main(sys.argv[1])
