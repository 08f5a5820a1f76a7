"""The limits of a container, read from fake trees of control groups, and their effects."""

import ctypes
import os
import subprocess
import sys

import pytest

from ladder import devices
from ladder.offload.engines import host_compiler
from polymask import cli
from polymask.masks import _engine, container

V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 master:2 - cgroup2 cgroup2 rw,nsdelegate"
V1 = (
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 {top} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpuacct,cpu\n"
    "33 31 0:30 {top} /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "34 31 0:31 {top} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"
)
V1_GROUPS = "5:cpuset:{0}\n4:memory:{0}\n3:cpu,cpuacct:{0}\n1:name=systemd:/else\n"
UNLIMITED = 9223372036854771712  # in version 1, with pages of 4 KiB


@pytest.fixture
def tree(tmp_path):
    """Return a function that writes the files of a fake system, and returns its root."""

    def write(groups, mounts, files):
        files = {"proc/self/cgroup": groups, "proc/self/mountinfo": mounts} | {
            f"sys/fs/cgroup/{name}": content for name, content in files.items()
        }
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(f"{content}\n", encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("group", "files", "quota", "limit"),
    [
        ("/", {"cpu.max": "150000 100000", "memory.max": "1073741824"}, 1.5, 2**30),  # Docker
        ("/", {"cpu.max": "max 100000", "memory.max": "max"}, None, None),
        ("/", {}, None, None),  # the root of a machine has no such files
        ("/a/b", {"a/cpu.max": "50000 20000", "a/b/cpu.max": "400000 100000"}, 2.5, None),
        (
            "/a/b",
            {"a/memory.max": "max", "a/b/memory.max": "4096", "memory.max": "8192"},
            None,
            4096,
        ),
        ("/a/b", {"cpu.max": "300000 100000"}, 3, None),  # the group's own folder is not visible
        ("/a", {"other/cpu.max": "100000 100000", "cpu.max": "nonsense"}, None, None),
        ("/../a", {"cpu.max": "100000 100000"}, None, None),  # outside the namespace
    ],
)
def test_version_2(tree, group, files, quota, limit):
    root = tree(f"0::{group}", V2, files)
    assert _engine.cpu_quota(root) == quota
    assert _engine.memory_limit(root) == limit


@pytest.mark.parametrize(
    ("top", "group", "inside"),
    [
        ("/", "/jobs/1", "/jobs/1"),
        ("/docker/7", "/docker/7", ""),  # the namespace of the host
        ("/docker/7", "/docker/7/jobs", "/jobs"),
        ("/..", "/", ""),
        (r"/a\134x2d\040b", r"/a\x2d b/jobs", "/jobs"),  # as the kernel writes them
    ],
)
def test_version_1(tree, top, group, inside):
    cpu, memory = (f"{name}{inside}" for name in ("cpu,cpuacct", "memory"))
    files = {
        f"{cpu}/cpu.cfs_quota_us": 150000,
        f"{cpu}/cpu.cfs_period_us": 100000,
        f"{memory}/memory.limit_in_bytes": 2**29,
    }
    root = tree(V1_GROUPS.format(group), V1.format(top=top), files)
    assert _engine.cpu_quota(root) == 1.5
    assert _engine.memory_limit(root) == 2**29


def test_version_1_without_limits(tree):
    files = {
        "cpu,cpuacct/cpu.cfs_quota_us": -1,
        "cpu,cpuacct/cpu.cfs_period_us": 100000,
        "memory/memory.limit_in_bytes": UNLIMITED,
    }
    root = tree(V1_GROUPS.format("/"), V1.format(top="/"), files)
    assert _engine.cpu_quota(root) is _engine.memory_limit(root) is None


def test_mount_of_another_group_is_ignored(tree):
    files = {"cpu,cpuacct/cpu.cfs_quota_us": 150000, "cpu,cpuacct/cpu.cfs_period_us": 100000}
    root = tree(V1_GROUPS.format("/docker/70"), V1.format(top="/docker/7"), files)
    assert _engine.cpu_quota(root) is None


