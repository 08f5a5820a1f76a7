"""A separate program that makes and times masks with the rungs of one tree, on request.

The tree may be that of another commit, so the program imports only the measured rungs: a rung has
`make_mask(vertices, shape, **options)`, and may have `check()`. The first line of standard input is
the job; each further line is a request, which is answered with one line. `comparison.py` sends the
requests.
"""

import functools
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import sys
import time
from pathlib import Path

WARM_UP_CALLS, WARM_UP_S = 2, 0.02  # after the first mask
SLOW_CALL_S = 1.0  # slower rungs are not warmed up


class PackageFinder:
    """A finder of packages whose folders have other names: 0_python is ladder.python."""

    def __init__(self, folders):
        self.folders = folders

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a package of the tree, or None."""
        if name not in self.folders:
            return None
        folder = Path(self.folders[name])
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


class Worker:
    """The requests that the program answers, one for each method."""

    def __init__(self, vertices, shape):
        import numpy as np

        self.np, self.shape = np, tuple(shape)
        self.vertices, self.calls = np.array(vertices, dtype=np.float64), {}

    def prepare(self, key, options):
        """Import, check and warm up a rung; return its mask's digest, and the seconds of a call."""
        module = importlib.import_module(f"ladder.{key}")
        if hasattr(module, "check"):
            module.check()
        # JSON has lists instead of tuples
        keywords = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
        self.calls[key] = functools.partial(module.make_mask, self.vertices, self.shape, **keywords)
        start = time.perf_counter()
        mask = self.calls[key]()
        shortest = time.perf_counter() - start
        if shortest < SLOW_CALL_S:
            calls, end = 0, time.perf_counter() + WARM_UP_S
            while calls < WARM_UP_CALLS or time.perf_counter() < end:
                calls, shortest = calls + 1, min(shortest, self.sample(key, 1))
        return digest(self.np.asarray(mask)), shortest

    def sample(self, key, repeats):
        """Make masks; return the seconds per mask."""
        return seconds_per_call(self.calls[key], repeats)

    def files(self):
        """Map the files of the imported modules of polymask to their digests."""
        names = [name for name in sys.modules if name.partition(".")[0] in ("polymask", "ladder")]
        files = filter(None, (getattr(sys.modules[name], "__file__", None) for name in names))
        return {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}


def seconds_per_call(call, repeats):
    """Make several calls without the garbage collector; return the seconds of one."""
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(repeats):
            result = None  # as in practice, free the memory before the next call
            result = call()
        seconds = time.perf_counter() - start
    finally:
        gc.enable()
    del result
    return seconds / repeats


def digest(mask):
    """Return a digest of a mask's bytes, shape and type."""
    kind = repr((mask.dtype.str, mask.shape)).encode()
    return hashlib.sha256(kind + mask.tobytes()).hexdigest()


def answer(make_worker, request):
    """Execute a request and return the answer, which may be an error."""
    name, *arguments = request
    try:
        return {"value": getattr(make_worker(), name)(*arguments)}
    except ImportError as error:
        return {"missing": str(error)}
    except Exception as error:
        if type(error).__name__ == "Unavailable":  # the tree's own class
            return {"missing": str(error)}
        return {"raised": f"{type(error).__name__}: {error}"}


def serve(make_worker):
    """Answer the lines of standard input until its end, with the methods of one worker."""
    make_worker = functools.cache(make_worker)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep the prints of rungs and libraries out of the answers
    for line in sys.stdin:
        print(json.dumps(answer(make_worker, json.loads(line))), file=answers, flush=True)


def main():
    """Read the job, and answer requests."""
    job = json.loads(sys.stdin.readline())
    sys.path[:] = [job["tree"], *job["path"]]
    sys.meta_path.insert(0, PackageFinder(job["packages"]))
    serve(lambda: Worker(job["vertices"], job["shape"]))


if __name__ == "__main__":
    main()
