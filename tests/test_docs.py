"""The documents are correct: doctests, type hints, the README's code."""

import ast
import doctest
import inspect
import re
from importlib import import_module

from cases import folded
from checkouts import ROOT

import polymask
from polymask import hints

README = (ROOT / "README.md").read_text(encoding="utf-8")


def modules_with_examples():
    packages = [ROOT / "polymask" / room for room in ("forms", "maps", "files", "masks")]
    files = sorted(file for package in packages for file in package.glob("*.py"))
    files = [file for file in files if ">>> " in file.read_text(encoding="utf-8")]
    return [f"polymask.{file.parent.name}.{file.stem}" for file in files]


@folded("module", modules_with_examples())
def test_examples_in_docstrings(module):
    result = doctest.testmod(import_module(module))
    assert result.attempted
    assert result.failed == 0


@folded("name", polymask.__all__)
def test_public_functions_have_examples(name):
    assert ">>> " in getattr(polymask, name).__doc__


def test_the_page_of_public_functions_has_a_line_for_each():
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "docs" / "api.md").read_text(), re.M)
    assert sorted(name for name, _ in rows) == sorted(polymask.__all__)
    for name, summary in rows:
        first = inspect.getdoc(getattr(polymask, name)).splitlines()[0]
        assert re.split("[.;,]", summary)[0] == re.split("[.;,]", first)[0]


@folded("name", [name for name in polymask.__all__ if name.islower()])  # functions
def test_overloads_have_the_names_and_the_defaults(name):
    function = getattr(polymask, name)
    parameters = inspect.signature(function).parameters
    tree = ast.parse(inspect.getsource(inspect.getmodule(function)))
    *overloads, whole = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    if not overloads:
        assert whole.returns
        assert all(parameter.annotation is not parameter.empty for parameter in parameters.values())
    for overload in overloads:
        assert overload.returns
        names = [a.arg for a in overload.args.args + overload.args.kwonlyargs]
        if overload.args.kwarg:  # such as Unpack[Options]
            names += getattr(hints, overload.args.kwarg.annotation.slice.id).__annotations__
        assert sorted(names) == sorted(parameters)
        for a, default in zip(overload.args.kwonlyargs, overload.args.kw_defaults, strict=True):
            if default is not None:
                assert ast.literal_eval(default) == parameters[a.arg].default


def test_three_numbers_of_the_readme_are_those_of_its_table():
    times, rows = re.search(r"^\| (.*) \|\n\|[:|-]+\|\n\| (.*) \|$", README, re.M).groups()
    for time, row in zip(times.split(" | "), rows.split(" | "), strict=True):
        key = re.match(r"`([\w.]+)`", row)[1]
        assert re.search(rf"^\| {key}[ ¹]* \| \w* \| {time} \|", README, re.M), key


def test_the_page_of_commands_has_them_all():
    from polymask.cli import polymask_command

    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^polymask (\w+)", text, re.M)) == set(
        polymask_command.list_commands(None)
    )


def test_targets_of_make_that_pages_name_exist():
    targets = re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        mentioned = re.findall(r"(?:`|^)make ([a-z][\w-]*)", page.read_text(encoding="utf-8"), re.M)
        assert set(mentioned) <= set(targets), page.name
