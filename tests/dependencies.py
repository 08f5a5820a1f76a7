"""What a file of the checkout depends on: by imports, headers, fixtures and names in its text.

Read from the sources, nothing is run. Where it cannot be known which one is meant, all that may be
are taken: too much is tested again then, never too little.
"""

import ast
import functools
import re
from collections import deque

from checkouts import ROOT

import polymask
from polymask.common import staleness
from polymask.ladder import registry

TESTS = ROOT / "tests"
PACKAGES = "polymask", "benchmarks"
CODE_IN_TEXT = re.compile(r"(?:from|import) +(polymask[\w.]*)(?: +import +(\w[\w, ]*))?")
INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"|from "([^"]+)"', re.M)
INCLUDE = "csrc", "csrc/engine/include", "csrc/engine/src"  # where headers are looked for
SOURCES = {".h", ".hpp", ".inl", ".c", ".cpp", ".cl", ".cu", ".pxd", ".pyx"}


def distances(*roots):
    """Return every file that `roots` depend on, to how many steps it is away; roots are 0 away."""
    found = dict.fromkeys((root for root in roots if root.is_file()), 0)
    queue = deque(found)
    while queue:
        file = queue.popleft()
        for other in neighbours(file):
            if other not in found:
                found[other] = found[file] + 1
                queue.append(other)
    return found


@functools.cache
def neighbours(file):
    """Return the files that one depends on at once."""
    if file.suffix == ".py":
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if file.name == "conftest.py":  # of its fixtures each test takes what it names
            return frozenset()
        nodes = list(ast.walk(tree))
        found = of_python(nodes) | beside(file)
        if file.is_relative_to(TESTS):  # the package asks the registry, and knows no single rung
            found |= of_rungs(nodes) | of_fixtures(file, nodes)
        return frozenset(found - {file})
    if file.suffix in SOURCES:
        texts = INCLUDED.findall(file.read_text(encoding="utf-8"))
        names = [name for pair in texts for name in pair if name]
        places = file.parent, *map(ROOT.__truediv__, INCLUDE)
        return frozenset(p / n for n in names for p in places if (p / n).is_file())
    return frozenset()


def of_python(nodes):
    """Return the files that code imports, starts, or speaks of."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {file for alias in node.names for file in files_of(alias.name)}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f for alias in node.names for f in files_of(f"{node.module}.{alias.name}")}
        elif isinstance(node, ast.Attribute):
            found |= of_attribute(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= of_text(node.value)
        elif isinstance(node, ast.List | ast.Tuple | ast.Call):
            parts = node.args if isinstance(node, ast.Call) else node.elts
            values = [getattr(part, "value", None) for part in parts]
            if "-m" in values and "polymask" in values:
                found |= files_of("polymask.__main__")
    return found


def of_attribute(node):
    """Return the files behind `polymask.label_mask`, say."""
    if isinstance(node.value, ast.Name) and node.value.id == "polymask":
        return files_of(f"polymask.{polymask._MODULE_OF.get(node.attr, node.attr)}")
    return set()


def of_text(text):
    """Return the files that a text names: a module, or code that imports some."""
    if re.fullmatch(rf"({'|'.join(PACKAGES)})(\.\w+)+", text):
        return files_of(text)
    found = set()
    for module, names in CODE_IN_TEXT.findall(text) if "polymask" in text else ():
        for name in names.split(",") if names else [""]:
            found |= files_of(f"{module}.{name.strip()}".rstrip("."))
    for name in re.findall(r"polymask\.(\w+)", text):
        if name in polymask._MODULE_OF:
            found |= files_of(f"polymask.{polymask._MODULE_OF[name]}")
    return found


def of_rungs(nodes):
    """Return the files behind the rungs that a test speaks of, by key or by the registry's list."""
    words = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words |= {node.value for node in nodes if isinstance(node, ast.Constant)}
    spoken = keys() if "RUNGS" in words else keys() & words
    return {file for key in spoken for file in of_rung(key)}


@functools.cache
def keys():
    """Return the keys of all rungs."""
    return {rung.key for rung in registry.RUNGS}


@functools.cache
def of_rung(key):
    """Return a rung's module, and the sources of devices, which it reads as it is loaded."""
    rung = registry.get(key)
    found = files_of(rung.module_name) | {ROOT / rung.file}
    if rung.device:
        found |= {f for f in (ROOT / "csrc").glob("**/*") if f.suffix in {".cl", ".cu"}}
    return found


@functools.cache
def fixtures(conftest):
    """Return what each fixture of a conftest depends on: name to files and names of fixtures."""
    tree = ast.parse(conftest.read_text(encoding="utf-8"))
    imported, found = {}, {}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            of = "" if isinstance(node, ast.Import) else f"{node.module}."
            for alias in node.names:
                imported[alias.asname or alias.name] = files_of(f"{of}{alias.name}")
    helpers = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    for name, node in helpers.items():
        if isinstance(node, ast.FunctionDef) and "fixture" in ast.dump(
            ast.Module(node.decorator_list, [])
        ):
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            inner = [helpers[one] for one in used if one in helpers and one != name]
            used |= {n.id for one in inner for n in ast.walk(one) if isinstance(n, ast.Name)}
            files = {file for one in used for file in imported.get(one, ())}
            parts = list(ast.walk(node))
            files |= of_python(parts) | of_rungs(parts)
            found[name] = files, {argument.arg for argument in node.args.args}
    return found


def of_fixtures(file, nodes):
    """Return the files behind the fixtures that a test's functions name as arguments."""
    here = [parent / "conftest.py" for parent in file.parents if parent.is_relative_to(TESTS)]
    here = [conftest for conftest in here if conftest.is_file()]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    wanted = {argument.arg for node in functions for argument in node.args.args}
    found, done = set(), set()
    while wanted:
        name = wanted.pop()
        done.add(name)
        for conftest in here:
            if name in fixtures(conftest):
                files, others = fixtures(conftest)[name]
                found |= files | {conftest}
                wanted |= others - done
    return found


@functools.cache
def beside(file):
    """Return what lies beside a module and is no code of Python: templates, styles, headers."""
    if not file.is_relative_to(ROOT / "polymask"):
        return set()
    return {
        f
        for f in file.parent.iterdir()
        if f.is_file() and f.suffix not in (".py", ".pyi", ".so", ".pyx", ".pyc")
    }


@functools.cache
def folders():
    """Return the packages that lie elsewhere than their names say: name to folder, as setup.py."""
    for node in ast.parse((ROOT / "setup.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "FOLDERS":
            return ast.literal_eval(node.value)
    raise LookupError("setup.py has no FOLDERS")


@functools.cache
def files_of(name):
    """Return the files of a module, or of the module that a name is in, and its packages' own."""
    head = name.partition(".")[0]
    if head not in PACKAGES:
        return {f for f in [TESTS / f"{head}.py"] if f.is_file()} | package(head)
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        module = ".".join(parts[:n])
        if found := module_files(module):
            parents = [module_files(".".join(parts[:i])) for i in range(1, n)]
            return found.union(*parents)
    return set()


def package(name):
    """Return the files of a package of tests."""
    folder = TESTS / name
    return set(folder.glob("*.py")) if (folder / "__main__.py").is_file() else set()


@functools.cache
def compiled():
    """Return what the build says that each extension module is made from: name to an entry."""
    return (staleness.read(staleness.RECORD) or {"made": {}})["made"]


@functools.cache
def optional():
    """Return the extension modules that are built only where a package is installed.

    They count by their sources alone, so that a key is the same everywhere.
    """
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    return {f"polymask.{name}" for name in re.findall(r'extension\("([\w.]+)".*needs=', text)}


@functools.cache
def module_files(name):
    """Return a module's source, and what it is compiled from; nothing if there is none."""
    inside = [one for one in folders() if f"{name}.".startswith(f"{one}.")]
    mapped = max(inside, key=len, default="")
    place = ROOT / folders().get(mapped, "")
    place = place.joinpath(*name.removeprefix(mapped).strip(".").split("."))
    if name in compiled() and name not in optional():
        inputs = compiled()[name]["inputs"]
        return {file for file in map(ROOT.__truediv__, inputs) if file.is_file()}
    options = place / "__init__.py", place.with_suffix(".py"), place.with_suffix(".pyx")
    return {file for file in options if file.is_file()}
