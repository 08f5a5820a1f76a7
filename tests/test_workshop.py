"""The workshop: its files, and a check that meets what students write.

The proof of every exercise, `polymask workshop verify`, is slow; the rest is fast, and uses the
exercise `vectorize`, which needs no compiler.
"""

import dataclasses
import errno
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polymask import cli, rungs
from polymask.workshop import check as checking
from polymask.workshop import (
    collect,
    exercises,
    folder,
    kernel,
    process,
    progress,
    starter,
    verify,
    yellow,
)

EVERY = exercises.every()
BODY = "make_mask(vertices, shape, border_value=True):\n"


# Exercises and starters


@pytest.mark.parametrize("exercise", EVERY, ids=lambda e: e.name)
def test_an_exercise_is_whole_on_paper(exercise):
    assert verify.on_paper(exercise) == []
    assert exercise.directory.count("_") >= 2
    if exercise.speed:
        text = "".join(starter.make(exercise, file) for file in exercise.files)
        assert "prediction: ?" in text


def test_names_and_numbers_are_unique():
    assert len({e.name for e in EVERY}) == len(EVERY)
    assert len({(e.rung, e.number) for e in EVERY}) == len(EVERY)
    assert {e.rung for e in EVERY} == {0, 1, 2, 3, 4, 5, 9}


@pytest.mark.parametrize("exercise", EVERY, ids=lambda e: e.name)
def test_starter_and_solution_differ_by_the_regions_only(exercise):
    for file in exercise.files:
        lines = exercise.solution(file).splitlines()
        made = starter.make(exercise, file).splitlines()
        put = [line for r in exercise.regions.get(file, ()) for line in r.put]
        position = 0
        for line in made:  # every line is put by a region, or is the solution's, in its order
            if put and line == put[0]:
                put.pop(0)
                continue
            position = lines.index(line, position) + 1
        assert put == []


def test_a_region_that_drifted_is_an_error():
    region = exercises.Region("no such line", None)
    with pytest.raises(starter.Drifted, match="no such line"):
        starter.cut("a\nb\n", [region])


def test_cutting():
    text = "one\n  two\nthree\nfour\n"
    regions = [exercises.Region("two", "three", ("2", "3"))]
    assert starter.cut(text, regions) == "one\n2\n3\nfour\n"


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EVERY, ids=lambda e: e.name)
def test_verify(exercise):
    if exercise.needs:
        try:
            rungs.get(exercise.needs).load()
        except rungs.Unavailable as unavailable:
            pytest.skip(str(unavailable))
    assert verify.verify(exercise) == []


# The student's folder


def test_start_writes_task_and_starter_and_nothing_else(workshop):
    names = {p.relative_to(workshop.where).as_posix() for p in workshop.where.rglob("*")}
    assert names == {
        "progress.txt",
        "0_2_vectorize",
        "0_2_vectorize/task.md",
        "0_2_vectorize/vectorized.py",
        "1_2_type",
        "1_2_type/task.md",
        "1_2_type/typed.pyx",
    }


def test_start_never_overwrites(workshop):
    workshop.answer.write_text("mine\n")
    progress.note(workshop.where, "vectorize", state=progress.PASSED)
    code, said = workshop("start", workshop.where, "--only", "0")
    assert code == 0
    assert "1 exercises written, 1 were there" in said  # profile is new
    assert workshop.answer.read_text() == "mine\n"
    assert progress.load(workshop.where)["vectorize"].passed


def test_start_names_a_way_out_where_it_cannot_write(workshop):
    (workshop.where / "a_file").write_text("mine")
    code, said = workshop("start", workshop.where / "a_file")
    assert code == 2
    assert "name a folder of yours" in said


def test_reset_keeps_a_copy(workshop):
    workshop.answer.write_text("mine\n")
    for number in (1, 2):
        workshop.answer.write_text(f"mine {number}\n")
        assert workshop("reset", "vectorize")[0] == 0
        copy = workshop.answer.parent / f"vectorized.py.{number}"
        assert copy.read_text() == f"mine {number}\n"
    assert "prediction: ?" in workshop.answer.read_text()


