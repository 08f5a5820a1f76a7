"""Modules that are built only if the package that they are linked with is installed."""

import json

import pytest
from fresh_python import run
from setuptools import Distribution, Extension

from building.commands import BuildExtensions

SETUP = """
import importlib.metadata, importlib.util, json, runpy, sys
import setuptools
from types import SimpleNamespace
version, find_spec = importlib.metadata.version, importlib.util.find_spec

def version_of(name):
    if name == "dpctl" and sys.argv[1] == "missing":
        raise importlib.metadata.PackageNotFoundError(name)
    return "1.2.3" if name == "dpctl" else version(name)

def spec_of(name):
    if name != "dpctl":
        return find_spec(name)
    return SimpleNamespace(origin="/env/lib/python3/packages/dpctl/__init__.py")

importlib.metadata.version, importlib.util.find_spec = version_of, spec_of
setuptools.setup = lambda **options: print(json.dumps({
    e.name: [e.include_dirs, e.define_macros, e.extra_link_args, e.libraries]
    for e in options["ext_modules"]
}))
runpy.run_path("setup.py")
"""


def extensions_of(root, state):
    """Return the extensions that setup.py would build where dpctl is "installed" or "missing"."""
    completed = run("-c", SETUP, state, cwd=root)
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def test_the_module_is_linked_with_the_package_and_left_out_without_it(root):
    without, complete = extensions_of(root, "missing"), extensions_of(root, "installed")
    assert complete.keys() - without.keys() == {"ladder.sycl.native"}
    assert without.keys() < complete.keys()
    include, macros, link, libraries = complete["ladder.sycl.native"]
    assert "/env/lib/python3/packages/dpctl/include" in include
    assert ["POLYMASK_NEEDS", '"1.2.3"'] in macros  # a part of the recipe
    assert "-L/env/lib/python3/packages/dpctl" in link
    runtime = "-rpath,/env/lib/python3/packages/dpctl:/env/lib"
    assert any(flag.endswith(runtime) for flag in link)
    assert libraries == ["DPCTLSyclInterface"]


def chosen(**options):
    """Return the names of the modules that a build with these options makes."""
    extensions = [Extension(name, ["a.c"]) for name in ("ladder.a", "polymask.b.c", "ladder.d")]
    for extension, needs in zip(extensions, (None, None, ("dpctl", "x")), strict=True):
        extension.needs, extension.links = needs, None
    command = BuildExtensions(Distribution({"ext_modules": extensions}))
    vars(command).update(options)
    command.finalize_options()
    return [e.name for e in command.extensions]


def test_a_wheel_has_no_module_that_names_a_folder_of_this_machine():
    assert chosen(inplace=True) == ["ladder.a", "polymask.b.c", "ladder.d"]
    assert chosen(inplace=False) == ["ladder.a", "polymask.b.c"]


def test_one_module_of_either_package_is_built_alone():
    assert chosen(inplace=True, only="a") == ["ladder.a"]
    assert chosen(inplace=True, only="b.c") == ["polymask.b.c"]
    with pytest.raises(SystemExit, match="no module to build is called x"):
        chosen(inplace=True, only="x")
