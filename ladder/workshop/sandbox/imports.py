"""Checks of the imports in a student's files: an answer must be the student's own work."""

import ast
import re
import sys
from pathlib import Path

from ladder.workshop.sandbox.check_failed import CheckFailed

PACKAGES = "polymask", "ladder"
ALWAYS = "polymask.contract", "polymask.csrc", "polymask.common"  # rungs import these
CYTHON = ".pyx", ".pxd", ".pxi"
NOT_CODE = re.compile(r'("""|\'\'\').*?\1|#[^\n]*', re.S)  # docstrings and comments
STATEMENT = re.compile(  # in Cython; names may follow on other lines
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?c?import\b[ \t]*(\([^)]*\)|(?:\\\n|[^\n;])+)", re.M
)
NAME = re.compile(r"([\w.]+)(?:\s+as\s+\w+)?")

# Packages that compile loops in another way than the lesson teaches. Those that the exercise itself
# imports are allowed.
COMPILERS = {
    "cffi", "cupy", "jax", "numba", "numexpr", "pyopencl", "pythran", "pyximport", "torch",
}  # fmt: skip


def check(exercise, source, known):
    """Raise `CheckFailed` if the student's files import a finished solution, or another compiler.

    From the project they may import the modules that the exercise allows, and those that all rungs
    import. The files checked are those of the exercise, and all files in `source` that are
    imported. `known` has the modules that were loaded before.
    """
    allowed = (*ALWAYS, *exercise.allows)
    loaded = [Path(getattr(module, "__file__", None) or "") for module in [*sys.modules.values()]]
    files = {file for file in loaded if source in file.parents and file.suffix == ".py"}
    for file in sorted(files | {source / name for name in exercise.files}):
        for line, name in imported(file):
            where = f"{file.relative_to(source).as_posix()}, line {line}: "
            top = name.partition(".")[0]
            if top in PACKAGES and not any(_meets(name, prefix) for prefix in allowed):
                advice = "; put code for your own runs into `main`" if file.suffix == ".py" else ""
                fact = f"{where}this exercise is your own work: an answer may import"
                raise CheckFailed(f"{fact} {', '.join(allowed)}, but not {name}{advice}")
            if top in COMPILERS and top not in known:
                raise CheckFailed(f"{where}this exercise is to be done without {top}")


def _meets(name, allowed):
    """Whether a module is an allowed one, or lies in or above it."""
    return f"{name}.".startswith(f"{allowed}.") or f"{allowed}.".startswith(f"{name}.")


def imported(file):
    """Yield the line and the full name of each import in a Python or Cython source.

    Imports for the program are left out: those in `main` and under ``if __name__ == ...``.
    """
    if file.suffix in CYTHON:
        text = file.read_text(encoding="utf-8", errors="replace")
        text = NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
        for match in STATEMENT.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            names = NAME.findall(match[2]) or ["*"]
            yield from ((line, f"{match[1]}.{name}" if match[1] else name) for name in names)
    elif file.suffix == ".py":
        for node in _nodes(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id in PACKAGES and not node.attr.startswith("__"):
                    yield node.lineno, f"{node.value.id}.{node.attr}"


def _nodes(tree):
    """Yield the nodes of a Python syntax tree, except those of the program."""
    for node in ast.iter_child_nodes(tree):
        is_main = isinstance(node, ast.FunctionDef) and node.name == "main"
        if not is_main and not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)):
            yield node
            yield from _nodes(node)