def test_hybrid_uses_both_versions(tree):
    mounts = "\n".join([V1.format(top="/"), V2.replace("cgroup rw", "cgroup/unified rw")])
    files = {
        "cpu,cpuacct/cpu.cfs_quota_us": 250000,
        "cpu,cpuacct/cpu.cfs_period_us": 100000,
        "unified/jobs/memory.max": 2**20,
    }
    root = tree(V1_GROUPS.format("/jobs") + "0::/jobs", mounts, files)
    assert _engine.cpu_quota(root) == 2.5
    assert _engine.memory_limit(root) == 2**20


def test_system_without_cgroups_has_no_limits(tmp_path):
    assert _engine.cpu_quota(tmp_path) is _engine.memory_limit(tmp_path) is None


def test_quota_is_rounded_up_to_threads():
    quotas = 0.2, 1, 1.5, 16, None
    assert [container.within_quota(4, quota) for quota in quotas] == [1, 1, 2, 4, 4]


def test_default_team_is_within_the_quota_unless_a_variable_sets_it(monkeypatch):
    monkeypatch.setattr(container, "cpu_quota", lambda: 1.5)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert devices.default_team(16, "OMP_NUM_THREADS") == 2
    monkeypatch.setenv("OMP_NUM_THREADS", "16")
    assert devices.default_team(16, "OMP_NUM_THREADS") == 16


# The engine reads the files of the system: of a fake one, if they are the only ones that it sees.
IN_FAKE_SYSTEM = """
import ctypes, os, sys
NEW_USER = 0x10000000  # a namespace in which the process may change its root
ctypes.CDLL(None).unshare(NEW_USER)  # before numpy starts threads
from polymask.masks import _engine, container
from ladder.scanline.threads import threads_used
try:
    os.chroot(sys.argv[1])
except PermissionError:
    sys.exit("not permitted")
print(threads_used(), threads_used(2), container.cores())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="cgroups are Linux's")
@pytest.mark.parametrize("quota", [50000, 150000])
def test_engine_starts_no_more_threads_than_the_quota(tree, quota):
    root = tree("0::/", V2, {"cpu.max": f"{quota} 100000"})
    environment = {name: os.environ[name] for name in os.environ if name != "OMP_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", IN_FAKE_SYSTEM, root],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    if done.stderr == "not permitted\n":
        pytest.skip("the system permits no chroot")
    cores = len(os.sched_getaffinity(0))
    default = min(cores, -(-quota // 100000))
    assert done.stdout.split() == [str(default), str(min(2, 4 * cores)), str(default)], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are compiled with gcc's options")
def test_offload_kernels_start_no_more_threads_than_the_quota(monkeypatch, tmp_path):
    monkeypatch.setattr(container, "cpu_quota", lambda: 0.5)
    monkeypatch.setattr(host_compiler, "cache", lambda: tmp_path / "cache")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    source = tmp_path / "team.c"
    source.write_text(
        '#include "pymic_kernel.h"\nPYMIC_KERNEL int team(void) { return pymic_threads(); }\n',
        encoding="utf-8",
    )
    assert ctypes.CDLL(host_compiler.compiled(source, {})).team() == 1


@pytest.mark.parametrize("rung", ["openmp.prange", "numba.prange"])
def test_rungs_start_no_more_threads_than_the_quota(rung, monkeypatch):
    variable = {"openmp": "OMP_NUM_THREADS", "numba": "NUMBA_NUM_THREADS"}[rung.partition(".")[0]]
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(container, "cpu_quota", lambda: 0.5)
    module = pytest.importorskip(f"ladder.{rung}")
    assert module.threads_used() == 1
    assert module.threads_used(threads=2) == 2


class ArrayTooLarge(MemoryError):
    """An error like NumPy's, with the array that could not be allocated."""

    def __init__(self, shape, dtype):
        super().__init__("no memory")
        self.shape, self.dtype = shape, dtype


def test_out_of_memory_names_the_containers_limit_if_it_is_the_reason(monkeypatch, capsys):
    monkeypatch.setattr(_engine, "memory_limit", lambda: 2**29)
    byte = memoryview(b"")
    assert cli._print_error(ArrayTooLarge((2**15, 2**15), byte)) == 2
    assert "0.5 GiB" in capsys.readouterr().err
    cli._print_error(MemoryError("no memory"))
    assert "0.5 GiB" in capsys.readouterr().err
    cli._print_error(ArrayTooLarge((2**10, 2**10), byte))
    assert "GiB" not in capsys.readouterr().err
