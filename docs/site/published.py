"""Writes the links to what is published of this project: its site, Codespaces and Binder.

One address turns them on: `urls.Repository` in pyproject.toml, once the repository is public. Then
run ``python docs/site/published.py``. It writes the lines that end with the mark `published`;
without the address they are empty.
"""

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = re.compile(r"https://github\.com/([\w-]+)/([\w-]+)")
MARKED = re.compile(r"^.*?(<!-- published -->|# published)$", re.M)
LINES = {
    "README.md": "Without an installation: [drag a polygon]({play}), read [the course]({site}), "
    "its [notebooks with outputs]({notebook}) and [a report]({report}), or open a clone in "
    "[Codespaces]({codespaces}) or [Binder]({binder}). ",
    "WORKSHOP.md": "In a browser, without an installation: [Codespaces]({codespaces}) or "
    "[Binder]({binder}); students read [the lessons]({site}). ",
    "CITATION.cff": 'repository-code: "{repository}" ',
}


def links(repository):
    """Return the names of all links, with the addresses that follow from the repository's."""
    match = REPOSITORY.fullmatch(repository)
    if match is None:
        wanted = "https://github.com/OWNER/NAME"
        sys.exit(f"pyproject.toml: urls.Repository must be like {wanted}, got {repository!r}")
    owner, name = match.groups()
    site, notebook = f"https://{owner.lower()}.github.io/{name}", "notebooks/walkthrough"
    return {
        "repository": repository,
        "site": f"{site}/index.html",
        "play": f"{site}/play.html",
        "report": f"{site}/report.html",
        "notebook": f"{site}/{notebook}.html",
        "codespaces": f"https://codespaces.new/{owner}/{name}",
        "binder": f"https://mybinder.org/v2/gh/{owner}/{name}/HEAD?urlpath=lab/tree/{notebook}.ipynb",
    }


def main(root=ROOT):
    """Write the marked lines."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository")
    for name, line in LINES.items():
        file = root / name
        text = line.format(**links(repository)) if repository else ""
        page = MARKED.sub(lambda mark, text=text: text + mark[1], file.read_text(encoding="utf-8"))
        file.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
