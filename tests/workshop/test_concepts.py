"""Messages by cause name the section of a concept page, and it is there."""

import signal

import pytest
from cases import folded
from checkouts import ROOT

from polymask.contract import Unavailable
from polymask.workshop import concepts, exercises
from polymask.workshop.sandbox import child_handle, compiler_hints, device
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.student import messages


@folded("section", concepts.ALL)
def test_the_section_is_there(section):
    text = (ROOT / concepts.FOLDER / section.page).read_text(encoding="utf-8")
    assert f"## {section.heading}" in text.splitlines()


def test_all_sections_are_listed():
    named = [one for one in vars(concepts).values() if isinstance(one, concepts.Section)]
    assert sorted(map(str, named)) == sorted(map(str, concepts.ALL))


def raised(kind, message, name="vector_add"):
    said = {"type": kind, "bases": [kind], "message": message, "lines": []}
    return messages.describe_exception(said, exercises.get(name))


def crashed(name):
    ended = child_handle.Ended(-signal.SIGABRT, "free(): invalid next size (fast)\n", False)
    return messages.describe_end(ended, "making a mask", exercises.get(name), 9.0)


def beyond():
    with pytest.raises(CheckFailed) as wrong:
        device.check_margins({"buffers": [(64, 3, "past the end")]}, "here")
    return str(wrong.value)


@folded(
    ("message", "section"),
    [
        (beyond, concepts.GUARD),
        (lambda: crashed("kernel"), concepts.GUARD),
        (lambda: raised("LogicError", "failed: INVALID_WORK_GROUP_SIZE"), concepts.GUARD),
        (lambda: raised("ValueError", "buffer source array is read-only"), concepts.READ_ONLY),
        (
            lambda: compiler_hints.of("Cannot assign type 'const double *' to 'double *'"),
            concepts.READ_ONLY,
        ),
        (lambda: compiler_hints.of("Cannot take address of Python object"), concepts.ADDRESS),
        (lambda: compiler_hints.of("'some' not declared in module 'polygon'"), concepts.DECLARED),
        (lambda: compiler_hints.of("p.pyx:9:0: 'a.pxd' not found"), concepts.DECLARED),
        (lambda: raised("ImportError", "undefined symbol: away"), concepts.UNDEFINED),
        (lambda: raised("ImportError", "undefined symbol: GOMP_parallel"), concepts.UNDEFINED),
        (
            lambda: messages.describe_missing(Unavailable("no OpenCL device works: x", "do")),
            concepts.DEVICE,
        ),
    ],
)
def test_a_message_by_its_cause_names_its_page(message, section):
    assert message().endswith(f' (read {concepts.FOLDER}/{section.page}, "{section.heading}")')


def test_a_message_of_another_kind_names_no_page():
    assert concepts.FOLDER not in raised("ValueError", "too many values to unpack")
    assert concepts.FOLDER not in crashed("buffer")
    for lacking in ("no OpenMP", "polymask.opencl is older than setup.py: run `make build`"):
        assert concepts.FOLDER not in messages.describe_missing(Unavailable(lacking))
