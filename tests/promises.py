"""Figures of what we promise: runs write them into results/promises, this fills docs/promises.md.

A run calls `record` at its end; it writes only where POLYMASK_RECORD is set, so that tests leave
the tree as it was. `make promises` fills the page's table from all files.
"""

import json
import os
from datetime import date

from checkouts import ROOT

from polymask.bench import machine
from polymask.common import checkout, saving
from polymask.report import marks

FOLDER = ROOT / "results/promises"
PAGE = ROOT / "docs/promises.md"
OF = "results/promises"  # what the page's marks name


def record(name, *, promise, how, tests, figures):
    """Write what a run found out.

    Parameters
    ----------
    name : str
        Of the file, without its suffix.
    promise : str
        What is promised, a sentence.
    how : str
        The command that runs it again.
    tests : list of str
        Files where a reader finds the tests, from the root.
    figures : dict of str to int or float
        What the run counted: "polygons", "seconds", "differences".
    """
    if not os.environ.get("POLYMASK_RECORD"):
        return
    if "PYTEST_XDIST_WORKER" in os.environ:
        raise RuntimeError(
            "each of several workers would record its own share only: run without -n"
        )
    told = {"promise": promise, "how": how, "tests": tests, "figures": figures}
    told["date"] = date.today().isoformat()
    told |= checkout.commit() | {"cpu": machine.cpu_model(), "cores": machine.affinity()}
    if told["commit"] is not None:
        told["dirty"] = dirty()
    FOLDER.mkdir(parents=True, exist_ok=True)
    saving.write(FOLDER / f"{name}.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def dirty():
    """Return whether what runs differs from its commit; figures of an earlier run do not."""
    told = ["status", "--porcelain", "--untracked-files=no", "--", ".", f":!{OF}"]
    return bool(checkout.git(ROOT, *told).stdout.strip())


def table():
    """Return the page's table: a row for each file."""
    rows = ["| guarantee | figures of a run | tests | command |", "|:--|:--|:--|:--|"]
    for file in sorted(FOLDER.glob("*.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        figures = ", ".join(f"{value:,} {label}" for label, value in told["figures"].items())
        tests = ", ".join(f"[{name}](../{name})" for name in told["tests"])
        where = f"{told['cpu']}, {told['cores']} cores, {told['date']}"
        rows.append(f"| {told['promise']} | {figures} ({where}) | {tests} | `{told['how']}` |")
    return "\n" + "\n".join(rows) + "\n\n" if len(rows) > 2 else ""


if __name__ == "__main__":
    marks.rewrite(PAGE, lambda of: (of, table()))
