"""Instructions per pixel: counts under callgrind, in the table, and compared with the committed."""

import gc
import json
import re

import click
import pytest
from cases import folded, says

from ladder import registry
from ladder.bench import result, result_json
from ladder.cli import bench
from ladder.profiling import baseline, instructions, tools
from ladder.profiling import counted as counted_process
from ladder.registry import workload
from polymask.contract import Unavailable

KEYS = ("cclass.polygon", "scanline.engine")
COUNTED = result.InstructionCount(image=(8, 4), instructions=3200)
CONDITIONS = {"Python": "3.11.7", instructions.ISA: "avx2", "valgrind": "3.19.0"}


def counts(*, failed=None, **rungs):
    """Return counts of rungs on 10 x 10 pixels; the keys have no dots."""
    return result.Instructions(
        conditions=dict(CONDITIONS),
        polygon_sha256=workload.sha256(workload.polygon()),
        rungs={
            key: result.InstructionCount(image=(10, 10), instructions=number)
            for key, number in rungs.items()
        },
        failed=failed or {},
    )


@pytest.fixture
def count_call(monkeypatch):
    """Give every rung the same count, without valgrind; return the arguments of the call."""
    call = {}

    def count(chosen, vertices, shape, options=None, progress=None):
        call.update(keys=[rung.key for rung in chosen], shape=shape, options=options)
        return result.Instructions(
            conditions=CONDITIONS,
            polygon_sha256=workload.sha256(vertices),
            rungs={rung.key: COUNTED for rung in chosen},
        )

    monkeypatch.setattr(tools, "allowed", lambda tool: True)
    monkeypatch.setattr(instructions, "count", count)
    return call


@pytest.mark.parametrize(
    ("shape", "images"),
    [
        ((1024, 1024), [(16, 16), (32, 32), (64, 64), (128, 128), (256, 256), (512, 512)]),
        ((33, 20), [(17, 10)]),
        ((16, 16), []),
        ((1, 3), []),
    ],
)
def test_images_grow_to_the_full_size(shape, images):
    assert instructions.image_sizes(shape) == [*images, shape]


def test_rungs_on_a_device_are_left_out(monkeypatch):
    monkeypatch.setattr(tools, "allowed", lambda tool: True)
    monkeypatch.setattr(instructions, "conditions", lambda isa: dict(CONDITIONS))
    monkeypatch.setattr(
        instructions, "count_one", lambda *_: {"image": [8, 4], "instructions": 3200, "isa": "neon"}
    )
    rungs = [rung for rung in registry.RUNGS if rung.device or rung.key in KEYS]
    record = instructions.count(rungs, workload.polygon(), (1024, 1024))
    assert record.rungs == dict.fromkeys(KEYS, COUNTED)
    assert len(rungs) > len(KEYS)


def test_a_count_that_a_full_pool_disturbs_is_no_count(monkeypatch, tmp_path, capsys):
    """With a full pool, which depends on the lengths of paths, cython.typed takes 3 % more."""
    job = {"key": "python.vectorized", "options": {}, "shape": [4, 4], "images": [[2, 2], [4, 4]]}
    job |= {"vertices": [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], "enough": 100, "dumps": str(tmp_path)}
    file = tmp_path / "job.json"
    file.write_text(json.dumps(job), encoding="utf-8")
    series = iter([103, 103, 100, 100, 103, 100])
    monkeypatch.setattr(counted_process, "count", lambda make, dumps: next(series))
    monkeypatch.setattr(gc, "disable", lambda: None)
    counted_process.main(file)
    assert json.loads(capsys.readouterr().out)["instructions"] == 100


def test_variables_that_change_counts_do_not_reach_the_process(monkeypatch):
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "X86_V3")
    monkeypatch.setenv("PYTHONMALLOC", "malloc")
    monkeypatch.setenv("POLYMASK_ISA", "plain")
    variables = instructions.environment()
    assert variables.keys() <= {*instructions.KEPT, *instructions.FIXED}
    assert variables["PYTHONHASHSEED"] == "0"
    assert variables["POLYMASK_ISA"] == "plain"


