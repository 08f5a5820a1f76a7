"""`make sanitize` finds planted defects in each of its parts, and leaves nothing out."""

import re
import shutil
import sys

import commands
import pytest
from cases import says
from checkouts import ROOT
from sanitize import __main__ as command
from sanitize import engine, modules, simulated, static, tools

KERNEL = re.compile(
    r"\b(PYMIC_KERNEL|KERNEL|kernel) void|\b(Elementwise|Reduction|GenericScan)Kernel\("
)


def plant(file, before, after):
    """Put a defect into a file of a copy."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


class Planted(modules.Copy):
    """A copy that starts from the build products of the checkout."""

    def set_up(self):
        super().set_up()
        self.take_products()


def copy(kind, folder):
    """Make a copy of a kind, or skip."""
    if not (ROOT / ".git").exists():
        pytest.skip("not in a git checkout")
    try:
        return type("Made", (Planted, kind), {})(folder / "polymask")
    except tools.Unavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture
def run_parts(monkeypatch, tmp_path, capsys):
    """Run the given parts; return the exit code and the output."""
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    monkeypatch.delenv("POLYMASK_DEMAND", raising=False)

    def run(parts, *names):
        return command.main(names, parts), capsys.readouterr().out

    return run


def fail():
    raise tools.Finding("a defect")


def skip():
    raise tools.Unavailable("needs a tool")


def test_a_part_that_finds_something_fails_and_the_others_are_run(run_parts, monkeypatch):
    code, output = run_parts({"first": fail, "second": lambda: "3 tests", "third": skip})
    assert code == 1
    assert re.fullmatch(
        r"a defect\nfirst: FAILED: see above \(0 s\)\nsecond: nothing found in 3 tests \(0 s\)\n"
        r"third: skipped: needs a tool \(0 s\)\n",
        output,
    )
    parts = {"second": lambda: "3 tests", "third": skip}
    assert run_parts(parts)[0] == 0
    monkeypatch.setenv("POLYMASK_DEMAND", "second third")
    code, output = run_parts(parts)
    assert code == 1
    assert says(output, "FAILED", "POLYMASK_DEMAND", "tool")


def test_no_kernel_is_left_out():
    pytest.importorskip("pyopencl")
    from sanitize import kernels

    sources = [
        file
        for folder in ("5_opencl", "7_offload", "csrc", "polymask", "ladder/devices")
        for kind in ("py", "c", "cl")
        for file in ROOT.glob(f"{folder}/**/*.{kind}")
        if KERNEL.search(file.read_text(encoding="utf-8"))
    ]
    # Their host needs a GPU, or test_cuda_on_cpu.py, which runs all .cl files under sanitizers.
    elsewhere = {f"csrc/{name}.cl" for name in ("fractions", "mask_bands", "rings", "tiles")}
    names = {file.relative_to(ROOT).as_posix() for file in sources}
    assert names == set(kernels.KERNELS) | elsewhere
    assert set(kernels.KERNELS) >= simulated.RACES


def test_no_directive_of_a_file_switches_a_check_off():
    files = [
        *ROOT.glob("[0-9]_*/*.pyx"),
        *ROOT.glob("polymask/**/*.pyx"),
        *ROOT.glob("ladder/**/*.pyx"),
    ]
    assert len(files) > 10
    for file in files:
        text = modules.Checked.edited(file.name, file.read_bytes()).decode()
        assert text.startswith(f"# cython: {modules.Checked.DIRECTIVES}\n")
        assert not re.search(r"(bounds|initialized|none|overflow)check *[=(] *False", text)


def test_a_build_in_a_clone_takes_no_sanitizer():
    if not (ROOT / ".git").exists():
        pytest.skip("not in a git checkout")
    done = commands.ran(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=ROOT,
        environment={"POLYMASK_SANITIZE": "address"},
    )
    assert done.returncode == 1
    assert done.stderr.startswith("POLYMASK_SANITIZE is for a copy")


@pytest.mark.slow
def test_a_write_beyond_the_mask_is_found_in_the_c_library(tmp_path):
    shutil.copytree(ROOT / "csrc", tmp_path / "csrc")
    try:
        engine.build(tmp_path / "csrc/fuzz", tmp_path / "build")
    except tools.Unavailable as missing:
        pytest.skip(str(missing))
    assert engine.count_passed(tmp_path / "build") == 1
    plant(tmp_path / "csrc/polygon.cpp", "x < cols", "x <= cols")  # the next row repairs it
    engine.build(tmp_path / "csrc/fuzz", tmp_path / "build")
    with pytest.raises(tools.Finding, match="AddressSanitizer: heap-buffer-overflow"):
        engine.count_passed(tmp_path / "build")


@pytest.mark.slow
def test_a_read_beyond_the_points_is_found_under_python(tmp_path):
    checkout = copy(modules.Sanitized, tmp_path)
    plant(checkout.root / "csrc/points_inside_polygon.c", "i < n_points", "i <= n_points")
    checkout.build("clib.points")
    with pytest.raises(tools.Finding, match="AddressSanitizer: heap-buffer-overflow"):
        checkout.test("tests/contract/test_masks.py", "-k", "named_polygons and clib")


@pytest.mark.slow
def test_an_index_beyond_the_end_is_found_by_cython(tmp_path):
    checkout = copy(modules.Checked, tmp_path)
    plant(checkout.root / "1_cython/typed.pyx", "j = (i + 1) % n ", "j = i + 1 ")
    checkout.build("cython.typed")
    with pytest.raises(tools.Finding, match=r"IndexError.*bounds"):
        checkout.test("tests/contract/test_masks.py", "-k", "named_polygons and cython.typed")


@pytest.mark.slow
def test_an_item_beyond_the_vectors_is_found_by_oclgrind(tmp_path):
    pytest.importorskip("pyopencl")
    if not shutil.which("oclgrind"):
        pytest.skip("needs oclgrind")
    name = "5_opencl/exercises/vector_add/vector_add.py"
    (tmp_path / name).parent.mkdir(parents=True)
    shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "tests", tmp_path / "tests")
    simulated.run_some([name], ["--data-races"], tmp_path, sys.executable)
    plant(tmp_path / name, "if (i < n)", "if (i <= n)")
    with pytest.raises(tools.Finding, match="Invalid write of size 4"):
        # the context that follows must not hide it
        simulated.run_some([name, name], ["--data-races"], tmp_path, sys.executable)


@pytest.mark.parametrize("reader", [static.cppcheck, static.clang_tidy])
def test_a_planted_defect_is_read(reader, tmp_path):
    file = tmp_path / "planted.cpp"
    file.write_text("int at(int i)\n{\n    int sums[2] = {i, 1};\n    return sums[0];\n}\n")
    try:
        reader([file])
    except tools.Unavailable as missing:
        pytest.skip(str(missing))
    plant(file, "return sums[0]", "int *none = nullptr;\n    return sums[0] + *none")
    with pytest.raises(tools.Finding, match=r"[Nn]ull ?[Pp]ointer"):
        reader([file])
