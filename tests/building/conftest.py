"""A copy of the checkout, in which first pip and then make builds: some minutes, once for all."""

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
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="session")
def before_make(checkout, tmp_path_factory, empty):
    """What the rungs make that pip installed from a clone in which make had not run."""
    return checkout.installed(tmp_path_factory.mktemp("before"), empty)


@pytest.fixture(scope="session")
def once_built(checkout, before_make):
    """The copy, built."""
    code, said = checkout.build()
    assert (code, said) == (0, "")
    return checkout


@pytest.fixture
def built(once_built):
    """The copy, built; afterwards it is put back as it was, with all that a build had written."""
    kept = once_built.root.parent / "kept"
    names = [path.relative_to(once_built.root) for path in once_built.files()]
    shutil.copytree(once_built.root / "build", kept / "build")
    for name in names:
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(once_built.root / name, kept / name)
    yield once_built
    shutil.rmtree(once_built.root / "build")
    shutil.move(kept / "build", once_built.root / "build")
    for file in once_built.files():
        file.unlink()
    for name in names:
        shutil.move(kept / name, once_built.root / name)
    shutil.rmtree(kept)


@pytest.fixture
def edit(built):
    """Return a function that changes a file of the copy; it is put back afterwards."""
    texts = {}

    def change(name, old, new):
        file = built.root / name
        text = file.read_text()
        texts.setdefault(file, text)
        assert old in text
        file.write_text(text.replace(old, new, 1))

    yield change
    for file, text in texts.items():
        file.write_text(text)


@pytest.fixture
def twin(built, tmp_path):
    """Build one module as a profiler does, elsewhere; return when it was made."""

    def build(key="cclass.polygon", *options, **environment):
        place = tmp_path / "twin"
        said = built.check(
            [built.python, "setup.py", "-q", "build_ext", f"--only={key}", *options]
            + [f"--build-lib={place / 'lib'}", f"--build-temp={place / 'temp'}"],
            **environment,
        )
        (file,) = place.rglob(f"lib/polymask/**/{key.rpartition('.')[2]}.*.so")
        return file, file.stat().st_mtime_ns, said

    return build
