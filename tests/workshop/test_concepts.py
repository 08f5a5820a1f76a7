"""Messages name the section of a concept page that explains their cause, and it exists."""

import signal

import pytest
from cases import folded
from checkouts import ROOT

from ladder.workshop import concepts, exercises
from ladder.workshop.sandbox import child_handle, compiler_hints, device, offloading
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.student import messages
from polymask.contract import Unavailable


@folded("section", concepts.ALL)
def test_the_section_exists(section):
    text = (ROOT / concepts.FOLDER / section.page).read_text(encoding="utf-8")
    assert f"## {section.heading}" in text.splitlines()


def exception(kind, message, name="vector_add"):
    error = {"type": kind, "bases": [kind], "message": message, "lines": []}
    return messages.describe_exception(error, exercises.get(name))


def crash(name):
    ended = child_handle.Ended(-signal.SIGABRT, "free(): invalid next size (fast)\n", False)
    return messages.describe_end(ended, "making a mask", exercises.get(name), 9.0)


def margins():
    with pytest.raises(CheckFailed) as wrong:
        device.check_margins({"buffers": [(64, 3, "past the end")]}, "here")
    return str(wrong.value)


@folded(
    ("message", "section"),
    [
        (margins, concepts.GUARD),
        (lambda: offloading.SLOW, concepts.QUEUE),
        (lambda: crash("kernel"), concepts.GUARD),
        (lambda: exception("LogicError", "failed: INVALID_WORK_GROUP_SIZE"), concepts.GUARD),
        (lambda: exception("ValueError", "buffer source array is read-only"), concepts.READ_ONLY),
        (
            lambda: compiler_hints.of("Cannot assign type 'const double *' to 'double *'"),
            concepts.READ_ONLY,
        ),
        (lambda: compiler_hints.of("Cannot take address of Python object"), concepts.ADDRESS),
        (lambda: compiler_hints.of("'some' not declared in module 'polygon'"), concepts.DECLARED),
        (lambda: compiler_hints.of("p.pyx:9:0: 'a.pxd' not found"), concepts.DECLARED),
        (lambda: exception("ImportError", "undefined symbol: away"), concepts.UNDEFINED),
        (lambda: exception("ImportError", "undefined symbol: GOMP_parallel"), concepts.UNDEFINED),
        (
            lambda: compiler_hints.of("Calling gil-requiring function not allowed without gil"),
            concepts.GIL,
        ),
        (
            lambda: messages.describe_missing(Unavailable("no OpenCL device works: x", "do")),
            concepts.DEVICE,
        ),
    ],
)
def test_a_message_names_the_page_of_its_cause(message, section):
    assert message().endswith(f' (read {concepts.FOLDER}/{section.page}, "{section.heading}")')


def test_a_message_of_another_kind_names_no_page():
    assert concepts.FOLDER not in exception("ValueError", "too many values to unpack")
    assert concepts.FOLDER not in crash("buffer")
    for reason in ("no OpenMP", "ladder.opencl is older than setup.py: run `make build`"):
        assert concepts.FOLDER not in messages.describe_missing(Unavailable(reason))