def test_changes_of_two_percent_and_more_are_reported():
    committed = counts(up=1000, down=1000, a_bit=1000, gone=1000)
    now = counts(up=1021, down=979, a_bit=1019, failed={"gone": "not built"})
    gone, up, down = baseline.changes(now, committed)
    assert gone == "gone could not be counted: not built"
    assert up.startswith("up: 10.21 instructions per pixel, 10 in results")
    assert "(+2.1%)" in up
    assert "(-2.1%)" in down
    assert all("python -m ladder.profiling.baseline --accept" in line for line in (up, down))


def test_counts_of_other_conditions_are_not_compared(monkeypatch):
    baseline.compare_conditions(CONDITIONS, counts())
    with pytest.raises(Unavailable, match=re.escape("Python 3.12.1 (there 3.11.7)")):
        baseline.compare_conditions(CONDITIONS | {"Python": "3.12.1"}, counts())


def test_accepted_counts_are_read_back(monkeypatch, tmp_path, count_call):
    monkeypatch.setattr(baseline, "ROOT", tmp_path)
    monkeypatch.setattr(baseline, "FILE", tmp_path / "here" / "x.json")
    monkeypatch.setattr(instructions, "count", lambda *_, **__: counts(toy=1000))
    monkeypatch.setattr(instructions, "conditions", lambda isa: dict(CONDITIONS))
    baseline.main(["--accept"], standalone_mode=False)
    assert baseline.read(baseline.FILE) == counts(toy=1000)
    assert baseline.check() == []
    monkeypatch.setattr(instructions, "count", lambda *_, **__: counts(toy=1030))
    with pytest.raises(SystemExit, match="1"):
        baseline.main([], standalone_mode=False)


def test_counts_that_lack_a_rung_are_not_accepted(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(baseline, "FILE", tmp_path / "here" / "x.json")
    monkeypatch.setattr(instructions, "count", lambda *_, **__: counts(failed={"gone": "no"}))
    with pytest.raises(click.ClickException, match="could not count gone"):
        baseline.main(["--accept"], standalone_mode=False)
    assert not baseline.FILE.exists()


DATA = {"schema": 2, "conditions": CONDITIONS, "polygon_sha256": "x"}
NO_PIXELS = json.dumps(DATA | {"rungs": {"x": {"image": [0, 9], "instructions": 1}}})
BROKEN = {  # the content of a file of counts, and a pattern of its error
    "nothing": (b"", "not JSON: line 1, column 1: "),
    "a list": (b"[1, 2]", r"contains \[1, 2\] instead of counts$"),
    "another schema": (b'{"schema": 1}', "schema 1, but this polymask reads 2: run .* --accept"),
    "no pixels": (NO_PIXELS.encode(), r"rungs.x.image\[0\] must be an integer above zero, got 0"),
}


@folded(("content", "pattern"), BROKEN.values())
def test_broken_counts_are_one_line(tmp_path, monkeypatch, capsys, content, pattern):
    file = tmp_path / "x.json"
    file.write_bytes(content)
    monkeypatch.setattr(baseline, "FILE", file)
    monkeypatch.setattr(tools, "choose", lambda tool: tool)
    with pytest.raises(SystemExit, match="1"):
        baseline.main([])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert str(file) in err
    assert re.search(pattern, err.strip())
    assert len(err) < 300 + len(str(file))


def test_committed_counts_are_of_rungs_and_of_the_workload(root):
    files = list((root / "results" / "instructions").glob("*.json"))
    assert files
    for file in files:
        committed = baseline.read(file)
        assert committed.polygon_sha256 == workload.sha256(workload.polygon())
        for key, count in committed.rungs.items():
            assert not registry.get(key).device
            assert count.image in instructions.image_sizes(workload.SHAPE)


@pytest.mark.slow
def test_bench_shows_instructions_per_pixel(polymask, count_call, tmp_path):
    arguments = ("--size", 32, "--rungs", ",".join(KEYS), "--seconds", 0, "--out", "here")
    code, out, _ = polymask("bench", *arguments, "--instructions", "--html", "page.html")
    assert code == 0
    assert "instr./px" in (tmp_path / "here" / "bench.md").read_text(encoding="utf-8")
    assert "instr./px" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "callgrind (valgrind 3.19.0) on images of 8 x 4 pixels" in " ".join(out.split())
    file = tmp_path / "here" / "bench.json"
    saved = result_json.load(json.loads(file.read_text(encoding="utf-8")), file)
    assert count_call["keys"] == list(KEYS)
    assert count_call["shape"] == (32, 32)
    assert [row.instructions_per_pixel for row in saved.rows] == [100, 100]
    assert saved.instructions.rungs["cclass.polygon"] == COUNTED
    _, out, _ = polymask("bench", *arguments)
    assert "instr./px" not in out


def test_ctrl_c_while_counting_keeps_the_times(polymask, count_call, monkeypatch, tmp_path):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench.instructions, "count", interrupt)
    arguments = ("--size", 16, "--rungs", "cclass.polygon", "--seconds", 0, "--out", "here")
    code, out, err = polymask("bench", *arguments, "--instructions")
    assert code == 130
    assert "cclass.polygon" in out
    assert says(err, "measurements", "kept")
    assert json.loads((tmp_path / "here" / "bench.json").read_text(encoding="utf-8"))["interrupted"]


