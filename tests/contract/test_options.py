"""Every rung: valid and invalid options, and environment variables of the engine."""

import numpy as np
import pytest
from every_rung import SHAPE, TRIANGLE, assert_mask, rungs_where

from ladder import devices, offload
from ladder.registry import reference, workload
from polymask import contract
from polymask.masks import _engine

# Options.


GOOD_OPTIONS = {
    "threads": [None, 1, 2, 3, 4],
    "schedule": [
        *((kind, rows) for kind in ("static", "dynamic", "guided") for rows in (0, 1, 3, 10**6)),
        ["dynamic", np.int8(16)],
    ],
    "target": ["cpu", "parallel"],
    "work_group": [None, (1, 1), (8, 8), (16, 4), (1, 32), (64, 1)],
    "device": list(offload.devices),
    "memory": ["device", "shared", "host"],
}
BAD_OPTIONS = {
    "threads": [
        (0, "threads must be 1 to .*got 0"),
        (-2, "threads must be 1 to .*got -2"),
        (100_000, "threads must be 1 to .*got 100000"),  # OpenMP would end the process
        (2**40, "threads must be 1 to"),
    ],
    "schedule": [
        (("fast", 16), r"schedule must be static, dynamic, guided and .* got \('fast', 16\)"),
        (("Static", 0), "schedule must be"),
        (("dynamic", -1), "schedule must be"),
        (("dynamic", 1.5), "schedule must be"),
        (("dynamic", None), "schedule must be"),
        (("dynamic", 1, 2), "schedule must be"),
        (("static", 10**6 + 1), "schedule must be"),
        (("static", 2**70), "schedule must be"),
        ((["static"], 1), "schedule must be"),
        ("static", "schedule must be"),
        (None, "schedule must be"),
    ],
    "target": [
        ("gpu", "target must be cpu or parallel, got 'gpu'"),
        ("", "target must be cpu or parallel, got ''"),
        (None, "target must be cpu or parallel, got None"),
    ],
    "work_group": [
        ((0, 1), "work-group has 1 to .*0x1|work-group.*1x0"),
        ((1, 0), "work-group has 1 to"),
        ((-1, -1), "work_group must not be negative"),
        ((2**20, 2**20), "work-group has 1 to"),
    ],
    "device": [
        (-1, "device must be 0 to .*got -1"),
        (99, "device must be 0 to .*got 99"),
        ("host", "device must be 0 to .*got 'host'"),
        (None, "device must be 0 to .*got None"),
    ],
    "memory": [
        ("fast", "memory must be one of device, shared, host, got 'fast'"),
        ("Device", "memory must be .*got 'Device'"),
        (["device"], r"memory must be .*got \['device'\]"),
        (None, "memory must be .*got None"),
    ],
}
TEXT_OPTIONS = {
    "threads": ("3", 3),
    "schedule": ("guided,4", ("guided", 4)),
    "target": ("parallel", "parallel"),
    "work_group": ("16x4", (16, 4)),
    "device": ("0", 0),
    "memory": ("shared", "shared"),
}


@rungs_where(lambda rung: rung.options)
def test_options_of_the_registry_have_test_values_and_are_arguments(rung, make_mask):
    for option, read in rung.options.items():
        assert option in GOOD_OPTIONS
        assert option in BAD_OPTIONS
        text, value = TEXT_OPTIONS[option]
        assert read(text) == value
        assert_mask(
            make_mask(TRIANGLE, SHAPE, **{option: value}), reference.by_rule(TRIANGLE, SHAPE)
        )


@rungs_where(lambda rung: rung.options)
def test_every_value_of_an_option_gives_the_same_mask(rung, make_mask):
    for shape in SHAPE, (37, 53), (1, 1), (0, 3), (64, 64):
        vertices = workload.polygon(9, (40, 50), seed=1)
        expected = reference.mask(vertices, shape, False)
        for option in rung.options:
            for value in GOOD_OPTIONS[option]:
                assert_mask(make_mask(vertices, shape, False, **{option: value}), expected)


@rungs_where(lambda rung: rung.options)
def test_nothing_is_written_beyond_the_image(rung, make_mask):
    """The polygon extends beyond the right and lower borders; the left of the image is outside.

    A work item beyond the image would write to the left of the next row.
    """
    vertices, shape = [(30, 20), (500, 20), (500, 500), (30, 500)], (37, 53)
    expected = reference.mask(vertices, shape)
    for option in rung.options:
        for value in GOOD_OPTIONS[option]:
            assert_mask(make_mask(vertices, shape, **{option: value}), expected)


@rungs_where(lambda rung: len(rung.options) > 1)
def test_every_pair_of_values_of_options(rung, make_mask):
    expected = reference.mask(TRIANGLE, SHAPE)
    first, second = list(rung.options)[:2]
    for a in GOOD_OPTIONS[first]:
        for b in GOOD_OPTIONS[second]:
            assert_mask(make_mask(TRIANGLE, SHAPE, **{first: a, second: b}), expected)


@rungs_where(lambda rung: rung.options)
@pytest.mark.parametrize("shape", [SHAPE, (0, 3)], ids=str)
def test_bad_values_of_options(rung, make_mask, shape):
    """For masks without pixels, too: `bench` checks options with such a mask."""
    for option in rung.options:
        for value, message in BAD_OPTIONS[option]:
            with pytest.raises(ValueError, match=message) as raised:
                make_mask(TRIANGLE, shape, **{option: value})
            assert "\n" not in str(raised.value)
        assert_mask(make_mask(TRIANGLE, SHAPE), reference.by_rule(TRIANGLE, SHAPE))


@rungs_where(lambda rung: rung.device)
def test_device_rungs_hand_out_their_events(rung, make_mask):
    events = {}
    mask = make_mask(TRIANGLE, (64, 96), events=events)
    commands = devices.kind(rung.device).commands(events)
    assert devices.kernel_s(commands) > 0
    assert all(0 < command.ran < 60 for command in commands)
    assert_mask(mask, reference.mask(TRIANGLE, (64, 96)))


# Environment variables of the engine.


@rungs_where(lambda rung: "from engine cimport" in rung.source())
@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("POLYMASK_ISA", "AVX-2", "POLYMASK_ISA=AVX-2 is not automatic, plain, neon, avx2 or "),
        ("POLYMASK_ISA", None, r"POLYMASK_ISA=\w+ is not available: .* have .*plain$"),
        (
            "POLYMASK_STORES",
            "slow",
            "POLYMASK_STORES=slow is not automatic, cached, prefetched or ",
        ),
    ],
)
def test_unavailable_settings_of_the_engine(make_mask, monkeypatch, variable, value, message):
    """The error is not a MemoryError; its one line names the variable and the valid values."""
    if value is None:  # no processor has both
        value = "avx2" if "neon" in _engine.instruction_sets() else "neon"
    monkeypatch.setenv(variable, value)
    with pytest.raises(contract.Unavailable, match=message) as raised:
        make_mask(TRIANGLE, SHAPE)
    assert "\n" not in str(raised.value)
    monkeypatch.delenv(variable)
    assert_mask(make_mask(TRIANGLE, SHAPE), reference.by_rule(TRIANGLE, SHAPE))
