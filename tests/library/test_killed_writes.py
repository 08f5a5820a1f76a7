"""A process that is killed while it writes a result or a workshop's state leaves no half of a file.

It is killed before each thing that it does to the file system, one after the other, and in the
middle of the text: what is read afterwards is the old file or the new one.
"""

import os

import pytest
from fresh_python import run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

# Each writes one of two versions, 0 or 1, and says which one is there.
KINDS = {
    "a result of bench": """
import json
import numpy as np
from polymask.bench import machine, result_json
from polymask.bench.result import Result, Workload, Yardstick
file, record = folder / "bench.json", machine.record()
workload = Workload.of(np.array([(0, 0), (8, 0), (0, 6.0)]), (6, 8))
yardstick = Yardstick(memset_warm_s=None, memset_fresh_s=None)

def write(version):
    record.cpu = f"version {version}"
    made = Result(machine=record, workload=workload, yardstick=yardstick, rows=[])
    result_json.save(made, file)

def read():
    found = result_json.load(json.loads(file.read_text(encoding="utf-8")), "bench.json")
    return int(found.machine.cpu[-1])
""",
    "the progress of a workshop": """
from polymask.workshop.student import progress

def write(version):
    lines = {f"exercise_{n}": progress.Line(checks=version) for n in range(50)}
    progress.save(folder, lines)

def read():
    lines = progress.load(folder)
    (checks,) = {line.checks for line in lines.values()}
    assert len(lines) == 50
    return checks
""",
    "the results of a workshop": """
from polymask.workshop.student import progress

def write(version):
    progress.note_result(folder, "vectorize", {"version": version}, {"cpu": "x" * 3000})

def read():
    return progress.results(folder)["vectorize"]["version"]
""",
}
KILLED = """
import os, resource, signal, sys
from pathlib import Path
folder = Path(sys.argv[1])
{kind}
def killed(version, prepare):
    "Write in a process of its own; return whether it was killed."
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

def before(number):
    "Have the process killed before it opens, renames or removes for the nth time."
    left = [number]
    def count(event, _):
        if event in ("open", "os.rename", "os.remove", "os.chmod"):
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(count)

def within_the_text():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

write(0)
assert killed(1, within_the_text)
assert read() == 0
moments, now = 0, 0
while killed(1 - now, lambda: before(moments)):
    moments += 1
    now = read()
    assert all(one.name[0] == "." for one in folder.iterdir() if one.name not in {names})
assert read() == 1 - now
print(moments)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_after_a_kill_is_the_old_file_or_the_new(kind, tmp_path):
    script = KILLED.replace("{kind}", KINDS[kind])
    script = script.replace("{names}", "{'bench.json', 'progress.txt', 'results.json'}")
    done = run("-c", script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 2  # before it is opened, and before it takes the old one's place
