"""The file readers and their inputs: each reader returns a value, or refuses in a short line."""

import io
import json
import random
import sys
import time
from unittest import mock

import mutations
import numpy as np
from checkouts import ROOT
from hostile_results import result
from PIL import Image

from ladder.report import results
from ladder.workshop.author import student_results
from ladder.workshop.student import progress
from polymask.files import geojson, polygon_files, raster_files
from polymask.forms.left_out import LeftOut

LONGEST = 600  # characters of a refusal without the file's name: it may name all rungs
SECONDS = 2.0  # of CPU time per file: hundreds of times the usual time
RESULTS = {
    "result": "2026-11-22-intel-xeon.json",
    "sweep": "2026-11-21-amd-epyc-sweep-threads.json",
    "many": "2026-11-23-amd-epyc-many.json",
}


def countries():
    """Return some small countries, with MultiPolygons and names."""
    world = json.loads((ROOT / "examples/countries.geojson").read_text(encoding="utf-8"))
    world["features"].sort(key=lambda feature: len(json.dumps(feature)))
    kinds = {f["geometry"]["type"]: f for f in world["features"][:60]}
    world["features"] = [*world["features"][:6], *kinds.values()]
    return json.dumps(world)


def in_collections():
    """Return the features of the countries, each with a collection as its geometry."""
    return [
        feature | {"geometry": {"type": "GeometryCollection", "geometries": [feature["geometry"]]}}
        for feature in json.loads(countries())["features"]
    ]


def saved(kind):
    """Return a result from the repository with few rows, so that mutations reach every part."""
    data = json.loads((ROOT / "results" / RESULTS[kind]).read_text(encoding="utf-8"))
    for record in (data, *data.get("results", [])):
        for name in {"rows", "scenes"} & record.keys():
            record[name] = record[name][:3]
    return data


def of_pytest_benchmark():
    """Return the output of pytest-benchmark for the suite in benchmarks/rungs.py."""
    data = saved("result")
    common = {name: data[name] for name in ("machine", "workload")} | {"threads": 1}
    keys = {"python.tuples": "rung", "memset": "yardstick"}
    extras = [
        common | {"key": key, "kind": kind, "samples_s": [0.5, 0.25]} for key, kind in keys.items()
    ]
    return json.dumps({"benchmarks": [{"name": "a", "extra_info": extra} for extra in extras]})


IMAGE = (np.arange(12 * 14) % 5).reshape(12, 14).astype(np.uint8)
POLYGON = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.5]])


def array_bytes(array, kind):
    """Return the bytes of an array in a file format."""
    file = io.BytesIO()
    if kind == "npy":
        np.save(file, array)
    elif kind == "npz":
        np.savez_compressed(file, labels=array, names=["a", "b"])
    else:
        Image.fromarray(array).save(file, kind)
    return file.getvalue()


def read_geojson(file):
    """Read like the command line: skip and count geometries that are not polygons."""
    return geojson.read(file.read_bytes(), LeftOut(takes_invalid=False))


def read_annotations(file):
    """Read like the command line: skip and count objects that are not polygons."""
    return polygon_files.read_table(file, LeftOut(takes_invalid=False))


RING = [1, 1, 6, 1, 6, 5, 1, 5]
COCO = {
    "images": [{"id": 1, "file_name": "a.jpg", "height": 6, "width": 10}],
    "categories": [{"id": 1, "name": "cat"}],
    "annotations": [
        {"id": 7, "image_id": 1, "category_id": 1, "segmentation": segmentation}
        for segmentation in (
            [RING, RING[2:]],
            {"size": [6, 10], "counts": [24, 2, 4, 30]},
            {"size": [6, 10], "counts": "c0151l0"},
        )
    ],
}


def read_image(file):
    """Read an image as if rasterio were not installed: GDAL has its own handling of bad files."""
    with mock.patch.dict(sys.modules, {"rasterio": None}):
        return raster_files.read(file, only=True)


def load_progress(file):
    return progress.load(file.parent)


def text(name):
    return lambda _: (ROOT / name).read_bytes()


# A title: the reader, a function that returns the content of a valid file, and the file's name.
READERS = {
    "GeoJSON": (polygon_files.read_table, lambda _: countries(), "a.geojson"),
    "GeoJSON without suffix": (polygon_files.read_table, lambda _: countries(), "a"),
    "GeoJSON of anything": (read_geojson, lambda _: countries(), "a.geojson"),
    "GeoJSON of collections": (read_geojson, lambda _: json.dumps(in_collections()), "a.json"),
    "tables of GeoJSON": (polygon_files.read_table, lambda _: countries(), "a.json"),
    "COCO": (read_annotations, lambda _: json.dumps(COCO), "a.json"),
    "CSV": (polygon_files.read_polygon, text("examples/france.csv"), "a.csv"),
    "vertices as NPY": (polygon_files.read_polygon, lambda _: array_bytes(POLYGON, "npy"), "a.npy"),
    "an image as NPY": (read_image, lambda _: array_bytes(IMAGE, "npy"), "a.npy"),
    "labels as NPZ": (read_image, lambda _: array_bytes(IMAGE, "npz"), "a.npz"),
    "a result": (results.load, lambda _: json.dumps(saved("result")), "a.json"),
    "a sweep": (results.load, lambda _: json.dumps(saved("sweep")), "a.json"),
    "many polygons": (results.load, lambda _: json.dumps(saved("many")), "a.json"),
    "pytest-benchmark": (results.load, lambda _: of_pytest_benchmark(), "a.json"),
    "a student's results": (load_progress, lambda _: json.dumps(result()), progress.FILE),
    "results handed in": (student_results.read, lambda _: json.dumps(result()), "anna.json"),
}


def refusal(reader, file):
    """Read a file; return the reader's refusal, or None if it returns a value."""
    start = time.process_time()
    try:
        assert reader(file) is not None
        message = None
    except ValueError as error:
        message = str(error).replace(str(file), "FILE")
    assert time.process_time() - start < SECONDS
    if message is not None:
        assert message.isprintable(), message
        assert 0 < len(message) < LONGEST, message
    return message


def as_bytes(content):
    """Return the content of a file as bytes."""
    return content if isinstance(content, bytes) else content.encode()


def hostile(seed, rng):
    """Yield mutations of a file endlessly: of its bytes, and of its tree if it is JSON."""
    if isinstance(seed, bytes):
        while True:
            yield mutations.of_bytes(rng, seed)
    while True:
        yield mutations.of_json(rng, seed)
        yield mutations.of_bytes(rng, seed.encode())


class Failed(AssertionError):
    """A reader neither returned a value nor refused the file."""

    def __init__(self, name, number, content, error):
        reason = f"{type(error).__name__}: {error}"
        super().__init__(f"{name!r}, file {number}, which begins {content[:2000]!r}: {reason}")


def attempts(name, folder, seed):
    """Let a reader read mutations drawn by a seed, endlessly; yield its refusals, or None.

    This raises `Failed` if the reader fails.
    """
    reader, make, file_name = READERS[name]
    good, file = make(folder / "made"), folder / file_name
    file.write_bytes(as_bytes(good))
    assert refusal(reader, file) is None
    for number, content in enumerate(hostile(good, random.Random(seed))):
        file.write_bytes(content)
        try:
            message = refusal(reader, file)
        except Exception as error:
            raise Failed(name, number, content, error) from error
        yield message
