"""A copy of the checkout, built with make once for all tests (minutes)."""

import shutil

import pytest
from checkouts import Checkout


@pytest.fixture(scope="session")
def checkout(root, tmp_path_factory):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    if not (root / "Makefile").exists():
        pytest.skip("not in a checkout")
    return Checkout(root, tmp_path_factory.mktemp("build") / "a folder" / "polymask")


@pytest.fixture(scope="session")
def built_checkout(checkout):
    """The copy after `make build`."""
    code, output = checkout.build()
    assert (code, output) == (0, "")
    return checkout


@pytest.fixture
def clone(built_checkout):
    """The copy after `make build`; all files that a build writes are restored after the test."""
    backup = built_checkout.root.parent / "kept"
    names = [path.relative_to(built_checkout.root) for path in built_checkout.files()]
    shutil.copytree(built_checkout.root / "build", backup / "build")
    for name in names:
        (backup / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built_checkout.root / name, backup / name)
    yield built_checkout
    shutil.rmtree(built_checkout.root / "build")
    shutil.move(backup / "build", built_checkout.root / "build")
    for file in built_checkout.files():
        file.unlink()
    for name in names:
        shutil.move(backup / name, built_checkout.root / name)
    shutil.rmtree(backup)


@pytest.fixture
def edit(clone):
    """Return a function that edits a file of the copy; the file is restored afterwards."""
    texts = {}

    def change(name, old, new):
        file = clone.root / name
        text = file.read_text()
        texts.setdefault(file, text)
        assert old in text
        file.write_text(text.replace(old, new, 1))

    yield change
    for file, text in texts.items():
        file.write_text(text)


@pytest.fixture
def twin(clone, tmp_path):
    """Build one module into another folder, as a profiler does; return file, time and output."""

    def build(key="cclass.polygon", *options, **environment):
        folder = tmp_path / "twin"
        output = clone.check(
            [clone.python, "setup.py", "-q", "build_ext", f"--only={key}", *options]
            + [f"--build-lib={folder / 'lib'}", f"--build-temp={folder / 'temp'}"],
            **environment,
        )
        (file,) = folder.rglob(f"lib/ladder/**/{key.rpartition('.')[2]}.*.so")
        return file, file.stat().st_mtime_ns, output

    return build
