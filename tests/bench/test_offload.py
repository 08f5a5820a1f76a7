"""The program that measures the offload runtime: its record, its page and its bars."""

import json
import re

import pytest
from checkouts import ROOT
from click.testing import CliRunner

from ladder.bench import machine
from ladder.devices import Device
from ladder.report import lessons, marks

pytest.importorskip("matplotlib")

from benchmarks.harness.tasks import FEWEST_ROUNDS
from benchmarks.offload import measure as benchmark_offload
from benchmarks.offload import record as offload_record
from benchmarks.offload.record import BAR_SIZE, HAND_OVER, NUMPY, WAYS, Record, Row, Timing

LESSON = ROOT / "7_offload" / "README.md"


def row(single, in_a_row):
    return Row(single=Timing.of([single] * 5), in_a_row=Timing.of([in_a_row] * 5))


@pytest.fixture
def record():
    machine_record = machine.record()
    machine_record.load_before = machine_record.load_after = 0.5
    return Record(
        machine=machine_record,
        engines={"host": Device("ladder.offload", "1", "host", "", "CPU", 2)},
        latency={
            HAND_OVER: row(10e-6, 5e-6),
            "host: invoke": row(30e-6, 2e-6),
            "host: invoke, sync": row(20e-6, 20e-6),
        },
        copies={
            str(BAR_SIZE): {
                NUMPY: row(1e-3, 1e-3),
                "host: in": row(1e-3, 1e-3),
                "host: out": row(2e-3, 1.25e-3),
            }
        },
        products={"16": {"NumPy": row(1e-6, 1e-6)}},
    )


@pytest.mark.slow
def test_it_writes_timings_machine_and_charts(tmp_path):
    options = ["--engines", "host", "--seconds", "0", "--largest", "4096", "--largest-n", "32"]
    result = CliRunner().invoke(benchmark_offload.main, [str(tmp_path / "made"), *options])
    assert result.exit_code == 0, result.output
    saved = offload_record.load(tmp_path / "made.json")
    assert saved.machine.date
    assert saved.machine.load_after is not None
    assert saved.engines["host"].type == "CPU"
    assert [int(size) for size in saved.copies] == [2**power for power in range(3, 13)]
    assert list(saved.products) == ["16", "32"]
    calls = {"host: invoke", "host: invoke, sync", "host: bind"}
    ctypes = {offload_record.BARE, offload_record.HANDED, HAND_OVER}
    assert saved.latency.keys() == ctypes | calls
    for timings in saved.latency.values():
        for name in WAYS:
            timing = getattr(timings, name)
            assert timing.n == FEWEST_ROUNDS
            low, high = timing.ci95_s
            assert 0 < timing.least_s <= low <= timing.median_s <= high
    assert None not in offload_record.bar_values(saved, "single")[:2]
    charts = sorted(tmp_path.glob("*.svg"))
    assert [file.name for file in charts] == ["made-copies-host.svg", "made-dgemm.svg"]
    assert "in, in a row" in charts[0].read_text()
    assert "host: pointers" in charts[1].read_text()


def test_missed_bars_are_named_for_each_way(record):
    values = [offload_record.bar_values(record, way) for way in WAYS]
    assert values == [pytest.approx(each) for each in ([2, 30, 1, 0.5], [4, 2, 1, 0.8])]
    text = offload_record.text(record, "some.json")
    assert "relative to the call in a thread | ≤ 3 | 2.00, met | 4.00, missed |" in text
    assert "| µs until `invoke` returns | < 20 | 30.0, missed | 2.00, met |" in text
    assert "bandwidth of a copy out, 16 MiB, relative to NumPy's | ≥ 0.8 | 0.500, missed |" in text
    assert "| host: out, 16 MiB | 2.00 ms | 1.25 ms |" in text


def test_a_record_is_small_and_is_read_back(record, tmp_path):
    record.latency["host: invoke"] = Row(
        single=Timing.of([1e-6 * n for n in range(1, 1000)]), in_a_row=Timing.of([1 / 3] * 5)
    )
    file = tmp_path / "some.json"
    offload_record.save(record, file)
    assert offload_record.load(file) == record
    assert json.loads(file.read_text())["latency"]["host: invoke"]["in_a_row"] == {
        "median_s": 0.3333,
        "ci95_s": [0.3333, 0.3333],
        "least_s": 0.3333,
        "n": 5,
    }
    assert len(file.read_bytes()) < 5000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "is not a"),
        ('{"schema": "polymask offload benchmark 1"}', "measure again"),
        ('{"schema": "polymask offload benchmark 2"}', "not a complete result: it has no copies"),
    ],
)
def test_other_files_are_refused(text, words, tmp_path):
    file = tmp_path / "some.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=rf"some\.json.*{words}"):
        offload_record.load(file)


def test_a_page_is_written_between_its_marks(record, tmp_path):
    offload_record.save(record, tmp_path / "some.json")
    page = tmp_path / "README.md"
    row = "<!-- table of offload.copy in x.json -->\nstays\n<!-- end of table -->\n"
    page.write_text("before\n<!-- table of old.json -->\nold\n<!-- end of table -->\n" + row)
    arguments = [str(tmp_path / "some.json"), str(page)]
    result = CliRunner().invoke(offload_record.main, arguments)
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert text.startswith("before\n<!-- table of some.json -->\n")
    assert "old\n" not in text
    assert text.endswith(row)
    pictures = re.findall(r"!\[.*\]\((.*)\)", text)
    assert sorted(pictures) == sorted(file.name for file in tmp_path.glob("*.svg"))


def test_the_lesson_agrees_with_its_json():
    found = marks.MARKS.finditer(LESSON.read_text(encoding="utf-8"))
    (match,) = (match for match in found if lessons.IN not in match["of"])
    record = offload_record.load(LESSON.parent / match["of"])
    assert match["text"] == offload_record.text(record, match["of"])
    for picture in re.findall(r"!\[.*\]\((.*)\)", match["text"]):
        assert (LESSON.parent / picture).is_file()


def test_an_unknown_engine_is_an_error(tmp_path):
    result = CliRunner().invoke(
        benchmark_offload.main, [str(tmp_path / "made"), "--engines", "abacus"]
    )
    assert result.exit_code == 2
    assert "abacus" in result.output
    assert list(tmp_path.iterdir()) == []


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
