"""What cppcheck and clang-tidy say of csrc, which is nothing."""

import os
from concurrent.futures import ThreadPoolExecutor

from checkouts import ROOT
from sanitize.tools import Found, need, run

CPPCHECK = [
    "--enable=warning,performance,portability",
    "--std=c++20",
    "--std=c11",
    "--inline-suppr",
    "--error-exitcode=1",
    "--quiet",
    "--force",  # every configuration of the preprocessor
    "--suppress=missingIncludeSystem",
]


def sources():
    """Return the files of the engine and of the C library and classes of the lessons."""
    csrc = ROOT / "csrc"
    return sorted([*csrc.glob("engine/src/*.cpp"), *csrc.glob("*.cpp"), *csrc.glob("*.c")])


def cppcheck(files):
    """Let cppcheck read files, with what they include."""
    need("cppcheck", "cppcheck")
    csrc = ROOT / "csrc"
    include = [f"-I{folder}" for folder in (csrc, csrc / "engine/include", csrc / "engine/src")]
    run(["cppcheck", *CPPCHECK, "-j", os.cpu_count(), *include, *files])


def clang_tidy(files):
    """Let clang-tidy read files, several at a time; .clang-tidy says what it looks for."""
    need("clang-tidy", "clang-tidy")
    exact = (ROOT / "csrc/engine/exact_flags.txt").read_text().split()
    include = [f"-I{ROOT / 'csrc'}", f"-I{ROOT / 'csrc/engine/include'}"]

    def said(file):
        language = ["-std=c11"] if file.suffix == ".c" else ["-std=c++20"]
        options = ["--quiet", f"--config-file={ROOT / '.clang-tidy'}", file, "--"]
        try:
            run(["clang-tidy", *options, *language, *exact, *include])
        except Found as found:
            return str(found)
        return ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if found := [one for one in pool.map(said, files) if one]:
            raise Found("\n".join(found))


def watch():
    """Let both read all files."""
    cppcheck(sources())
    clang_tidy(sources())
    return f"{len(sources())} files and what they include"
