"""The table in a README: written between two marks, which name the result that it is made from."""

import os
import re
from pathlib import Path

from polymask import saving
from polymask.report import results, table

BEGIN = "<!-- table of {} -->"
END = "<!-- end of table -->"
MARKS = re.compile(r"<!-- table of (?P<json>[^\n]+?) -->\n(?P<text>.*?)<!-- end of table -->", re.S)


def text(result, json_name):
    """Return what stands between the marks: the plot, then the table with its notes."""
    stem = json_name.removesuffix(".json")
    return f"\n![Speed-ups as bars](<{stem}.svg>)\n\n{table.markdown(result)}\n"


def rewrite(readme, json_file):
    """Write the table of a result between the marks of a README.

    Parameters
    ----------
    readme : str or Path
        A file with the two marks.
    json_file : str or Path
        The result. The marks name it by its path from the README's folder.

    Raises
    ------
    ValueError
        If the README has no such marks.
    """
    readme = Path(readme)
    old = readme.read_text(encoding="utf-8")
    if not MARKS.search(old):
        raise ValueError(
            f"{readme} has no marks to write between: {BEGIN.format('FILE.json')} and {END}"
        )
    name = Path(os.path.relpath(json_file, readme.parent)).as_posix()
    new = BEGIN.format(name) + "\n" + text(results.load(json_file)[0], name) + END
    saving.write(readme, MARKS.sub(lambda _: new, old, count=1))
