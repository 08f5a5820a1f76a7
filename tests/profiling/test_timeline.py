"""`polymask profile` of a device: a timeline of its commands."""

import re
import types

import pytest
from cases import says

from ladder import devices, registry
from ladder.devices import opencl
from ladder.profiling import timeline


def event(*nanoseconds):
    times = dict(zip(("queued", "submit", "start", "end"), nanoseconds, strict=True))
    return types.SimpleNamespace(profile=types.SimpleNamespace(**times))


def test_a_timeline_shows_when_each_command_waited_and_ran():
    commands = opencl.commands(
        {"to_device": event(1000, 1000, 1100, 1200), "kernel": event(1100, 1300, 1500, 2000)}
    )
    assert [timeline.name(command) for command in commands] == ["copy to device", "kernel"]
    assert commands[1].start == pytest.approx(5e-7)  # since the first was queued
    assert timeline.bar(commands[0], 1e-6, 10) == "░█"
    assert timeline.bar(commands[1], 1e-6, 10) == " ··░░█████"


WAITS = {
    "to_device": event(0, 0, 0, 1_000),
    "kernel": event(1_000, 2_000, 3_000, 9_003_000),
    "to_host": event(1_003_000, 9_003_000, 9_004_000, 9_006_000),
}
LATE_COPY = WAITS | {"to_host": event(9_500_000, 9_500_000, 9_501_000, 9_503_000)}


def test_a_copy_that_waits_for_the_kernel_has_a_note():
    commands = opencl.commands(WAITS)
    assert timeline.waited(commands) == pytest.approx(8e-3)
    _, waits, sums = timeline.notice(commands, 10e-3)
    assert says(waits, "8.00", "end of the kernel")
    assert says(sums, "call", "10.0", "commands")
    assert says(sums, "1.00", "9.00", "host")
    late_copy = opencl.commands(LATE_COPY)
    assert timeline.waited(late_copy) == 0
    assert len(timeline.notice(late_copy, 10e-3)) == 2


def test_a_device_that_copies_nothing_waits_for_nothing():
    kernel = devices.Command("kernel", 0.0, 0.0, 0.1, 0.5)
    assert timeline.waited([kernel]) == 0
    assert "kernel 400 ms" in " ".join(timeline.notice([kernel], 1.0))


def test_kernels_of_two_streams_that_run_at_once_are_counted_once():
    """The second begins within the first, the third within both; the last comes later."""
    spans = [(0.0, 3.0), (1.0, 4.0), (2.0, 2.5), (6.0, 7.0)]
    kernels = [devices.Command("kernel", 0.0, 0.0, *span) for span in reversed(spans)]
    assert devices.kernel_s(kernels) == 5.0
    copy = devices.Command("to_host", 0.0, 0.0, 3.5, 6.5)
    assert devices.kernel_s([copy]) is None
    assert devices.busy_s([*kernels, copy]) == 7.0
    assert timeline.times([*kernels, copy]) == "kernel 7.50 s, copy to host 3.00 s"
    assert says(timeline.notice([*kernels, copy], 9.0)[-1], "commands", "7.00", "device's")


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl", "sycl.kernel"])
def test_a_device_shows_its_commands(polymask, key):
    rung = registry.get(key)
    try:
        rung.load()
    except registry.Unavailable as error:
        pytest.skip(str(error))
    events = {}
    rung.load()([(0, 0), (6, 1), (2, 5)], (8, 8), events=events)
    commands = devices.kind(rung.device).commands(events)
    assert [command.name for command in commands] == list(events) == list(timeline.NAMES)
    kernel = commands[1]
    assert devices.kernel_s(commands) == kernel.ran == kernel.end - kernel.start
    assert 0 <= kernel.queued <= kernel.submit <= kernel.start < kernel.end
    code, out, _ = polymask("profile", key, "--size", "24")
    assert code == 0
    for name in timeline.NAMES.values():
        assert re.search(rf"^ *{name} .*█", out, re.M)
    assert says(out, "commands", "call")
    assert says(out, "host's", "commands")
