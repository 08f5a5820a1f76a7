"""Features for the files of command-line tests: a lake with an island, and a field."""

import json
from pathlib import Path

SQUARE = [[1, 1], [8, 1], [8, 6], [1, 6], [1, 1]]
HOLE = [[3, 2], [6, 2], [6, 4], [3, 4], [3, 2]]
SMALL = [[4, 3], [12, 3], [12, 9], [4, 9], [4, 3]]
SHAPE = (12, 14)


def feature(*rings, **properties):
    """Return a GeoJSON feature, without geometry if there are no rings."""
    return of("Polygon", **properties, coordinates=rings) if rings else of(None, **properties)


def of(kind, /, coordinates=None, **properties):
    """Return a feature with any kind of geometry, or without geometry if it is None."""
    geometry = kind and {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def write(file, *features):
    """Write a file of features."""
    collection = {"type": "FeatureCollection", "features": features}
    Path(file).write_text(json.dumps(collection), encoding="utf-8")


def write_csv(file, points):
    """Write two columns with their names."""
    Path(file).write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in points), encoding="utf-8")


def write_map(file, image, transform, **more):
    """Write an image as a map with rasterio."""
    import rasterio

    rows, cols = image.shape
    profile = {"driver": "GTiff", "height": rows, "width": cols, "count": 1, "dtype": image.dtype}
    profile["transform"] = rasterio.Affine(*transform)
    with rasterio.open(file, "w", **profile | more) as dataset:
        dataset.write(image, 1)
