"""A process that is killed while it writes a result leaves no partial file.

It is killed before each of its file system operations in turn, and in the middle of the text: the
file is the old or the new one afterwards.
"""

import os

import pytest
from fresh_python import run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

# It writes version 0 or 1 of a file, or reads the file and returns its version.
RESULT = """
import json
import numpy as np
from ladder.bench import machine, result_json
from ladder.bench.result import Result, Workload, Yardstick
file, record = folder / "bench.json", machine.record()
workload = Workload.of(np.array([(0, 0), (8, 0), (0, 6.0)]), (6, 8))
yardstick = Yardstick(memset_warm_s=None, memset_fresh_s=None)

def write(version):
    record.cpu = f"version {version}"
    result = Result(machine=record, workload=workload, yardstick=yardstick, rows=[])
    result_json.save(result, file)

def read():
    result = result_json.load(json.loads(file.read_text(encoding="utf-8")), "bench.json")
    return int(result.machine.cpu[-1])
"""
TEMPLATE = """
import os, resource, signal, sys
from pathlib import Path
folder = Path(sys.argv[1])
{result}
def is_killed(version, prepare):
    "Write in a child process; return whether it was killed."
    child = os.fork()
    if child == 0:
        prepare()
        write(version)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0, status
    return False

def kill_before(number):
    "Kill the process before it opens, renames, removes or changes a file for the nth time."
    remaining = [number]
    def count(event, _):
        if event in ("open", "os.rename", "os.remove", "os.chmod"):
            remaining[0] -= 1
            if remaining[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(count)

def kill_within_the_text():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

write(0)
assert is_killed(1, kill_within_the_text)
assert read() == 0
kills, version = 0, 0
while is_killed(1 - version, lambda: kill_before(kills)):
    kills += 1
    version = read()
    assert all(path.name[0] == "." for path in folder.iterdir() if path != file)
assert read() == 1 - version
print(kills)
"""


def test_a_killed_write_leaves_the_old_file_or_the_new(tmp_path):
    completed = run("-c", TEMPLATE.replace("{result}", RESULT), tmp_path)
    assert completed.returncode == 0, completed.stderr
    assert int(completed.stdout) >= 2  # before it is opened, and before it replaces the old one
