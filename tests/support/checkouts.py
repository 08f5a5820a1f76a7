"""Copies of this checkout, and a copy built as a user would: with `make build` or pip."""

import json
import os
import shutil
import signal
import subprocess
import sysconfig
import venv
from pathlib import Path

from commands import ran

from ladder import registry

ROOT = Path(__file__).resolve().parents[2]  # of the checkout, or of the unpacked sdist

# A copy starts without the build products, in `build` and in place.
LEFT_OUT = (".git", ".venv", "build", "dist", "*.so", "*.egg-info", "__pycache__", ".*_cache")
MADE_IN_COPY = (".venv", "build", "polymask.egg-info")

MASKS = """
import json
import numpy as np
from ladder import registry
from ladder.registry import reference, workload
vertices, results = workload.polygon(7, (20, 30)), {}
expected = reference.mask(vertices, (20, 30))
for rung in registry.RUNGS:
    try:
        mask = rung.load()(vertices, (20, 30))
        results[rung.key] = "good" if np.array_equal(mask, expected) else "wrong"
    except registry.Unavailable as error:
        results[rung.key] = str(error)
print(json.dumps(results))
"""


# Prints whether the library's mask is right; the reference is that of the clone.
LIBRARY_MASK = """
import numpy as np
import polymask
from ladder.registry import reference, workload
vertices = workload.polygon(7, (20, 30))
expected = reference.mask(vertices, (20, 30))
print(np.array_equal(polymask.polygon_mask(vertices, (20, 30)), expected))
"""

# A rung with an extra is built only where the extra is installed.
COMPILED = [rung.key for rung in registry.RUNGS if rung.compiled and not rung.extra]


def right(masks):
    """Check that every compiled rung's mask is right, and that no other rung's is wrong."""
    assert masks.keys() == {rung.key for rung in registry.RUNGS}
    assert "wrong" not in masks.values()
    bad = {k: v for k, v in masks.items() if k in COMPILED and v != "good"}
    assert all(why.startswith("built without OpenMP") for why in bad.values()), bad
    return True


def committed():
    """Return every file of the checkout that is or could be committed."""
    listed = ran(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True)
    return [file for file in map(ROOT.__truediv__, listed.stdout.splitlines()) if file.is_file()]


def copy(files, root, folder):
    """Copy files of the checkout into a folder, with the same relative paths."""
    for file in files:
        target = folder / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)


class Checkout:
    """A copy with its own virtual environment."""

    def __init__(self, root, folder):
        self.root = folder
        shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
        setup = folder / "setup.py"  # nothing is timed here, and optimising takes longest
        setup.write_text(setup.read_text("utf-8").replace('"-O3"', '"-O0"'), encoding="utf-8")
        self.set_up()

    @property
    def python(self):
        return self.root / ".venv/bin/python"

    def set_up(self):
        """Create .venv like the Makefile, but from the packages already installed."""
        venv.create(self.root / ".venv", clear=True, symlinks=True)
        site = self.site()
        # This environment's packages, but not its polymask: Python reads no .pth files there.
        (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.install("-e", ".", POLYMASK_BUILD="later")
        code = "import os, sys; print(os.getcwd(), sys.version_info[:2])"
        (self.root / ".venv/here").write_text(self.run(code))
        for name in ("tools", "ready", "built", "extra-dev"):
            (self.root / ".venv" / name).touch()

    def site(self):
        """Return the environment's folder of packages."""
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        return Path(self.run(code).strip())

    def start(self, command, cwd=None, stdout=subprocess.PIPE, **environment):
        """Start a command in its own process group."""
        # under a make that calls pytest, the inner make would print its folders
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        return subprocess.Popen(
            command,
            cwd=cwd or self.root,
            env={**inherited, **environment},
            stdout=stdout,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def call(self, command, cwd=None, **environment):
        """Run a command; return its exit code and output."""
        with self.start(command, cwd, **environment) as process:
            try:
                output, _ = process.communicate(timeout=600)
            except subprocess.TimeoutExpired as error:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                raise AssertionError(f"{error}, with output:\n{output}") from None
        return process.returncode, output

    def check(self, command, cwd=None, **environment):
        """Run a command that must succeed; return its output."""
        code, output = self.call(command, cwd, **environment)
        assert code == 0, output
        return output

    def build(self, **environment):
        return self.call(["make", "build"], **environment)

    def install(self, *arguments, **environment):
        command = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        command += ["--no-build-isolation", "--no-deps", "--no-index", *arguments]
        return self.check(command, **environment)

    def run(self, code, **environment):
        return self.check([self.python, "-c", code], **environment)

    def masks(self, **environment):
        """Map each rung to "good" or "wrong" for its mask, or to the reason it cannot run."""
        return json.loads(self.run(MASKS, **environment).splitlines()[-1])

    def installed(self, target, empty):
        """Install the library with pip elsewhere; return whether its mask is right there."""
        self.install(".", "--target", target)
        code = "import polymask; print(polymask.__file__)"
        path = {"PYTHONPATH": str(target)}
        assert self.check([self.python, "-c", code], empty, **path).startswith(str(target))
        return self.check([self.python, "-c", LIBRARY_MASK], empty, **path).strip() == "True"

    def modules(self):
        """Map the built modules to their modification times."""
        return {file.stem.split(".")[0]: file.stat().st_mtime_ns for file in self.files()}

    def files(self):
        return [
            *self.root.glob("[0-9]_*/[!.]*.so"),
            *self.root.glob("polymask/**/[!.]*.so"),
            *self.root.glob("ladder/**/[!.]*.so"),
        ]


class KeptCheckout(Checkout):
    """A copy that is kept for the next run, which updates only files that differ."""

    def __init__(self, folder):
        self.root = folder
        self.refresh()
        if not (folder / ".venv/ready").exists():
            self.set_up()

    @staticmethod
    def edited(name, content):
        """Return the copy's content for a file with this content in the checkout."""
        return content

    def refresh(self):
        """Update each file from the checkout; files that are equal keep their times."""
        names = {file.relative_to(ROOT).as_posix() for file in committed()}
        for name in names:
            file, content = self.root / name, self.edited(name, (ROOT / name).read_bytes())
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for file in self.root.rglob("*"):
            name = file.relative_to(self.root)
            is_ours = name.parts[0] not in MADE_IN_COPY and file.suffix != ".so" and file.is_file()
            if is_ours and name.as_posix() not in names:
                file.unlink()

    def take_products(self):
        """Copy the build products of the checkout; stale ones are rebuilt."""
        for file in [
            *ROOT.glob("[0-9]_*/*.so"),
            *(ROOT / "polymask").rglob("*.so"),
            *(ROOT / "ladder").rglob("*.so"),
        ]:
            shutil.copy2(file, self.root / file.relative_to(ROOT))
        for file in [*(ROOT / "build").glob("record-*.json"), *(ROOT / "build/store").glob("*")]:
            target = self.root / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target)
