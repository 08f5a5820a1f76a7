"""A separate process that makes masks, for a profiler of instructions.

``python -m ladder.profiling.child job.json``
"""

import json
import sys
import time
from pathlib import Path

from ladder import registry
from ladder.profiling import twin


def main(job_file):
    """Make masks with the job's module until its seconds are over."""
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    make_mask = twin.load(registry.get(job["key"]), job["module"])
    end = time.perf_counter() + job["seconds"]
    while True:
        make_mask(job["vertices"], job["shape"], **job["options"])
        if time.perf_counter() >= end:
            return


if __name__ == "__main__":
    main(sys.argv[1])
