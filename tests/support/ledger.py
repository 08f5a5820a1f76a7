"""The ledger of proofs: which tests passed, for which contents, with which tools.

A proof is a test with the mark `proof`, whose arguments are patterns of the files that it covers.
`dependencies` reads from the sources which files a proof depends on. `make test` fails if these
have changed. `make proofs` runs the proofs whose key has changed since they were recorded, and
three more drawn at random, so that a wrong ledger is noticed.
"""

import functools
import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections import defaultdict
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from itertools import chain

import dependencies
from checkouts import ROOT

from ladder.bench import machine
from ladder.common import staleness
from polymask.common import saving

FOLDER = ROOT / "results/proofs"
DRAWN = 3  # proofs that each run repeats although nothing has changed
FRESH, OTHER_TOOLS, STALE = "fresh", "other tools", "stale"


@functools.cache
def tools():
    """Return the versions that a proof is valid for: minor for packages, major for gcc."""
    versions = {"python": ".".join(map(str, sys.version_info[:2]))}
    for package in ("cython", "numba", "numpy"):
        try:
            versions[package] = ".".join(version(package).split(".")[:2])
        except PackageNotFoundError:
            versions[package] = None
    gcc = shutil.which("g++")
    command = [gcc, "-dumpversion"]
    done = gcc and subprocess.run(command, capture_output=True, text=True, check=True)
    versions["g++"] = done.stdout.split(".")[0].strip() if gcc else None
    return versions


digest = functools.cache(staleness.digest)


def matching(patterns):
    """Return the files that match patterns, except the products of a build or of Python."""
    files = {file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()}
    return {f for f in files if "__pycache__" not in f.parts and f.suffix not in (".so", ".pyc")}


def contents(item):
    """Return the digest of everything that a proof depends on.

    It covers the test's own file, the files that match its mark's patterns, and the dependencies of
    both; and the names of other files, whatever their contents.
    """
    marks = list(item.iter_markers("proof"))
    patterns = tuple(chain.from_iterable(mark.args for mark in marks))
    names = tuple(chain.from_iterable(mark.kwargs.get("names", ()) for mark in marks))
    return contents_of(item.path, patterns, names, digest)


@functools.cache
def contents_of(test, patterns, names, digest):
    """Return the digest of a test's file, of files, of their dependencies, and of names."""
    files = dependencies.distances(test, *matching(patterns))
    lines = sorted(f"{file.relative_to(ROOT)} {digest(file)}" for file in files)
    lines += sorted(str(file.relative_to(ROOT)) for file in matching(names))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def key(of_contents, of_tools):
    """Return the key of a proof."""
    return hashlib.sha256(json.dumps([of_contents, of_tools]).encode()).hexdigest()


def entry(item, seconds=None, outcome="passed"):
    """Return the ledger's entry for a proof."""
    of_contents = contents(item)
    return {
        "key": key(of_contents, tools()),
        "contents": of_contents,
        "tools": tools(),
        "outcome": outcome,
        "date": date.today().isoformat(),
        "processor": machine.cpu_model(),
        "seconds": seconds,
    }


def place(nodeid):
    """Return the file of the ledger that contains a proof, and the proof's name there."""
    path, _, name = nodeid.partition("::")
    file = path.removeprefix("tests/").removesuffix(".py").replace("/", ".")
    return FOLDER / f"{file}.json", name


@functools.cache
def page(file):
    """Return the entries in a file of the ledger by name."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def state(item):
    """Return whether a proof is `FRESH`, `STALE`, or from `OTHER_TOOLS`.

    With other tools, or on another system, other modules are built, so contents cannot be compared.
    """
    file, name = place(item.nodeid)
    kept = page(file).get(name)
    if kept is None:
        return STALE
    if kept["tools"] != tools():
        return OTHER_TOOLS
    return FRESH if kept["key"] == key(contents(item), tools()) else STALE


def chosen(items, seed):
    """Return the proofs to run: the stale ones, and some fresh ones drawn at random."""
    fresh = sorted((item for item in items if state(item) == FRESH), key=lambda item: item.nodeid)
    again = random.Random(seed).sample(fresh, min(DRAWN, len(fresh)))
    return [item for item in items if item in again or item not in fresh]


def write(entries):
    """Write entries by node id; remove those that are None.

    A proof that has passed is kept if it is skipped elsewhere with the same contents.
    """
    pages = defaultdict(dict)
    for nodeid, new in entries.items():
        file, name = place(nodeid)
        pages[file][name] = new
    for file, entries_of_page in pages.items():
        kept = dict(page(file))
        for name, new in entries_of_page.items():
            old = kept.get(name)
            if new is None:
                kept.pop(name, None)
            elif old is None or new["outcome"] == "passed" or old["contents"] != new["contents"]:
                kept[name] = new
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = (f" {json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
        saving.write(file, "{\n" + ",\n".join(lines) + "\n}\n")
    page.cache_clear()
