"""The limits of a container, read from fake trees of control groups."""

import pytest

from polymask.masks import _engine

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
    files = {
        "cpu,cpuacct/cpu.cfs_quota_us": 150000,
        "cpu,cpuacct/cpu.cfs_period_us": 100000,
    }
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
