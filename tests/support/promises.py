"""Figures for our guarantees: test runs write them to results/promises, for docs/promises.md.

A run calls `record` at its end, which writes only if POLYMASK_RECORD is set, so that tests leave
the tree unchanged. `make promises` fills the page's table from all files.
"""

import json
import os
from datetime import date

from checkouts import ROOT

from ladder.bench import machine
from ladder.common import checkout
from ladder.report import marks
from polymask.common import saving

FOLDER = ROOT / "results/promises"
PAGE = ROOT / "docs/promises.md"
OF = "results/promises"  # the source in the page's marks


def record(name, *, promise, how, tests, figures):
    """Write the figures of a run.

    Parameters
    ----------
    name : str
        Name of the file, without its suffix.
    promise : str
        The guarantee, as a sentence.
    how : str
        The command that repeats the run.
    tests : list of str
        Paths of the files with the tests, from the root.
    figures : dict of str to int or float
        Counts of the run: "polygons", "seconds", "differences".
    """
    if not os.environ.get("POLYMASK_RECORD"):
        return
    if "PYTEST_XDIST_WORKER" in os.environ:
        raise RuntimeError(
            "with several workers, each would record only its own share: run without -n"
        )
    entry = {"promise": promise, "how": how, "tests": tests, "figures": figures}
    entry["date"] = date.today().isoformat()
    entry |= checkout.commit() | {"cpu": machine.cpu_model(), "cores": machine.affinity()}
    if entry["commit"] is not None:
        entry["dirty"] = dirty()
    FOLDER.mkdir(parents=True, exist_ok=True)
    saving.write(FOLDER / f"{name}.json", json.dumps(entry, indent=1, ensure_ascii=False) + "\n")


def dirty():
    """Return whether the code differs from its commit; changed figures do not count."""
    command = ["status", "--porcelain", "--untracked-files=no", "--", ".", f":!{OF}"]
    return bool(checkout.git(ROOT, *command).stdout.strip())


def table():
    """Return the page's table, with a row for each file."""
    rows = ["| guarantee | figures from one run | tests | command |", "|:--|:--|:--|:--|"]
    for file in sorted(FOLDER.glob("*.json")):
        entry = json.loads(file.read_text(encoding="utf-8"))
        values = {
            label: f"{value:,}".removesuffix(".0") for label, value in entry["figures"].items()
        }
        figures = ", ".join(f"{value} {label}" for label, value in values.items())
        tests = ", ".join(f"[{name}](../{name})" for name in entry["tests"])
        run = f"{entry['cpu']}, {entry['cores']} cores, {entry['date']}"
        rows.append(f"| {entry['promise']} | {figures} ({run}) | {tests} | `{entry['how']}` |")
    return "\n" + "\n".join(rows) + "\n\n" if len(rows) > 2 else ""


if __name__ == "__main__":
    marks.rewrite(PAGE, lambda of: (of, table()))
