"""Record the calls to the driver for a mask, by sycl.kernel and by sycl.native.

python 8_sycl/pictures/record_driver_calls.py

SYCL's runtime prints the calls if SYCL_UR_TRACE is set. They are recorded in driver_calls.json.
"""

import collections
import datetime
import json
import os
import re
import subprocess
import sys
from importlib import metadata

from driver_calls import DATA

CALLS = {
    "sycl.kernel, device": "kernel.make_mask({}, {})",
    "sycl.kernel, shared": "kernel.make_mask({}, {}, memory='shared')",
    "sycl.native, shared": "native.make_mask({}, {})",
}
ARGUMENTS = [(30, 50), (900, 200), (400, 990)], (1024, 1024)
MARK = "the second call"  # the first one also builds the kernel


def driver_calls(call):
    """Return the number of calls to each function of the driver, in the order of first calls."""
    code = f"""if True:
        from ladder.sycl import kernel, native
        {call}
        print({MARK!r}, flush=True)
        mask = {call}
        print({MARK!r}, flush=True)"""
    command, environment = (sys.executable, "-c", code), {**os.environ, "SYCL_UR_TRACE": "-1"}
    result = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return collections.Counter(re.findall(r"---> ur(\w+)", result.stdout.split(MARK)[1]))


def record():
    """Record the calls in driver_calls.json."""
    data = {
        "dpctl": metadata.version("dpctl"),
        "runtime": metadata.version("intel-sycl-rt"),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "calls": {name: driver_calls(text.format(*ARGUMENTS)) for name, text in CALLS.items()},
    }
    text = json.dumps(data).replace(': {"', ': {\n"').replace("}, ", "},\n")
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
