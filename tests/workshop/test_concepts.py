"""Messages name the section of a concept page that explains their cause, and it exists."""

import signal

from cases import folded
from checkouts import ROOT

from ladder.workshop import concepts, exercises
from ladder.workshop.sandbox import child_handle, compiler_hints
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
    return messages.describe_end(
        child_handle.Stopped(ended, "making a mask", 9.0), exercises.get(name)
    )


@folded(
    ("message", "section"),
    [
        (lambda: crash("kernel"), concepts.GUARD),
        (lambda: exception("ValueError", "buffer source array is read-only"), concepts.READ_ONLY),
        (lambda: compiler_hints.of("'some' not declared in module 'polygon'"), concepts.DECLARED),
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
