"""The program that measures the offload runtime: its record and its page."""

import json

import pytest
from checkouts import ROOT
from click.testing import CliRunner

from benchmarks.harness.tasks import FEWEST_ROUNDS
from benchmarks.offload import measure as benchmark_offload
from benchmarks.offload import record as offload_record
from benchmarks.offload.record import WAYS, Record, Row, Timing
from ladder.bench import machine
from ladder.devices import Device
from ladder.report import lessons, marks

PAGE = ROOT / "7_offload" / "runtime.md"


def row(single, in_a_row):
    return Row(single=Timing.of([single] * 5), in_a_row=Timing.of([in_a_row] * 5))


@pytest.fixture
def record():
    machine_record = machine.record()
    machine_record.load_before = machine_record.load_after = 0.5
    return Record(
        machine=machine_record,
        engines={"host": Device("ladder.offload", "1", "host", "", "CPU", 2)},
        rows={"ctypes": row(10e-6, 1 / 3), "host: out, 16 MiB": row(2e-3, 1.25e-3)},
    )


@pytest.mark.slow
def test_it_writes_timings_and_machine(tmp_path):
    result = CliRunner().invoke(benchmark_offload.main, [str(tmp_path / "made"), "--seconds", "0"])
    assert result.exit_code == 0, result.output
    saved = offload_record.load(tmp_path / "made.json")
    assert saved.machine.load_after is not None
    assert saved.engines["host"].type == "CPU"
    assert {"ctypes", "host: invoke, sync", "NumPy, 16 MiB", "host: in, 16 MiB"} <= {*saved.rows}
    for timings in saved.rows.values():
        for name in WAYS:
            timing = getattr(timings, name)
            assert timing.n == FEWEST_ROUNDS
            low, high = timing.ci95_s
            assert 0 < timing.least_s <= low <= timing.median_s <= high


def test_a_record_is_read_back_and_written_into_a_page(record, tmp_path):
    file, page = tmp_path / "some.json", tmp_path / "README.md"
    offload_record.save(record, file)
    assert offload_record.load(file) == record
    timing = {"median_s": 0.3333, "ci95_s": [0.3333, 0.3333], "least_s": 0.3333, "n": 5}
    assert json.loads(file.read_text())["rows"]["ctypes"]["in_a_row"] == timing
    row = "<!-- table of offload.copied in x.json -->\nstays\n<!-- end of table -->\n"
    page.write_text("before\n<!-- table of old.json -->\nold\n<!-- end of table -->\n" + row)
    result = CliRunner().invoke(offload_record.main, [str(file), str(page)])
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert text.startswith("before\n<!-- table of some.json -->\n")
    assert "| host: out, 16 MiB | 2.00 ms | 1.25 ms |" in text
    assert "old\n" not in text
    assert text.endswith(row)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"schema": "polymask offload benchmark 1"}', "measure again"),
        ('{"schema": "polymask offload benchmark 3"}', "not a complete result: it has no engines"),
    ],
)
def test_other_files_are_refused(text, words, tmp_path):
    file = tmp_path / "some.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=rf"some\.json.*{words}"):
        offload_record.load(file)


def test_the_page_agrees_with_its_json():
    found = marks.MARKS.finditer(PAGE.read_text(encoding="utf-8"))
    (match,) = (match for match in found if lessons.IN not in match["of"])
    record = offload_record.load(PAGE.parent / match["of"])
    assert match["text"] == offload_record.text(record, match["of"])


def test_calls_in_a_row_have_nothing_between_them(monkeypatch):
    now, actions = [0.0], []

    def act(action, seconds):
        now[0] += seconds
        actions.append(action)

    monkeypatch.setattr(benchmark_offload.time, "perf_counter", lambda: now[0])
    contender = benchmark_offload.Contender(
        lambda: act("call", 0.5e-3 if actions[-1:] == ["call"] else 1e-3), lambda: act("after", 1)
    )
    rows = benchmark_offload.measure({"toy": contender}, 0)
    assert contender.in_a_row == 2
    calls = ["call", "after", "call", "call", "after"]
    assert actions == ["call", "after"] * 2 + calls * FEWEST_ROUNDS
    assert rows == {"toy": row(1e-3, 0.75e-3)}
