"""The C and C++ of the runtime, with the installed compilers."""

import shutil
import subprocess

import pytest
from checkouts import ROOT

from ladder.offload import array_kernels
from ladder.offload.engines import source

KERNELS = sorted((ROOT / "csrc" / "offload").glob("*.c"))
TYPES = {f"-DELEMENT={name} -D{kind}=1" for name, kind in array_kernels.TYPES.values()}


def compiler(name):
    return shutil.which(name) or pytest.skip(f"there is no {name}")


def succeeds(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.name)
def test_a_c_compiler_warns_of_nothing(file, tmp_path):
    gcc = compiler("gcc")
    include = [f"-I{folder}" for folder in source.FOLDERS]
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fopenmp"]
    for defines in sorted(TYPES) if file.name == "array.c" else [""]:
        succeeds([gcc, *strict, *include, *defines.split(), "-c", file, "-o", tmp_path / "x.o"])


@pytest.mark.slow
@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_the_queue_is_clean_under_sanitizers(sanitizer, tmp_path):
    """Two threads add work, two queues wait for each other, kernels throw, one ends early."""
    flags = ["-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-fsanitize={sanitizer}"]
    program = tmp_path / "stress"
    built = subprocess.run(
        [compiler("g++"), *flags, f"-I{ROOT / 'csrc'}", "-pthread", "-o", program,
         ROOT / "tests/offload/queue_stress.cpp"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "cannot find" in built.stderr:
        pytest.skip(f"g++ has no library of the sanitizer {sanitizer}")
    assert built.returncode == 0, built.stderr
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("the sanitizer does not run on this kernel")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "good\n"
