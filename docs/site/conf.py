"""Sphinx settings of the site. `make docs` builds it: build.py collects the pages first."""

import logging
import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

project = "polymask"
author = "the polymask developers"
copyright = author  # noqa: A001 (Sphinx reads this name)
root_doc = "index"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_click",
    "sphinx_design",
    "hawkmoth",
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4  # GitHub's anchors, so that links work there and here
suppress_warnings = ["myst.header"]  # tasks of exercises have headings of level 3 only
default_role = "code"
nb_execution_mode = "off"  # build.py runs the notebooks
numpydoc_show_class_members = False
autodoc_typehints = "none"  # the docstrings name dtypes and shapes, which types cannot
hawkmoth_root = str(CHECKOUT / "csrc/engine/include/polymask")
hawkmoth_clang = ["-std=c++20", f"-I{CHECKOUT / 'csrc/engine/include'}", f"-I{CHECKOUT / 'csrc'}"]

html_theme = "pydata_sphinx_theme"
html_title = "polymask"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def setup(app):
    """Read the comments of C++ headers, which are Doxygen's."""
    app.connect("hawkmoth-process-docstring", from_doxygen)
    # hawkmoth shows the comment of a whole file, but warns that it belongs to no declaration
    logging.getLogger("sphinx.hawkmoth").addFilter(
        lambda record: "attached to unexpected cursor" not in record.getMessage()
    )


def from_doxygen(app, lines, transform, options):
    """Replace Doxygen's commands with the fields of reStructuredText, in place."""
    text, indent = [], ""
    for line in (line.strip().removeprefix("* ").strip() for line in lines):
        line = re.sub(r"^@file\s+\S+", "", line)
        line = re.sub(r"([|*_]|`(?!`))", r"\\\1", line)
        if command := re.match(r"@(param|throws|return)s?\s+(.*)", line):
            name = {"return": ":returns:", "throws": ":throws {}:", "param": ":param {}:"}[
                command[1]
            ]
            first, rest = command[2], command[2]
            if "{}" in name:
                first, _, rest = command[2].partition(" ")
            text += ["", f"{name.format(first)} {rest.strip()}"]
            indent = "    "
        else:
            text.append(indent + line if line else "")
    lines[:] = text
