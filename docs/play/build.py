"""Build the page to play with, as one HTML file: python docs/play/build.py [--compile] FILE.

The parts of the page are inlined into index.html. With --compile, clang first compiles the
project's rule to the WebAssembly module; without clang, the committed module is used.
"""

import base64
import re
import shutil
import subprocess
import sys
from pathlib import Path

PLAY = Path(__file__).resolve().parent
ROOT = PLAY.parents[1]
MODULE = PLAY / "rule.wasm"
# The producers section, which names the version of clang, is kept: --strip-debug, not --strip-all.
FLAGS = ["--target=wasm32", "-Oz", "-ffreestanding", "-nostdlib", "-Wall"]
# The exact flags leave floating-point exceptions on, which WebAssembly does not have.
FLAGS += ["-Wno-unsupported-floating-point-opt"]
LINK = ["--no-entry", "--strip-debug", "-z,stack-size=1024"]
EXPORTS = ["vertices", "mask", "fill_mask", "crossing"]
PART = re.compile(r"/\*\{ (\S+) \}\*/")  # a comment in CSS and in JavaScript


def missing_tools():
    """Return the programs that are needed to compile the module, but are not installed."""
    return [name for name in ("clang", "wasm-ld") if not shutil.which(name)]


def compile_module(file):
    """Compile the rule to a WebAssembly module."""
    link = [f"-Wl,{option}" for option in LINK + [f"--export={name}" for name in EXPORTS]]
    exact = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
    source = ["-I", ROOT / "csrc", PLAY / "play.cpp", "-o", file]
    subprocess.run(["clang", *FLAGS, *exact, *link, *source], check=True)
    file.chmod(0o644)  # the linker makes it executable


def page(module=MODULE):
    """Return the page as one HTML file, with a module and all other parts inlined."""

    def part(match):
        if match[1] == "module":
            return base64.b64encode(module.read_bytes()).decode()
        return (PLAY / match[1]).read_text(encoding="utf-8")

    return PART.sub(part, (PLAY / "index.html").read_text(encoding="utf-8"))


def main(*arguments):
    """Write the page to the file that the last argument names."""
    if "--compile" in arguments:
        if missing := missing_tools():
            print(f"{' and '.join(missing)} not found: using the committed {MODULE.name}")
        else:
            compile_module(MODULE)
    output = Path(arguments[-1])
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page(), encoding="utf-8")
    print(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
