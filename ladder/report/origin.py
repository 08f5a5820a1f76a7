"""The origin of a result's numbers, as a text for each field."""

from dataclasses import asdict

from ladder.devices import KINDS

NAMES = KINDS | {
    "affinity": "cores on which the process may run",
    "busy_before": "other work before",
    "cpu": "CPU",
    "cpu_quota": "CPU quota of the container in cores",
    "dirty": "uncommitted changes",
    "flags": "compiler's flags",
    "kernel": "operating system",
    "load_after": "load average after",
    "load_before": "load average before",
    "numpy": "NumPy",
    "omp_num_threads": "OMP_NUM_THREADS",
    "omp_wait_policy": "OMP_WAIT_POLICY",
    "openmp": "OpenMP (its date)",
    "openmp_runtimes": "OpenMP runtimes",
    "pocl_affinity": "POCL_AFFINITY",
    "polygon": "polygon's file",
    "polygon_sha256": "polygon's SHA-256",
    "python": "Python",
    "ram_bytes": "main memory",
    "seed": "seed of the polygon",
    "shape": "image (rows x columns)",
    "cython": "Cython",
}


def machine(result):
    """Map the fields of the machine, software and commit to texts, in recorded order."""
    return _fields(asdict(result.machine))


def workload(result):
    """Map the fields of the polygon, without its vertices, and of the image to texts."""
    known = asdict(result.workload)
    return _fields({"vertices": len(known.pop("polygon_xy"))} | known)


def _fields(record, prefix=""):
    fields = {}
    for name, value in record.items():
        if name in ("packages", "devices"):  # their names need no prefix
            fields |= _fields(value)
        elif isinstance(value, dict):
            fields |= _fields(value, f"{plain(name)}: ")
        else:
            fields[prefix + plain(name)] = text(name, value)
    return fields


def plain(name):
    """Return the readable name of a field."""
    return NAMES.get(name, name.replace("_", " "))


def text(name, value):
    """Write the value of a field."""
    if value is None:
        return "none, or unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return (" x " if name == "shape" else ", ").join(map(str, value)) or "none"
    if name == "ram_bytes":
        return f"{value / 2**30:.1f} GiB"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