def test_a_full_disk_leaves_no_half_starter(workshop, tmp_path, monkeypatch):
    def fail(path, *arguments, **keywords):
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    workshop.answer.write_text("mine\n")
    monkeypatch.setattr(Path, "write_text", fail)
    monkeypatch.setattr(Path, "write_bytes", fail)
    code, said = workshop("reset", "vectorize")
    assert (code, "no space left on its disk" in said) == (2, True)
    assert workshop.answer.read_text() == "mine\n"
    with pytest.raises(OSError, match="no space left"):
        folder.start(tmp_path / "new", [exercises.get("vectorize")])
    assert [p for p in (tmp_path / "new").rglob("*") if p.is_file()] == []


def test_hints_come_one_by_one(workshop):
    hints = exercises.get("vectorize").hints()
    for number in range(1, len(hints) + 1):
        _, said = workshop("hint", "vectorize")
        assert f"hint {number} of {len(hints)}" in said
        assert hints[number - 1] in said
        assert number == len(hints) or hints[number] not in said
    assert "no more" in workshop("hint", "vectorize")[1]


def test_the_solution_is_shown_after_passing_or_giving_up(workshop):
    code, said = workshop("solution", "vectorize")
    assert (code, "not passed" in said) == (1, True)
    code, said = workshop("solution", "vectorize", "--give-up")
    assert (code, "+        inside ^= crosses" in said) == (0, True)


def test_a_name_that_is_none_names_the_nearest(workshop):
    code, said = workshop("check", "vectorise")
    assert code == 2
    assert "did you mean 'vectorize'" in said


def test_without_a_workshop_start_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["workshop", "list"]) == 1
    assert "workshop start" in capsys.readouterr().err


def test_a_bare_wheel_says_that_it_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(exercises, "ROOT", tmp_path)
    with pytest.raises(rungs.Unavailable, match="needs a checkout"):
        exercises.every()


def test_a_progress_file_that_was_mended_badly(workshop):
    (workshop.where / "progress.txt").write_text("vectorize perhaps\n")
    code, said = workshop("list")
    assert code == 2
    assert "line 1" in said


def test_progress_is_read_as_it_was_written(tmp_path):
    lines = {
        "a": progress.Line(progress.PASSED, 12.3, 50, 2, 7),
        "b": progress.Line(),
        "c": progress.Line(progress.RIGHT, None, progress.NONE, 0, 1),
    }
    progress.save(tmp_path, lines)
    assert progress.load(tmp_path) == lines


# The check, by the command line


def test_a_right_answer_passes_and_is_noted(workshop):
    """With a speed that is measured; what is said of which, test_workshop_speed.py tests."""
    workshop.solve()
    text = workshop.answer.read_text()
    workshop.answer.write_text(text.replace('"""The mask', '"""prediction: 40\n\nThe mask', 1))
    code, said = workshop("check")  # the first that is open
    assert code == 0
    assert re.search("^(PASSED|RIGHT) vectorize", said, re.M)  # a busy machine cannot judge
    assert str(workshop.answer) in said
    assert "masks of 96 x 96 pixels, polygons of 24 vertices" in said
    assert "you predicted 40" in said
    assert progress.load(workshop.where)["vectorize"].passed
    result = json.loads((workshop.where / "results.json").read_text())
    assert result["exercises"]["vectorize"]["predicted"] == 40
    assert re.search("0_2_vectorize +(passed|right)", workshop("list")[1])
    assert "inside ^= crosses" in workshop.answer.read_text()


