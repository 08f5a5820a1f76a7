"""The commands in the lessons run as they are printed, copied from the raw text."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkouts import ROOT
from markdown_it import MarkdownIt

PAGES = [*sorted(ROOT.glob("[0-9]_*/*.md")), ROOT / "docs/concepts/data_races.md"]
# Code of at least three words; what is left out needs a student's own workshop.
OWN = "workshop (?:check|predictions|watch)"
INLINE = re.compile(rf"([A-Z_]+=\S+ )*(polymask|python) (?!{OWN})\S+ \S")
NEEDS = re.compile(  # a package, a tool, a device, or another Python
    "not installed|No module named|installed and allowed|no .* device|driver |sees no function"
)
RAISES = {  # a part of each command that is to fail: its error
    "Polygon(np.zeros((2, 2)))": "ValueError: a polygon needs at least 3 vertices"
}

# Shell functions that shorten measurements: the last of equal options holds.
SHORTEN = r"""
polymask() {
    case "$*" in
        bench*sweep*) command polymask "$@" --seconds 0.1 --patience 0.01 ;;
        bench*--shape*) command polymask "$@" --seconds 0.1 ;;
        bench*) command polymask "$@" --seconds 0.1 --size 64 ;;
        *) command polymask "$@" ;;
    esac
}
python() {
    case "$*" in
        *benchmarks.offload*) command python "$@" --seconds 0.001 ;;
        *) command python "$@" ;;
    esac
}
pip() { :; }
set -e
"""


def commands(page):
    """Return the shell code of a page: blocks as a page shows them, and code in a line."""
    for token in MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info == "sh":
            yield token.content
        for part in token.children or ():
            if part.type == "code_inline" and INLINE.match(part.content):
                yield part.content


COMMANDS = [  # without repetitions
    pytest.param(command, id=f"{page.parent.name}-{page.stem}-{number}")
    for page in PAGES
    for number, command in enumerate(dict.fromkeys(commands(page)))
]


def shell(command, folder):
    """Run a command in a folder with the parts of the checkout that it reads, also as its /tmp."""
    for entry in (ROOT / "results", ROOT / "benchmarks", *{page.parent for page in PAGES}):
        (folder / entry.name).symlink_to(entry)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = SHORTEN + command.replace("/tmp/", f"{folder}/").replace("/tmp ", f"{folder} ")
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.weekly
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command, tmp_path):
    done = shell(command, tmp_path)
    errors = [error for part, error in RAISES.items() if part in command]
    if errors:
        assert (done.returncode, errors[0] in done.stderr) == (1, True)
        return
    missing = [line for line in done.stderr.splitlines() if NEEDS.search(line)]
    if done.returncode and missing:
        pytest.skip(missing[-1])
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
