"""The process of a check: its time-out, interrupts, and its requirements of the system."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ladder.workshop import exercises
from ladder.workshop.sandbox import child_handle
from ladder.workshop.student import check as checking


@pytest.mark.slow
def test_an_endless_loop_ends(workshop):
    exercise = exercises.get("vectorize")
    workshop.answer.write_text("x = 1\nwhile True:\n    x += 1\n")
    outcome = checking.check(exercise, workshop.folder)
    assert not outcome.passed
    assert re.match(
        r"no answer within \d+ s while importing it; vectorized.py, line [23], was running: ",
        outcome.message,
    )


@pytest.mark.parametrize("starved", [0.0, 600.0])
def test_time_without_a_core_does_not_count(tmp_path, monkeypatch, starved):
    (tmp_path / "half_a_second.py").write_text("import time\ndef main(): time.sleep(0.5)\n")
    monkeypatch.setattr(child_handle, "starved", lambda pid: starved)
    path = {"PYTHONPATH": str(tmp_path)}
    ended = child_handle.run("half_a_second", {}, tmp_path, 0.2, 1.0, path)
    assert ended.timed_out == (not starved)


def test_time_without_a_core_or_for_our_own_part_does_not_count(monkeypatch):
    child = object.__new__(child_handle.Child)
    child.seconds, child.begun, child.waited = 5.0, False, 0.0
    monkeypatch.setattr(child, "stopped", lambda timed_out: TimeoutError())
    child.count(50.0, 0.0)
    child.begun, child.waited = True, 0.0
    child.count(600.0, 597.0)
    assert child.waited == 3.0
    with pytest.raises(TimeoutError):
        child.count(4.0, 1.0)


def test_a_process_that_shares_a_core_is_starved():
    counts = Path("/proc/self/schedstat")
    if not counts.exists() or counts.read_text().split()[0] == "0":  # or does not count
        pytest.skip("the kernel does not report it")
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    command = [sys.executable, "-c", spin]
    children = [subprocess.Popen(command, start_new_session=True) for _ in range(2)]
    try:
        while not all(child_handle.starved(child.pid) > 0.1 for child in children):
            assert all(child.poll() is None for child in children)
            time.sleep(0.02)
    finally:
        for child in children:
            child_handle.end(child)
    assert child_handle.starved(children[0].pid) == 0.0  # it is gone


JUDGE = """
import pathlib, sys, time
from ladder.workshop.sandbox import child_handle
folder = pathlib.Path(sys.argv[1])
child = child_handle.start("endless", {}, folder, 1.0, {"PYTHONPATH": sys.argv[1]})
while not (folder / "begun").exists():
    time.sleep(0.01)
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends such a child")
def test_nothing_keeps_running_after_the_judge_is_killed(tmp_path):
    endless = (
        "import pathlib\ndef main():\n    pathlib.Path('begun').touch()\n    while True: pass\n"
    )
    (tmp_path / "endless.py").write_text(endless)
    command = [sys.executable, "-c", JUDGE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as judge:
        child = Path("/proc", judge.stdout.readline().strip())
        judge.kill()
    while is_alive(child.name):
        time.sleep(0.01)


def is_alive(pid):
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_an_interrupt_leaves_all_as_it_was(workshop, interruptible):
    marker = workshop.folder / "begun"
    workshop.answer.write_text(
        f"def make_mask(vertices, shape, border_value=True):\n    open({str(marker)!r}, 'w')\n"
        "    while True: pass\n"
    )
    before = (workshop.folder / "results.json").read_text()
    child = subprocess.Popen(
        [sys.executable, "-m", "polymask", "workshop", "check", "vectorize"],
        cwd=workshop.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while child.poll() is None and not marker.exists():
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, out
    assert "interrupted" in err
    assert workshop.answer.read_text().startswith("def make_mask")
    assert (workshop.folder / "results.json").read_text() == before