FAULTS = {
    "syntax error": ("def make_mask(:\n", r"vectorized\.py, line 1: invalid syntax"),
    "missing function": ("x = 1\n", "has no function make_mask"),
    "wrong signature": ("def make_mask(shape):\n    pass\n", r"it takes \(shape\)"),
    "no return": ("def " + BODY + "    pass\n", "it returned None"),
    "exception": ("def " + BODY + "    return 1 / 0\n", "line 2: ZeroDivisionError"),
    "crash": ("import ctypes\ndef " + BODY + "    ctypes.string_at(0)\n", "crashed.*signal 11"),
    "exit": ("import os\ndef " + BODY + "    os._exit(0)\n", "ended the process"),
    "sys.exit": ("import sys\ndef " + BODY + "    sys.exit(0)\n", "ends the program"),
    "20 GB": (
        "import numpy as np\ndef " + BODY + "    return np.ones(20_000_000_000, np.uint8)\n",
        "more memory than a check allows",
    ),
    "zeros": (
        "import numpy as np\ndef " + BODY + "    return np.zeros(shape, np.uint8)\n",
        "yours is all zeros",
    ),
    "a memoryview without const": (  # as Cython says it, of an array that is read-only
        "def " + BODY + "    raise ValueError('buffer source array is read-only')\n",
        r"line 2: the vertices may be .* read-only: .* of the type `const double\[:, ::1\]`",
    ),
    "missing module": ("import nompy\n", "line 1: ModuleNotFoundError: No module named 'nompy'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_clear_message(workshop, fault):
    text, message = FAULTS[fault]
    workshop.answer.write_text(text)
    code, said = workshop("check", "vectorize")
    assert code == 1
    assert re.search(message, said), said
    assert "Traceback" not in said
    assert "NOT YET" in said


def test_a_note_of_an_exercise_is_shown(workshop, monkeypatch):
    found = checking.Outcome(True, correct=True, note="seen: two threads")
    monkeypatch.setattr(checking, "check", lambda *arguments, **keywords: found)
    assert "seen: two threads" in workshop("check", "vectorize")[1]


def test_the_solution_of_an_exercise_without_a_rung_is_built_once(tmp_path):
    calls = exercises.get("calls")
    module = checking.build_solution(calls, tmp_path / "calls")
    made = module.stat().st_mtime_ns
    assert checking.build_solution(calls, tmp_path / "calls") == module
    assert module.stat().st_mtime_ns == made
    assert checking.build_solution(exercises.get("type"), tmp_path / "type") is None  # cython.typed


def test_a_solution_that_does_not_build_is_no_fault_of_the_student(tmp_path, monkeypatch):
    def fail(*arguments):
        raise checking.builder.BuildFailed("no compiler")

    monkeypatch.setattr(checking.builder, "build", fail)
    right = checking.Outcome(True, correct=True)
    calls = exercises.get("calls")
    outcome = checking.timed(right, calls, {}, tmp_path / "calls", None, print, False)
    assert outcome.passed
    assert "the solution does not build here:\nno compiler" in outcome.untimed


def test_wrong_pixels_are_shown(workshop):
    workshop.solve()
    text = workshop.answer.read_text()
    workshop.answer.write_text(text.replace("(y > min(y1, y2))", "(y >= min(y1, y2))"))
    code, said = workshop("check", "vectorize")
    assert code == 1
    assert re.search(r"\d+ of \d+ pixels are wrong", said)
    assert "the first wrong pixel is row" in said
    assert (workshop.answer.parent / "wrong.png").exists()


def test_too_few_cores_are_named_and_the_masks_count(workshop, monkeypatch):
    exercise = exercises.get("vectorize")
    speed = dataclasses.replace(exercise.speed, cores=10_000)
    monkeypatch.setattr(
        exercises, "every", lambda only=None: [dataclasses.replace(exercise, speed=speed)]
    )
    workshop.solve()
    code, said = workshop("check", "vectorize")
    assert code == 0
    assert "RIGHT vectorize" in said
    assert "speed not judged: it would need 10000 cores" in said
    assert progress.load(workshop.where)["vectorize"].state == progress.RIGHT


def test_two_checks_of_one_exercise_do_not_meet(workshop):
    workshop.solve()
    lock = workshop.where / "build" / "vectorize.lock"
    lock.parent.mkdir(exist_ok=True)
    with open(lock, "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, said = workshop("check", "vectorize")
    assert (code, "another check of it is under way" in said) == (1, True)
    assert workshop("check", "vectorize")[0] == 0


def test_within_a_workshop_its_folder_is_meant(workshop, monkeypatch):
    monkeypatch.chdir(workshop.answer.parent)
    assert "were there" in workshop("start", "--only", "0")[1]
    assert not (workshop.answer.parent / "workshop").exists()
    assert "starter is back" in workshop("reset")[1]
    monkeypatch.chdir(workshop.where)
    assert "name an exercise" in workshop("reset")[1]


def test_a_deleted_file_is_named(workshop):
    workshop.answer.unlink()
    code, said = workshop("check", "vectorize")
    assert code == 1
    assert "workshop reset vectorize" in said


def test_an_endless_loop_ends(workshop):
    exercise = exercises.get("vectorize")
    object.__setattr__(exercise, "seconds", 2.0)
    workshop.answer.write_text("while True: pass\n")
    outcome = checking.check(exercise, workshop.where)
    assert not outcome.passed
    assert re.match("no answer within 2 s while (starting|importing it): ", outcome.message)


def test_a_full_disk_is_not_the_students_fault(workshop, monkeypatch):
    workshop.solve()
    ended = process.Ended(1, "OSError: [Errno 28] No space left on device", timed_out=False)
    monkeypatch.setattr(process, "run", lambda *arguments: ended)
    code, said = workshop("check", "vectorize")
    assert (code, "no space left on its disk" in said) == (2, True)
    assert "NOT YET" not in said
    assert "inside ^= crosses" in workshop.answer.read_text()


@pytest.mark.parametrize("starved", [0.0, 600.0])
def test_time_without_a_core_does_not_count(tmp_path, monkeypatch, starved):
    (tmp_path / "half_a_second.py").write_text("import time\ndef main(): time.sleep(0.5)\n")
    monkeypatch.setattr(process, "starved", lambda pid: starved)
    path = {"PYTHONPATH": str(tmp_path)}
    ended = process.run("half_a_second", {}, tmp_path, 0.2, 1.0, path)
    assert ended.timed_out == (not starved)


def test_who_shares_a_core_is_starved():
    counts = Path("/proc/self/schedstat")
    if not counts.exists() or counts.read_text().split()[0] == "0":  # or counts nothing
        pytest.skip("the kernel does not tell")
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    command = [sys.executable, "-c", spin]
    children = [subprocess.Popen(command, start_new_session=True) for _ in range(2)]
    try:
        while not all(process.starved(child.pid) > 0.1 for child in children):
            assert all(child.poll() is None for child in children)
            time.sleep(0.02)
    finally:
        for child in children:
            process.end(child)
    assert process.starved(children[0].pid) == 0.0  # it is gone


def test_a_time_out_says_what_went_on():
    ended = process.Ended(-signal.SIGKILL, "", timed_out=True)
    said = {"doing": "making a mask of a triangle"}
    outcome = checking.understand(said, ended, exercises.get("vectorize"), 15.0)
    assert outcome.message.startswith("no answer within 15 s while making a mask of a triangle")


def test_an_interrupt_leaves_all_as_it_was(workshop):
    workshop.answer.write_text("def " + BODY + "    while True: pass\n")
    before = (workshop.where / "progress.txt").read_text()
    child = subprocess.Popen(
        [sys.executable, "-m", "polymask", "workshop", "check", "vectorize"],
        cwd=workshop.where,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    report = workshop.where / "build" / "vectorize" / "report.jsonl"
    while child.poll() is None and not (report.exists() and "making" in report.read_text()):
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "interrupted" in said
    assert workshop.answer.read_text().startswith("def make_mask")
    assert (workshop.where / "progress.txt").read_text() == before


def test_a_syntax_error_of_cython_shows_the_students_line(workshop):
    (workshop.where / "1_2_type" / "typed.pyx").write_text("cdef double x = = 1\n")
    code, said = workshop("check", "type")
    assert code == 1
    assert "typed.pyx:1:16" in said
    assert "cdef double x = = 1" in said
    assert "Traceback" not in said
    assert "site-packages" not in said


def test_a_broken_setup_py_is_one_message_with_its_line(workshop):
    exercise = exercises.get("setup")
    folder.start(workshop.where, [exercise])
    file = workshop.where / exercise.directory / "setup.py"
    file.write_text("import setuptools\n\nsetuptools.setap()\n")
    code, said = workshop("check", "setup")
    assert code == 1
    assert f"setup: testing {file}" in said  # not the file that is compiled by it
    assert "setup.py, line 3: AttributeError" in said
    assert "Traceback" not in said
    file.write_text("x = 1\n")
    assert "built no module called 'tuples'" in workshop("check", "setup")[1]


def test_two_workshops_at_once(tmp_path):
    """Two students on one machine: each check has all that it builds in its own folder."""
    exercise, children = exercises.get("vectorize"), []
    for name in ("one", "two"):
        folder.start(tmp_path / name, [exercise])
        file = tmp_path / name / exercise.directory / exercise.main
        file.write_text(exercise.solution(exercise.main) if name == "one" else "x = 1\n")
        command = [sys.executable, "-m", "polymask", "workshop", "check", "vectorize"]
        children.append(
            subprocess.Popen(
                command, cwd=tmp_path / name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
            )
        )
    said = [child.communicate(timeout=60)[0].decode() for child in children]
    assert "its speed, all in one run" in said[0]
    assert "has no function make_mask" in said[1]


def test_the_guide_has_every_exercise_and_its_minutes(root):
    text = (root / "WORKSHOP.md").read_text()
    for exercise in EVERY:
        assert f"| {exercise.name} | {exercise.rung} | {exercise.minutes} |" in text


def test_the_timetables_leave_time_for_reading_and_for_every_exercise(root):
    minutes = {exercise.name: (exercise.rung, exercise.minutes) for exercise in EVERY}
    text = (root / "WORKSHOP.md").read_text()
    table = text.partition("## Timetables")[2].partition("Each lesson begins")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.strip().splitlines()]
    for column in range(0, len(rows[0]), 2):
        slots = [(row[column], row[column + 1]) for row in rows[2:] if row[column]]
        clock = [int(h) * 60 + int(m) for h, _, m in (time.partition(":") for time, _ in slots)]
        assert len(slots) > 4
        seen = set()
        for (_, what), begin, end in zip(slots, clock, clock[1:], strict=False):
            lesson, named, names = what.removeprefix("lesson ").partition(": ")
            if not named:
                continue
            done = [minutes[name] for name in names.split(", ")]
            assert {rung for rung, _ in done} == {int(lesson)}
            reading = 0 if lesson in seen else 10
            assert sum(needed for _, needed in done) + reading <= end - begin, what
            seen.add(lesson)


def test_the_guides_commands_exist(root):
    from polymask.cli.workshop import workshop as group

    text = (root / "WORKSHOP.md").read_text()
    named = set(re.findall(r"polymask workshop (\w+)", text))
    assert named <= set(group.commands)
    assert set(group.commands) - named == set()


def test_a_kernel_that_does_not_compile_shows_the_students_line(workshop):
    exercise = exercises.get("kernel")
    try:
        rungs.get(exercise.needs).load()
    except rungs.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    folder.start(workshop.where, [exercise])
    file = workshop.where / exercise.directory / "mask.cl"
    file.write_text(exercise.solution("mask.cl").replace("border_value);", "border_value)"))
    code, said = workshop("check", "kernel")
    assert code == 1
    assert "mask.cl:11" in said
    assert "Traceback" not in said
    file.write_text(exercise.solution("mask.cl").replace("void polygon_mask", "void mask"))
    assert "mask.cl has no kernel polygon_mask" in workshop("check", "kernel")[1]


def test_headers_in_a_path_with_spaces_get_a_link_without(tmp_path, monkeypatch):
    headers = tmp_path / "a path" / "pyopencl" / "cl"
    headers.mkdir(parents=True)
    (headers.parent / "__init__.py").write_text("")
    (headers / "some.h").write_text("int i;")
    monkeypatch.syspath_prepend(tmp_path / "a path")
    monkeypatch.delitem(sys.modules, "pyopencl", raising=False)
    said = kernel.headers_without_spaces(tmp_path)
    option, _, link = said["PYOPENCL_BUILD_OPTIONS"].partition(" ")
    assert option == "-I"
    assert (Path(link) / "some.h").read_text() == "int i;"
    monkeypatch.syspath_prepend(tmp_path / "a path" / "none")
    (tmp_path / "a path").rename(tmp_path / "path")
    monkeypatch.syspath_prepend(tmp_path / "path")
    assert kernel.headers_without_spaces(tmp_path) == {}


@pytest.mark.slow
def test_the_wheelhouse_installs_without_network(root, tmp_path):
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    copies = [tmp_path / "with network", tmp_path / "without"]
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in names:
        for copy in copies if (root / name).is_file() else ():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy / name)
    make = ["make", f"PYTHON={sys.executable}"]
    subprocess.run([*make, "wheelhouse"], cwd=copies[0], check=True, timeout=300)
    shutil.copytree(copies[0] / "wheelhouse", copies[1] / "wheelhouse")
    subprocess.run(
        [*make, ".venv/ready", "WHEELHOUSE=wheelhouse"],
        cwd=copies[1],
        env=os.environ | {"PIP_INDEX_URL": "http://127.0.0.1:9/"},  # nobody answers there
        check=True,
        timeout=300,
    )
    assert not list((copies[1] / "wheelhouse").glob("polymask-*"))


# Yellow, and the class


SOURCE = """\
def one(x):
    for i in range(3):
        x += i
    return x


cdef double two(double x,
                double y):
    return x
"""


def test_functions_and_loops_are_found():
    blocks = [(b.name, b.first, b.last) for b in yellow.functions(SOURCE)]
    assert blocks == [("one", 1, 4), ("two", 7, 9)]
    scores = {1: 5, 2: 0, 3: 4, 4: 2, 9: 1}
    assert yellow.in_loops(scores, SOURCE, "one") == {3: 4}
    assert yellow.in_loops(scores, SOURCE, "three") is None
    assert [(n, s) for _, n, s in yellow.by_function(scores, SOURCE)] == [(3, 11), (1, 1)]


def test_the_edge_loop_of_typed_is_white(tmp_path, capsys):
    assert cli.main(["annotate", "cython.typed", "--out", str(tmp_path)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    (row,) = [row for row in rows if row and row[0] == "inside_polygon"]
    assert row[-1] == "0"
    assert (tmp_path / "typed.html").exists()


def test_annotate_refuses_what_cython_does_not_compile(capsys):
    assert cli.main(["annotate", "python.vectorized"]) == 2
    assert cli.main(["annotate", "cython.type"]) == 2
    assert "did you mean 'cython.typed'" in capsys.readouterr().err


def test_collect_merges_recorded_results(root, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    recorded = root / "tests" / "workshop_results"
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "class.md").read_text()
    students, _ = collect.load(recorded)
    assert len(students) >= 3
    for who in students:
        assert f"| {who} |" in text
    assert "| vectorize | 3 of 3 |" in text
    first, second = (students[who]["exercises"]["type"] for who in ("anemone", "clover"))
    median = (first["times_before"] + second["times_before"]) / 2
    assert f"| type | 2 of 3 | {median:.1f} (" in text
    assert "AMD EPYC, 1 core: 1 of the class" in (tmp_path / "class.svg").read_text()
    assert "bramble" in next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("type")
    )
    again = (tmp_path / "class.svg").read_bytes()
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "class.svg").read_bytes() == again


def test_collect_passes_over_what_is_no_result(root, tmp_path, capsys):
    (tmp_path / "empty.json").write_text("{}")
    assert cli.main(["workshop", "collect", str(tmp_path)]) == 2
    assert "no results.json of a workshop, but empty.json" in capsys.readouterr().err
    good = (root / "tests" / "workshop_results" / "anemone.json").read_text()
    (tmp_path / "good.JSON").write_text(good)
    (tmp_path / "text.json").write_text(re.sub(r'("times_before": )[\d.]+', r'\1"fast"', good))
    (tmp_path / "nan.json").write_text(re.sub(r'("times_before": )[\d.]+', r"\1NaN", good))
    (tmp_path / "list.json").write_text("[1, 2]")
    assert cli.main(["workshop", "collect", str(tmp_path)]) == 1
    said = capsys.readouterr()
    for name in ("empty", "text", "nan", "list"):
        assert f"{name}.json is no results.json" in said.err
    assert "1 of 1" in said.out


def test_a_checkout_is_not_written_to(workshop, root):
    """A check writes into the workshop's folder only."""
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    command = ["git", "status", "--porcelain", "--ignored", "0_python", "polymask/workshop", "csrc"]
    os.environ.pop("PYTHONPYCACHEPREFIX", None)
    before = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    workshop.solve()
    assert checking.check(exercises.get("vectorize"), workshop.where).passed
    after = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert after == before
