"""A package that is installed but cannot be imported is not reported as missing."""

import sys

import pytest
from checkouts import ROOT
from fresh_python import run

CASES = {  # package: the rung, and the failure
    "numba": ("numba.njit", "raise ImportError('Numba needs NumPy 2.4 or less')"),
    "pyopencl": ("opencl.pixels", "raise AttributeError('NumPy 2.4 or less')"),
    "dpctl": ("sycl.kernel", "raise AttributeError('NumPy 2.4 or less')"),
}


@pytest.mark.slow
@pytest.mark.parametrize("package", CASES)
def test_its_error_is_reported(package, tmp_path):
    key, code = CASES[package]
    folder = tmp_path / "site-packages" / package
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(code)
    command = "-m", "polymask", "run", key, "--size", "8"
    done = run(*command, cwd=ROOT, PYTHONPATH=str(folder.parent))
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 1
    for word in package, "is installed", "NumPy 2.4 or less", "pip install":
        assert word in done.stderr


def test_a_broken_package_is_not_a_defect_of_polymask(tmp_path, monkeypatch, capsys):
    from polymask import cli

    folder = tmp_path / "site-packages" / "rasterio"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('no libgdal')")
    monkeypatch.syspath_prepend(folder.parent)
    for name in [name for name in sys.modules if name.partition(".")[0] == "rasterio"]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "a.tif").write_bytes(b"II*\0")
    (tmp_path / "a.csv").write_text("1 1\n2 1\n2 2\n")
    assert cli.main(["stats", str(tmp_path / "a.tif"), str(tmp_path / "a.csv")]) == 1
    err = capsys.readouterr().err
    assert "rasterio is installed" in err
    assert "no libgdal" in err
