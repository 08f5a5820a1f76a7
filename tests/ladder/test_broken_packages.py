"""A package that is installed but cannot be imported is not reported as missing."""

import sys

from cases import says
from checkouts import ROOT
from fresh_python import run


def test_the_error_of_a_rungs_package_is_reported(tmp_path):
    folder = tmp_path / "site-packages" / "pyopencl"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise AttributeError('NumPy 2.4 or less')")
    command = "-m", "polymask", "run", "opencl.pixels", "--size", "8"
    done = run(*command, cwd=ROOT, PYTHONPATH=str(folder.parent))
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert says(done.stderr, "pyopencl", "is installed", "NumPy 2.4 or less", "pip install")


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
