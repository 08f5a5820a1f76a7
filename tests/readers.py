"""The readers of files, and what they are given: each answers, or refuses in a short line."""

import functools
import io
import json
import random
import sys
import time
from collections import Counter
from unittest import mock

import mutations
import numpy as np
from checkouts import ROOT
from hostile_results import result
from PIL import Image

from polymask.geodata import files, geojson, raster_files
from polymask.profiling import baseline
from polymask.report import results
from polymask.workshop import exercises
from polymask.workshop.author import student_results
from polymask.workshop.student import progress

LONGEST = 600  # letters of a refusal, besides the name of the file: it may name all rungs
SECONDS = 2.0  # of the processor, for a file: hundreds of times what it takes
RESULTS = {
    "result": "2026-11-22-intel-xeon.json",
    "sweep": "2026-11-21-amd-epyc-sweep-threads.json",
    "many": "2026-11-23-amd-epyc-many.json",
}
COUNTS = ROOT / "results/instructions/x86_64.json"
LINES = {
    "vectorize": progress.Line("passed", 2.5, 4.0, 1, 2),
    "type": progress.Line("right", None, progress.NONE, 0, 3),
}


def countries():
    """Some small countries of the world, with MultiPolygons and names."""
    world = json.loads((ROOT / "examples/countries.geojson").read_text(encoding="utf-8"))
    world["features"].sort(key=lambda feature: len(json.dumps(feature)))
    kinds = {f["geometry"]["type"]: f for f in world["features"][:60]}
    world["features"] = [*world["features"][:6], *kinds.values()]
    return json.dumps(world)


def saved(kind):
    """A result of the repository, with few rows, so that all of it is reached."""
    found = json.loads((ROOT / "results" / RESULTS[kind]).read_text(encoding="utf-8"))
    for one in (found, *found.get("results", [])):
        for name in {"rows", "scenes"} & one.keys():
            one[name] = one[name][:3]
    return found


def of_pytest_benchmark():
    """What pytest-benchmark writes of the suite in benchmarks/rungs.py."""
    made = saved("result")
    common = {name: made[name] for name in ("machine", "workload")} | {"threads": 1}
    keys = {"python.tuples": "rung", "memset": "yardstick"}
    extras = [
        common | {"key": key, "kind": kind, "samples_s": [0.5, 0.25]} for key, kind in keys.items()
    ]
    return json.dumps({"benchmarks": [{"name": "a", "extra_info": extra} for extra in extras]})


def arrays(kind):
    """An image, or a polygon, as a file of a kind."""
    file, image = io.BytesIO(), (np.arange(12 * 14) % 5).reshape(12, 14).astype(np.uint8)
    if kind == "polygon.npy":
        np.save(file, np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.5]]))
    elif kind == "npy":
        np.save(file, image)
    elif kind == "npz":
        np.savez_compressed(file, labels=image, names=["a", "b"])
    else:
        Image.fromarray(image).save(file, kind)
    return file.getvalue()


def written(save):
    """What a function writes into a folder, as it is given one: the bytes of its only file."""

    def made(folder):
        folder.mkdir()
        save(folder)
        (file,) = folder.iterdir()
        return file.read_bytes()

    return made


def note_result(folder):
    progress.note_result(folder, "vectorize", result()["exercises"]["vectorize"], {"cpu": "AMD"})


def read_geojson(file):
    """As the command line reads a map: what is no polygon is passed over, and counted."""
    return geojson.read(file.read_bytes(), Counter())


def read_image(file):
    """As a machine without rasterio reads an image: what GDAL makes of hostile files is its own."""
    with mock.patch.dict(sys.modules, {"rasterio": None}):
        return raster_files.read(file, only=True)


@functools.cache
def known():
    """The names of all exercises: to find them takes longer than to read what is handed in."""
    return {exercise.name for exercise in exercises.every()}


def hand_in(file):
    return student_results.read(file, known())


def load_progress(file):
    return progress.load(file.parent)


def shown(file):
    return progress.last_speedups(file.parent)


def text(name):
    return lambda _: (ROOT / name).read_bytes()


# What is read, the reader, a file that it reads to begin with, and what that file is called.
READERS = {
    "GeoJSON": (files.read_table, lambda _: countries(), "a.geojson"),
    "GeoJSON without suffix": (files.read_table, lambda _: countries(), "a"),
    "GeoJSON of anything": (read_geojson, lambda _: countries(), "a.geojson"),
    "tables of GeoJSON": (files.read_table, lambda _: countries(), "a.json"),
    "CSV": (files.read_polygon, text("examples/france.csv"), "a.csv"),
    "vertices as NPY": (files.read_polygon, lambda _: arrays("polygon.npy"), "a.npy"),
    "an image as NPY": (read_image, lambda _: arrays("npy"), "a.npy"),
    "labels as NPZ": (read_image, lambda _: arrays("npz"), "a.npz"),
    "a PNG": (read_image, lambda _: arrays("png"), "a.png"),
    "a GIF": (read_image, lambda _: arrays("gif"), "a.gif"),
    "a TIFF": (read_image, lambda _: arrays("tiff"), "a.tif"),
    "a result": (results.load, lambda _: json.dumps(saved("result")), "a.json"),
    "a sweep": (results.load, lambda _: json.dumps(saved("sweep")), "a.json"),
    "many polygons": (results.load, lambda _: json.dumps(saved("many")), "a.json"),
    "pytest-benchmark": (results.load, lambda _: of_pytest_benchmark(), "a.json"),
    "counts of instructions": (baseline.read, lambda _: COUNTS.read_text("utf-8"), "a.json"),
    "progress.txt": (load_progress, written(lambda at: progress.save(at, LINES)), progress.FILE),
    "a student's results": (shown, written(note_result), progress.RESULTS),
    "results handed in": (hand_in, lambda _: json.dumps(result()), "anna.json"),
}


def told(reader, file):
    """Read a file; return what was refused, in words, or None: nothing else may happen."""
    begun = time.process_time()
    try:
        assert reader(file) is not None
        said = None
    except ValueError as error:
        said = str(error).replace(str(file), "FILE")
    assert time.process_time() - begun < SECONDS
    if said is not None:
        assert said.isprintable(), said
        assert 0 < len(said) < LONGEST, said
    return said


def as_bytes(content):
    """What a file holds, whether it was made as text or not."""
    return content if isinstance(content, bytes) else content.encode()


def hostile(seed, rng):
    """Yield mutations of a seed without end: of its bytes, and of its tree if it is JSON."""
    if isinstance(seed, bytes):
        while True:
            yield mutations.of_bytes(rng, seed)
    while True:
        yield mutations.of_json(rng, seed)
        yield mutations.of_bytes(rng, seed.encode())


class Failed(AssertionError):
    """A reader did with a file what none may do."""

    def __init__(self, name, number, content, error):
        said = f"{type(error).__name__}: {error}"
        super().__init__(f"{name!r}, file {number}, which begins {content[:2000]!r}: {said}")
        self.content = content


def tried(name, folder, seed):
    """Give a reader mutations without end, drawn by a seed; yield what was refused, or None.

    A file that fails is in the `Failed` that this raises.
    """
    reader, make, called = READERS[name]
    good, file = make(folder / "made"), folder / called
    file.write_bytes(as_bytes(good))
    assert told(reader, file) is None
    for number, content in enumerate(hostile(good, random.Random(seed))):
        file.write_bytes(content)
        try:
            said = told(reader, file)
        except Exception as error:
            raise Failed(name, number, content, error) from error
        yield said