def test_without_valgrind_nothing_is_measured_in_vain(polymask, monkeypatch, tmp_path):
    monkeypatch.setattr(tools, "allowed", lambda tool: False)
    code, out, err = polymask("bench", "--instructions")
    assert (code, out) == (1, "")
    assert "apt install valgrind" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [("sweep", "size"), ("--size", "0")])
def test_instructions_need_one_image_with_pixels(polymask, arguments, tmp_path):
    code, out, err = polymask("bench", *arguments, "--instructions")
    assert (code, out) == (2, "")
    assert "--instructions" in err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def valgrind():
    """Skip if valgrind is not installed."""
    if not tools.allowed("callgrind"):
        pytest.skip("valgrind is not installed")


def count_small(key):
    """Count a rung's instructions on a small image."""
    record = instructions.count([registry.get(key)], workload.polygon(shape=(64, 64)), (64, 64))
    assert record.failed == {}
    return record


@pytest.mark.slow
def test_counts_repeat_to_a_thousandth_wherever_they_are_made(valgrind, monkeypatch, tmp_path):
    first = count_small("cclass.polygon")
    folder = tmp_path / "a folder with a longer name"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setattr("tempfile.tempdir", None)
    second = count_small("cclass.polygon")
    assert second.conditions == first.conditions
    (first_count,), (second_count,) = first.rungs.values(), second.rungs.values()
    assert first_count.image == second_count.image == (64, 64)
    assert second_count.instructions == pytest.approx(first_count.instructions, rel=1e-3)


@pytest.mark.weekly
def test_another_instruction_set_has_other_counts(valgrind, monkeypatch):
    monkeypatch.delenv("POLYMASK_ISA", raising=False)
    widest = count_small("scanline.engine")
    if widest.conditions[instructions.ISA] == "plain":
        pytest.skip("the processor has no wider instruction set than the plain one")
    monkeypatch.setenv("POLYMASK_ISA", "plain")
    plain = count_small("scanline.engine")
    with pytest.raises(Unavailable, match="instruction set plain"):
        baseline.compare_conditions(plain.conditions, widest)
    assert len(baseline.changes(plain, widest)) == 1


@pytest.mark.slow
def test_a_rung_that_fails_under_valgrind_is_told_of(valgrind, monkeypatch):
    monkeypatch.setenv("POLYMASK_ISA", "sse9")
    rung = registry.get("scanline.engine")
    record = instructions.count([rung], workload.polygon(shape=(8, 8)), (8, 8))
    assert record.rungs == {}
    assert "sse9" in record.failed["scanline.engine"]


@pytest.mark.weekly
def test_no_count_has_changed():
    """Accept an intended change with python -m ladder.profiling.baseline --accept."""
    try:
        changes = baseline.check()
    except Unavailable as error:
        pytest.skip(str(error))
    assert changes == [], "\n".join(changes)
