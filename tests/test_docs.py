"""What documents show is what happens: doctests, type stubs, the README's code."""

import ast
import doctest
import inspect
import re

import numpy as np
import pytest
from checkouts import ROOT

import polymask
from polymask import api
from polymask.ladder import registry

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_examples_in_docstrings():
    found = doctest.testmod(api)
    assert found.attempted >= 6
    assert found.failed == 0


@pytest.mark.parametrize("name", polymask.__all__)
def test_stubs_have_the_signatures(name):
    tree = ast.parse((ROOT / "polymask" / "__init__.pyi").read_text())
    stub = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    parameters = inspect.signature(getattr(polymask, name)).parameters
    assert [a.arg for a in stub.args.args + stub.args.kwonlyargs] == list(parameters)
    defaults = {
        a.arg: ast.literal_eval(d)
        for a, d in zip(stub.args.kwonlyargs, stub.args.kw_defaults, strict=True)
    }
    assert defaults == {
        p.name: p.default for p in parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY
    }


def python_blocks():
    return re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.parametrize("code", python_blocks())
def test_python_of_the_readme_runs(code, monkeypatch):
    monkeypatch.chdir(ROOT)  # it reads examples/
    names = {}
    exec(code, names)
    assert any(isinstance(value, np.ndarray) and value.any() for value in names.values())


def test_readme_links_lead_somewhere():
    for link in re.findall(r"\]\(<?([^)>#]+)>?\)", README):
        if "://" not in link:
            assert (ROOT / link).exists(), link


def test_readme_shows_every_lesson():
    for folder in {rung.folder for rung in registry.RUNGS}:
        assert f"({folder}/README.md)" in README


def test_commands_of_the_readme_exist():
    from polymask.cli import polymask_command

    for name, options in re.findall(r"^polymask (\w+)([^\n#]*)", README, re.M):
        command = polymask_command.commands[name]
        known = {option for p in command.params for option in p.opts}
        for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", options):
            assert option in known, f"polymask {name} {option}"
