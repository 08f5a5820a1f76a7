"""CUDA devices: the search, errors of one line, bad drivers, and times of events.

No GPU is needed: the driver and the answers of trials are fakes.
"""

import json
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from cases import says
from fresh_python import run

from ladder import devices
from ladder.devices import cuda, cuda_commands, trial_process
from polymask import contract

# The search


@pytest.fixture
def installation(monkeypatch):
    """Pretend that numba-cuda and a driver are installed."""
    spec = SimpleNamespace(origin="numba_cuda/__init__.py")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: spec)
    monkeypatch.setattr(cuda.ctypes, "CDLL", lambda name: None)
    monkeypatch.delenv(cuda.SIMULATOR, raising=False)


def test_a_missing_driver_is_reported(installation, monkeypatch):
    def refuse(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(cuda.ctypes, "CDLL", refuse)
    monkeypatch.delenv("NUMBA_CUDA_DRIVER", raising=False)
    with pytest.raises(contract.Unavailable) as error:
        cuda.KIND.survey()
    assert str(error.value) == (
        f"NVIDIA's driver is missing ({cuda.DRIVER}): use a machine with an NVIDIA GPU"
    )


def gpu(name="N"):
    return {
        "device": {
            "platform": "CUDA",
            "version": "13.0",
            "name": name,
            "driver": "13.0",
            "type": "GPU",
            "compute_units": 132,
        }
    }


def test_each_device_is_tried_and_listed_in_a_line(installation, monkeypatch):
    gpus = [gpu("A") | {"choice": "CUDA_VISIBLE_DEVICES=0"}, gpu("B") | {"choice": "..=1"}]
    failures = iter(["it is broken", ""])
    numbers = []

    def run_trial(module, number, seconds):
        numbers.append(number)
        return {"found": gpus, "failure": next(failures)}, ""

    monkeypatch.setattr(trial_process, "run", run_trial)
    trials = cuda.KIND.survey()
    assert numbers == [0, 1]
    assert [cuda.KIND.line(trial) for trial in trials] == [
        "A (CUDA 13.0; CUDA_VISIBLE_DEVICES=0) fails: it is broken",
        "B (CUDA 13.0; ..=1) works",
    ]


def fake_trials(*failures):
    return [
        devices.Trial(devices.Device(**gpu()["device"]), f"CUDA_VISIBLE_DEVICES={number}", failure)
        for number, failure in enumerate(failures)
    ]


def test_the_first_device_or_the_name_of_a_working_one():
    assert cuda.KIND.works(fake_trials("", "no")).choice == "CUDA_VISIBLE_DEVICES=0"
    with pytest.raises(contract.Unavailable, match="N: it is broken: set CUDA_VISIBLE_DEVICES=2"):
        cuda.KIND.works(fake_trials("it is broken", "so is this", ""))
    with pytest.raises(contract.Unavailable, match=r"driver.*CUDA.*13"):
        cuda.KIND.works(fake_trials("it is broken"))


# The simulator is not a device


def test_no_command_takes_the_simulator_for_a_device():
    completed = run("-m", "ladder.devices", "cuda", NUMBA_ENABLE_CUDASIM="1")
    assert completed.returncode == 1
    assert len(completed.stdout.splitlines()) == 1
    assert cuda.SIMULATOR in completed.stdout or "numba-cuda is not installed" in completed.stdout


def test_the_simulator_is_detected_before_numba_is_imported():
    code = """
import sys
from ladder.devices import cuda
print(cuda.simulated(), "numba" in sys.modules)
"""
    for value, answer in {"1": "True", "0": "False", "": "False"}.items():
        assert run("-c", code, NUMBA_ENABLE_CUDASIM=value).stdout.split() == [answer, "False"]


# Events


class Event:
    """A mark that a stream reached at this time, in milliseconds."""

    def __init__(self, at):
        self.at = at

    def elapsed_time(self, later):
        return later.at - self.at


def test_times_of_commands_are_the_events_and_the_hosts_clock():
    def span(queued, start, end):
        return cuda_commands.Span(queued, Event(start), Event(end))

    first, second, late = cuda.KIND.commands(
        {
            "to_device": span(7.0, 500.0, 501.5),
            "kernel": span(7.001, 502.0, 504.0),
            "to_host": span(9.0, 505.0, 506.0),  # the two clocks agree to a few microseconds only
        }
    )
    assert first == devices.Command("to_device", 0.0, 0.0, 0.0, pytest.approx(1.5e-3))
    assert second.queued == second.submit == pytest.approx(1e-3)
    assert (second.start, second.end) == (pytest.approx(2e-3), pytest.approx(4e-3))
    assert late.queued == late.start == pytest.approx(5e-3)
    assert devices.kernel_s([first, second]) == pytest.approx(2e-3)
    assert cuda.KIND.commands({}) == []


# Bad drivers


DRIVER = """
#include <string.h>
static int other(void) { return 3; /* CUDA_ERROR_NOT_INITIALIZED */ }
static int initialize(unsigned flags) { %s }
int cuGetProcAddress_v2(const char *name, void **address, int version, long flags, int *status)
{
    *address = strcmp(name, "cuInit") ? (void *)other : (void *)initialize;
    if (status)
        *status = 0;
    return 0;
}
"""


def driver(tmp_path, body):
    """Build a driver with this cuInit whose other calls fail; return variables that select it."""
    if not shutil.which("cc") or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler, and LD_LIBRARY_PATH")
    pytest.importorskip("numba_cuda")
    (tmp_path / "cuda.c").write_text(DRIVER % body)
    library = tmp_path / "libcuda.so.1"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "cuda.c"], check=True)
    (tmp_path / "libcuda.so").symlink_to(library.name)  # Numba looks for this name first
    return {"LD_LIBRARY_PATH": str(tmp_path), "NUMBA_CUDA_DRIVER": str(library)}


@pytest.mark.extra("cuda")
def test_a_driver_that_crashes_takes_nothing_with_it(tmp_path):
    variables = driver(tmp_path, "return *(volatile int *)0;")
    completed = run("-m", "ladder.devices", "cuda", **variables)
    assert completed.returncode == 1
    assert says(completed.stdout, "CUDA's", "fault")


@pytest.mark.extra("cuda")
def test_a_driver_without_a_gpu_is_unavailable_in_one_line(tmp_path):
    variables = driver(tmp_path, "return 100; /* CUDA_ERROR_NO_DEVICE */")
    code = """
import json
from ladder import registry
try:
    registry.get("numba.cuda").load()
except registry.Unavailable as unavailable:
    print(json.dumps(str(unavailable)))
"""
    completed = run("-c", code, **variables)
    message = json.loads(completed.stdout)
    assert message.startswith("CUDA finds no device (")
    assert "NO_DEVICE" in message
    assert "\n" not in message
