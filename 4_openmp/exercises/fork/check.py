"""Start a team of threads, request a mask from a child, and examine which process made it."""

import json
import os
from pathlib import Path

from ladder.openmp import prange
from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, child
from ladder.workshop.sandbox.check_failed import CheckFailed, same, same_mask

from .started import sitecustomize

SHAPE = (61, 83)
THREADS = 2
sitecustomize.watch(prange)  # before the answer imports a function of it


def check(answer, random):
    """Raise `CheckFailed` unless a child makes the mask with the requested number of threads."""
    vertices, right = cases.random_mask(random, SHAPE, 24)
    child.step("requesting a mask from a child")
    prange.make_mask(vertices, SHAPE, threads=THREADS)  # OpenMP starts its threads in this process
    log, folder = Path.cwd() / "masks.jsonl", Path(sitecustomize.__file__).parent
    log.write_text("")
    os.environ[sitecustomize.LOG] = str(log)
    os.environ["PYTHONPATH"] = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    result = answer.mask_in_a_child(vertices, SHAPE, THREADS)
    if not isinstance(result, tuple | list) or len(result) != 3:
        raise CheckFailed(
            "mask_in_a_child must return three values: the mask, the child's process id, threads"
        )
    mask, number, team = result
    same_mask(mask, right, "the child's mask")
    notes = map(json.loads, log.read_text().splitlines())
    check_makers({note["process"]: note for note in notes}, number, team)


def check_makers(makers, number, team):
    """Raise `CheckFailed` unless that process made the mask with the given number of threads."""
    if os.getpid() in (number, *makers):
        raise CheckFailed("the mask was made in this process, not in a child")
    if not makers:
        raise CheckFailed(
            "the mask is right, but no child called `make_mask` of ladder.openmp.prange: call "
            "it in the child"
        )
    if number not in makers:
        raise CheckFailed(
            f"process {min(makers)} made the mask, not process {number}: return the process id of "
            "the child that made it"
        )
    asked, used = makers[number]["asked"], makers[number]["used"]
    if asked != THREADS:
        raise CheckFailed(
            f"the child made the mask with `threads={asked}`, but {THREADS} were requested"
        )
    if used != THREADS:
        raise CheckFailed(
            f"the child should use {THREADS} threads but has {used}: a forked process has only "
            f"the thread that called fork {concepts.FORK}"
        )
    same(team, used, "the number of threads in the child")
