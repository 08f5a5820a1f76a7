"""Whether other programs use the machine, tested on invented kernel counts in place of /proc."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.bench.machine import Busy
from ladder.cli import bench_quiet
from ladder.common import busy
from ladder.report import results
from polymask.masks import container

CPUS = {0, 1}


@pytest.fixture
def proc(tmp_path):
    """Write and read a fake /proc: (used, idle, stolen) per CPU and (name, ticks) per process."""

    def read(cpus, processes=()):
        lines = [f"cpu{n} {used} 0 0 {idle} 0 0 0 {stolen} 0 0" for n, (used, idle, stolen) in cpus]
        (tmp_path / "stat").write_text("\n".join(["cpu  9 9 9 9 9 9 9 9 9 9", *lines, "intr 7 0"]))
        for pid, (name, ticks) in dict(processes).items():
            (tmp_path / str(pid)).mkdir(exist_ok=True)
            text = f"{pid} ({name}) R 1 2 3 4 5 6 7 8 9 10 {ticks} 0 0 0 20 0"
            (tmp_path / str(pid) / "stat").write_text(text)
        reading = busy.read(tmp_path)
        return busy.Reading(reading.cpus, reading.processes, own_s=0.0)

    return read


@pytest.fixture(autouse=True)
def _hundredths(monkeypatch):
    sysconf = os.sysconf
    answer = {"SC_CLK_TCK": 100}
    monkeypatch.setattr(os, "sysconf", lambda name: answer.get(name) or sysconf(name))


def look_after(proc, ticks, processes=(), own_s=0.0, cpus=CPUS, load=None):
    """Compare two readings 100 ticks apart; `ticks` has (used, idle, stolen) per CPU."""
    before = proc(
        dict.fromkeys(range(len(ticks)), (500, 500, 50)).items(),
        dict.fromkeys(dict(processes), ("before", 1000)),
    )
    after = [(500 + used, 500 + idle, 50 + stolen) for used, idle, stolen in ticks]
    after = proc(enumerate(after), {p: (n, 1000 + t) for p, (n, t) in dict(processes).items()})
    after = busy.Reading(after.cpus, after.processes, own_s)
    return busy.seen(before, after, cpus, load)


def test_own_work_is_not_that_of_others(proc):
    look = look_after(proc, [(100, 0, 0), (0, 100, 0)], own_s=1.0)
    assert look.others == 0
    assert not look.busy


def test_other_programs_are_counted_and_named_the_busiest_first(proc, snapshot):
    processes = {5: ("make (all) 2", 20), 6: ("cc1plus", 90), 7: ("idler", 5)}
    look = look_after(proc, [(100, 0, 0), (60, 40, 0)], processes, own_s=0.5)
    assert look.others == pytest.approx(1.1)
    assert look.programs == ("cc1plus", "make (all) 2")
    assert look.sentence == snapshot


def test_a_name_cannot_steer_the_terminal(proc):
    look = look_after(proc, [(100, 0, 0), (0, 100, 0)], {5: ("\x1b[31m\x07red", 100)})
    assert look.programs == ("[31mred",)


def test_cores_that_this_process_may_not_use_do_not_count(proc):
    look = look_after(proc, [(0, 100, 0), (100, 0, 0)], cpus={0})
    assert (look.cores, look.others) == (1, 0)


def test_stolen_time_is_the_hosts(proc, snapshot):
    look = look_after(proc, [(60, 10, 30), (0, 100, 0)], own_s=0.6)
    assert look.busy
    assert look.sentence == snapshot


def test_a_large_machine_has_small_services():
    assert busy.Look(2, 0.5, 0.0).busy
    assert not busy.Look(64, 0.5, 0.0).busy
    assert busy.Look(64, 1.0, 0.0).busy


@pytest.mark.parametrize("zeros", [True, False], ids=["all zero", "no file"])
def test_without_the_kernels_counts_the_load_average_has_to_do(proc, zeros, snapshot):
    if zeros:
        calm, loaded = (look_after(proc, [(0, 0, 0)] * 2, load=load) for load in (0.4, 3.1))
    else:
        calm, loaded = (busy.seen(None, None, CPUS, load) for load in (0.4, 3.1))
    assert not calm.busy
    assert loaded.busy
    assert loaded.sentence == snapshot
    assert Busy.of(loaded) == Busy(busy=True, cores_used=None, cores_stolen=None)


def test_an_unknown_load_is_not_busy():
    look = busy.seen(None, None, CPUS)
    assert not look.busy
    assert "does not show whether" in look.sentence


def test_waiting_ends_when_the_machine_is_quiet(monkeypatch):
    looks = iter([busy.Look(2, 1.5, 0.0), busy.Look(2, 0.5, 0.0), busy.Look(2, 0.0, 0.0)])
    monkeypatch.setattr(busy, "look", lambda: next(looks))
    monkeypatch.setattr(busy, "PAUSE_S", 0.0)
    assert busy.wait(1e9).others == 0


def test_waiting_ends_when_patience_does(monkeypatch):
    monkeypatch.setattr(busy, "look", lambda: busy.Look(2, 1.5, 0.0))
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("no time was left"))
    assert busy.wait(0).busy


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="the kernel's counts are Linux's")
def test_a_program_that_loops_is_found_on_this_machine():
    """Under any load: other programs use the part of a core that the loop does not get."""
    cpu = next(iter(container.usable()))
    loop = f"import os; os.sched_setaffinity(0, [{cpu}]); print(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", loop], stdout=subprocess.PIPE) as child:
        try:
            child.stdout.readline()  # wait for the loop to start
            before = busy.read()
            if not any(map(sum, before.cpus.values())):
                pytest.skip("this sandbox's /proc/stat is a file of zeros")
            while busy.read().processes[child.pid][1] - before.processes[child.pid][1] < 30:
                os.sched_yield()
            look = busy.seen(before, busy.read(), container.usable())
        finally:
            child.kill()
    assert look.others > 0.1


BUSY = busy.Look(2, 1.5, 0.0, ("yes", "no"))
BENCH = ("bench", "--size", 9, "--seconds", 0, "--rungs", "cclass.polygon", "--out", "made")


@pytest.mark.slow
def test_bench_in_a_script_warns_of_a_busy_machine_and_goes_on(polymask, monkeypatch):
    monkeypatch.setattr(busy, "look", lambda: BUSY)
    monkeypatch.setattr(busy, "wait", lambda *_: pytest.fail("a script is not held up"))
    code, out, err = polymask(*BENCH)
    assert code == 0
    text = " ".join(err.split())
    assert text.startswith(
        "This machine is busy: 2 other programs (yes, no) use 1.5 of 2 cores. Times will be longer"
    )
    assert text.index("Measuring on the busy") < text.index("checking")  # the warning comes first
    assert max(map(len, err.splitlines())) <= 80
    (result,) = results.load("made/bench.json")
    assert result.machine.busy_before == Busy.of(BUSY)
    assert "The machine was busy when the run began (other programs used 1.5 of 2 cores)" in out


@pytest.mark.parametrize("force", [False, True])
def test_bench_in_a_terminal_waits_for_quiet_unless_forced(polymask, monkeypatch, force):
    looks = [BUSY, BUSY, BUSY, busy.Look(2, 0.0, 0.0)]
    monkeypatch.setattr(busy, "look", lambda: looks.pop(0))
    monkeypatch.setattr(busy, "PAUSE_S", 0.0)
    monkeypatch.setattr(bench_quiet, "LONGEST_S", 1e9)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = polymask(*BENCH, *(["--force"] if force else []))
    assert code == 0
    assert len(looks) == (3 if force else 0)
    assert ("Waiting up to" in err) is not force
    assert ("Measuring on the busy machine" in err) is force
    assert ("was busy when the run began" in out) is force


def test_ctrl_c_while_waiting_ends_and_leaves_nothing(polymask, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(busy, "look", lambda: BUSY)
    monkeypatch.setattr(busy, "wait", interrupt)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = polymask(*BENCH[:-2])
    assert code == 130
    assert "interrupted" in err
    assert out == ""
    assert not list(Path().rglob("*.*"))
    assert not list(Path("polymask-results").iterdir())
