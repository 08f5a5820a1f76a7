"""The ledger of proofs: what was proved, of which contents, by which tools.

A proof is a test with the mark `proof`, whose arguments are patterns of the files that it is of.
What it depends on is read from the sources, by `dependencies`. `make test` fails where that has
changed. `make proofs` runs the proofs whose key has changed since they were written down, and three
more that are drawn, so that a ledger that lies is found out.
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

from polymask.bench import machine
from polymask.common import saving, staleness

FOLDER = ROOT / "results/proofs"
DRAWN = 3  # proofs that each run makes again, though nothing has changed
FRESH, OTHER_TOOLS, STALE = "fresh", "other tools", "stale"


@functools.cache
def tools():
    """Return the versions that a proof holds for: minor ones of packages, a major one of gcc."""
    found = {"python": ".".join(map(str, sys.version_info[:2]))}
    for package in ("cython", "numba", "numpy"):
        try:
            found[package] = ".".join(version(package).split(".")[:2])
        except PackageNotFoundError:
            found[package] = None
    gcc = shutil.which("g++")
    said = gcc and subprocess.run([gcc, "-dumpversion"], capture_output=True, text=True, check=True)
    found["g++"] = said.stdout.split(".")[0].strip() if gcc else None
    return found


digest = functools.cache(staleness.digest)


def matching(patterns):
    """Return the files that match patterns, except the products of a build or of Python."""
    files = {file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()}
    return {f for f in files if "__pycache__" not in f.parts and f.suffix not in (".so", ".pyc")}


def contents(item):
    """Return the digest of all that a proof depends on.

    That is the test's own file, those that its mark has patterns for, and what they depend on; and
    the names of other files, whatever stands in them.
    """
    marks = list(item.iter_markers("proof"))
    patterns = tuple(chain.from_iterable(mark.args for mark in marks))
    names = tuple(chain.from_iterable(mark.kwargs.get("names", ()) for mark in marks))
    return contents_of(item.path, patterns, names, digest)


@functools.cache
def contents_of(test, patterns, names, digest):
    """Return the digest of a test's file, of files, of what they depend on, and of names."""
    files = dependencies.distances(test, *matching(patterns))
    lines = sorted(f"{file.relative_to(ROOT)} {digest(file)}" for file in files)
    lines += sorted(str(file.relative_to(ROOT)) for file in matching(names))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def key(of_contents, of_tools):
    """Return the key of a proof."""
    return hashlib.sha256(json.dumps([of_contents, of_tools]).encode()).hexdigest()


def entry(item, seconds=None, outcome="passed"):
    """Return what the ledger says of a proof."""
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
    """Return the file that a proof is kept in, and its name there."""
    path, _, name = nodeid.partition("::")
    file = path.removeprefix("tests/").removesuffix(".py").replace("/", ".")
    return FOLDER / f"{file}.json", name


@functools.cache
def page(file):
    """Return a file of the ledger: name to entry."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def state(item):
    """Return whether a proof is `FRESH`, `STALE`, or was made with `OTHER_TOOLS`.

    With other tools, or on another system, other modules are built: contents do not compare.
    """
    file, name = place(item.nodeid)
    kept = page(file).get(name)
    if kept is None:
        return STALE
    if kept["tools"] != tools():
        return OTHER_TOOLS
    return FRESH if kept["key"] == key(contents(item), tools()) else STALE


def chosen(items, seed):
    """Return the proofs that are to be made: the stale ones, and some that are drawn."""
    fresh = sorted((item for item in items if state(item) == FRESH), key=lambda item: item.nodeid)
    again = random.Random(seed).sample(fresh, min(DRAWN, len(fresh)))
    return [item for item in items if item in again or item not in fresh]


def write(entries):
    """Write entries, by node id; one that is None is taken out.

    A proof that was made here stays where it is skipped with the same contents elsewhere.
    """
    pages = defaultdict(dict)
    for nodeid, made in entries.items():
        file, name = place(nodeid)
        pages[file][name] = made
    for file, new in pages.items():
        kept = dict(page(file))
        for name, made in new.items():
            old = kept.get(name)
            if made is None:
                kept.pop(name, None)
            elif old is None or made["outcome"] == "passed" or old["contents"] != made["contents"]:
                kept[name] = made
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = (f" {json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
        saving.write(file, "{\n" + ",\n".join(lines) + "\n}\n")
    page.cache_clear()
