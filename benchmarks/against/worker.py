"""A separate program that makes and times masks with the rungs of one tree, on request.

The tree may be that of another commit, so the program imports only the measured rungs: a rung has
`make_mask(vertices, shape, **options)`, and may have `check()`. The first line of standard input is
the job; each further line is a request, which is answered with one line. `comparison.py` sends the
requests.
"""

import gc
import hashlib
import importlib
import importlib.util
import json
import os
import signal
import sys
import time
from pathlib import Path

ALONE = 0.01  # our other threads count as idle below 1 % CPU


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


class StarvedTime:
    """The time for which this thread was ready to run while another thread had its core.

    Only Linux counts it; on other systems it is 0.
    """

    def __init__(self):
        try:
            self.file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
            self.seconds()
        except (OSError, ValueError, IndexError):
            self.file = None

    def seconds(self):
        """Return the time so far in seconds."""
        return 0.0 if self.file is None else 1e-9 * int(os.pread(self.file, 100, 0).split()[1])


class Worker:
    """The requests that the program answers, one for each method."""

    def __init__(self, vertices, shape, package="ladder"):
        import numpy as np

        self.package = package  # that contains the rungs
        self.np, self.shape = np, tuple(shape)
        self.vertices = np.array(vertices, dtype=np.float64)
        self.calls, self.starved = {}, StarvedTime()

    def load(self, key, options):
        """Import a rung and run its check."""
        module = importlib.import_module(f"{self.package}.{key}")
        if hasattr(module, "check"):
            module.check()
        # JSON has lists instead of tuples
        keywords = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
        self.calls[key] = lambda vertices, shape: module.make_mask(vertices, shape, **keywords)

    def band(self, key, count):
        """Make `count` rows from the middle of the image; return the seconds."""
        rows, cols = self.shape
        start = time.perf_counter()
        self.calls[key](self.vertices - (0, (rows - count) // 2), (count, cols))
        return time.perf_counter() - start

    def mask(self, key):
        """Make the mask; return its digest and the seconds."""
        start = time.perf_counter()
        mask = self.calls[key](self.vertices, self.shape)
        seconds = time.perf_counter() - start
        return digest(self.np.asarray(mask)), seconds

    def warm_up(self, key, calls, seconds):
        """Make at least `calls` masks, for at least `seconds`; return the shortest time."""
        end, shortest = time.perf_counter() + seconds, float("inf")
        while calls > 0 or time.perf_counter() < end:
            shortest = min(shortest, self.sample(key, 1))
            calls -= 1
        return shortest

    def sample(self, key, repeats):
        """Make masks; return the seconds per mask.

        The time for which another program had our core is subtracted, unless several of our threads
        work: then one of them may have had it.
        """
        call, collecting = self.calls[key], gc.isenabled()
        gc.disable()
        try:
            start, starved = time.perf_counter(), self.starved.seconds()
            others_s = time.process_time() - time.thread_time()
            mask = None
            for _ in range(repeats):
                mask = None  # as in practice, free the memory before the next mask
                mask = call(self.vertices, self.shape)
            others_s = time.process_time() - time.thread_time() - others_s
            starved = self.starved.seconds() - starved
            wall = time.perf_counter() - start
        finally:
            if collecting:
                gc.enable()
        del mask
        alone = others_s < ALONE * wall and starved < wall
        return (wall - starved if alone else wall) / repeats

    def files(self):
        """Map the files of the imported modules of polymask to their digests."""
        names = [name for name in sys.modules if name.partition(".")[0] in ("polymask", "ladder")]
        files = filter(None, (getattr(sys.modules[name], "__file__", None) for name in names))
        return {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}


def digest(mask):
    """Return a digest of a mask's bytes, shape and type."""
    kind = repr((mask.dtype.str, mask.shape)).encode()
    return hashlib.sha256(kind + mask.tobytes()).hexdigest()


def answer(worker, request):
    """Execute a request and return the answer, which may be a rung's error."""
    name, *arguments = request
    try:
        return {"value": getattr(worker, name)(*arguments)}
    except ImportError as error:
        return {"missing": str(error)}
    except Exception as error:
        if type(error).__name__ == "Unavailable":  # the tree's own class
            return {"missing": str(error)}
        return {"raised": f"{type(error).__name__}: {error}"}


def main():
    """Answer requests until the end of the input."""
    # Commits before 5460d08c make slow masks in another thread unless Ctrl-C ends the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep the prints of rungs out of the answers
    job = json.loads(sys.stdin.readline())
    sys.path[:] = [job["tree"], *job["path"]]
    sys.meta_path.insert(0, PackageFinder(job["packages"]))
    # Commits before December 2026 have the rungs in polymask, and no ladder.
    course = any(name.startswith("ladder.") for name in job["packages"])
    worker = Worker(job["vertices"], job["shape"], "ladder" if course else "polymask")
    for line in sys.stdin:
        print(json.dumps(answer(worker, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
