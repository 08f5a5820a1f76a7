"""Dependencies of files in the checkout: by imports, headers, fixtures and names in their text.

They are read from the sources, without running anything. Where a name is ambiguous, all candidates
count: then too much is tested again, never too little.
"""

import ast
import functools
import re
from collections import deque

from checkouts import ROOT

import polymask
from ladder import registry
from ladder.common import staleness

TESTS = ROOT / "tests"
SUPPORT = TESTS / "support"  # on the path of the tests, as TESTS is: see pyproject.toml
PACKAGES = "polymask", "ladder", "benchmarks", "building"
LOADED_LATE = polymask._MODULE_OF | polymask._MODULES  # names of the package, by `__getattr__`
TABLES = {"__all__", "_MODULE_OF", "_MODULES"}
CODE_IN_TEXT = re.compile(r"(?:from|import) +((?:polymask|ladder)[\w.]*)(?: +import +(\w[\w, ]*))?")
INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"|from "([^"]+)"', re.M)
INCLUDE = "csrc", "csrc/engine/include", "csrc/engine/src"  # search path for headers
SOURCES = {".h", ".hpp", ".inl", ".c", ".cpp", ".cl", ".cu", ".pxd", ".pyx"}


def distances(*roots):
    """Map every file that `roots` depend on to its distance in steps; that of roots is 0."""
    steps = dict.fromkeys((root for root in roots if root.is_file()), 0)
    queue = deque(steps)
    while queue:
        file = queue.popleft()
        for other in neighbours(file):
            if other not in steps:
                steps[other] = steps[file] + 1
                queue.append(other)
    return steps


@functools.cache
def neighbours(file):
    """Return the files that a file depends on directly."""
    if file.suffix == ".py":
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if file.name == "conftest.py":  # tests name the fixtures that they use
            return frozenset()
        nodes = list(nodes_run(tree))
        files = of_python(nodes) | beside(file)
        if file.is_relative_to(TESTS):  # the package uses the registry, not single rungs
            files |= of_rungs(nodes) | of_fixtures(file, nodes)
        return frozenset(files - {file})
    if file.suffix in SOURCES:
        texts = INCLUDED.findall(file.read_text(encoding="utf-8"))
        names = [name for pair in texts for name in pair if name]
        places = file.parent, *map(ROOT.__truediv__, INCLUDE)
        return frozenset(p / n for n in names for p in places if (p / n).is_file())
    return frozenset()


def nodes_run(node):
    """Yield a node and those below it, except imports that only type checkers follow."""
    yield node
    only_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for child in node.orelse if only_types else ast.iter_child_nodes(node):
        yield from nodes_run(child)


def of_python(nodes):
    """Return the files that code imports, starts, or mentions."""
    files = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            files |= {file for alias in node.names for file in files_of(alias.name)}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            files |= {f for alias in node.names for f in files_of(f"{node.module}.{alias.name}")}
        elif isinstance(node, ast.Attribute):
            files |= of_attribute(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            files |= of_text(node.value)
        elif isinstance(node, ast.List | ast.Tuple | ast.Call):
            parts = node.args if isinstance(node, ast.Call) else node.elts
            values = [getattr(part, "value", None) for part in parts]
            if "-m" in values and "polymask" in values:
                files |= files_of("polymask.__main__")
    return files


def of_attribute(node):
    """Return the files behind an attribute such as `polymask.label_mask`."""
    if isinstance(node.value, ast.Name) and node.value.id == "polymask":
        return of_name(node.attr)
    return set()


def of_name(name):
    """Return the files behind a name in the package; those of all functions for `__all__`."""
    names = LOADED_LATE if name in TABLES else [name]
    return {file for each in names for file in files_of(f"polymask.{each}")}


def of_text(text):
    """Return the files that a text refers to: it names a module, or is code with imports."""
    if re.fullmatch(rf"({'|'.join(PACKAGES)})(\.\w+)+", text):
        return files_of(text)
    files = set()
    for module, names in CODE_IN_TEXT.findall(text) if "import" in text else ():
        for name in names.split(",") if names else [""]:
            files |= files_of(f"{module}.{name.strip()}".rstrip("."))
    for name in re.findall(r"polymask\.(\w+)", text):
        if name in TABLES or name in LOADED_LATE:
            files |= of_name(name)
    return files


def of_rungs(nodes):
    """Return the files of the rungs that a test mentions, by key or through the registry."""
    words = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words |= {node.value for node in nodes if isinstance(node, ast.Constant)}
    mentioned = keys() if "RUNGS" in words else keys() & words
    return {file for key in mentioned for file in of_rung(key)}


@functools.cache
def keys():
    """Return the keys of all rungs."""
    return {rung.key for rung in registry.RUNGS}


@functools.cache
def of_rung(key):
    """Return a rung's module, and the device sources that it reads when it is loaded."""
    rung = registry.get(key)
    files = files_of(rung.module_name) | {ROOT / rung.file}
    if rung.device:
        files |= {f for f in (ROOT / "csrc").glob("**/*") if f.suffix in {".cl", ".cu"}}
    return files


@functools.cache
def fixtures(conftest):
    """Map each fixture in a conftest to the files and the fixtures that it depends on."""
    tree = ast.parse(conftest.read_text(encoding="utf-8"))
    imported, table = {}, {}
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
            inner = [helpers[other] for other in used if other in helpers and other != name]
            used |= {n.id for other in inner for n in ast.walk(other) if isinstance(n, ast.Name)}
            files = {file for other in used for file in imported.get(other, ())}
            parts = list(ast.walk(node))
            files |= of_python(parts) | of_rungs(parts)
            table[name] = files, {argument.arg for argument in node.args.args}
    return table


def of_fixtures(file, nodes):
    """Return the files behind the fixtures that a test's functions take as arguments."""
    conftests = [parent / "conftest.py" for parent in file.parents if parent.is_relative_to(TESTS)]
    conftests = [conftest for conftest in conftests if conftest.is_file()]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    pending = {argument.arg for node in functions for argument in node.args.args}
    result, done = set(), set()
    while pending:
        name = pending.pop()
        done.add(name)
        for conftest in conftests:
            if name in fixtures(conftest):
                files, others = fixtures(conftest)[name]
                result |= files | {conftest}
                pending |= others - done
    return result


@functools.cache
def beside(file):
    """Return the files beside a module that are not Python code: templates, styles, headers."""
    if file.relative_to(ROOT).parts[0] not in ("polymask", "ladder"):
        return set()
    return {
        f
        for f in file.parent.iterdir()
        if f.is_file() and f.suffix not in (".py", ".pyi", ".so", ".pyx", ".pyc")
    }


@functools.cache
def folders():
    """Map the packages whose folders have other names to these folders, as in setup.py."""
    for node in ast.parse((ROOT / "setup.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "FOLDERS":
            return ast.literal_eval(node.value)
    raise LookupError("setup.py has no FOLDERS")


@functools.cache
def files_of(name):
    """Return the files of a module, or of the module that defines a name, and of its packages."""
    head = name.partition(".")[0]
    if head not in PACKAGES:
        return {f for f in [SUPPORT / f"{head}.py"] if f.is_file()} | package(head)
    parts = name.split(".")
    if name.startswith("polymask.") and parts[1] in LOADED_LATE:
        parts[1:2] = LOADED_LATE[parts[1]].split(".")
    for n in range(len(parts), 0, -1):
        module = ".".join(parts[:n])
        if files := module_files(module):
            parents = [module_files(".".join(parts[:i])) for i in range(1, n)]
            return files.union(*parents)
    return set()


def package(name):
    """Return the files of a test package."""
    folder = TESTS / name
    return set(folder.glob("*.py")) if (folder / "__main__.py").is_file() else set()


@functools.cache
def compiled():
    """Map each extension module to its entry in the record of the build."""
    return (staleness.read(staleness.RECORD) or {"made": {}})["made"]


@functools.cache
def optional():
    """Return the extension modules that are built only if a package is installed.

    Only their sources count, so that a key is the same everywhere.
    """
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    return {*re.findall(r'extension\("([\w.]+)".*needs=', text)}


@functools.cache
def module_files(name):
    """Return a module's source and the files it is compiled from, or an empty set."""
    inside = [prefix for prefix in folders() if f"{name}.".startswith(f"{prefix}.")]
    mapped = max(inside, key=len, default="")
    place = ROOT / folders().get(mapped, "")
    place = place.joinpath(*name.removeprefix(mapped).strip(".").split("."))
    if name in compiled() and name not in optional():
        inputs = compiled()[name]["inputs"]
        return {file for file in map(ROOT.__truediv__, inputs) if file.is_file()}
    options = place / "__init__.py", place.with_suffix(".py"), place.with_suffix(".pyx")
    return {file for file in options if file.is_file()}
