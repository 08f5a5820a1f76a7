"""Sphinx settings of the site. `make docs` builds it: build.py collects the pages first."""

import logging
import re
from pathlib import Path

from hawkmoth.docstring import FunctionDocstring

CHECKOUT = Path(__file__).resolve().parents[2]

project = "polymask"
author = "the polymask developers"
copyright = author
root_doc = "index"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_click",
    "sphinx_design",
    "hawkmoth",
]

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4  # GitHub's anchors, so that links work there and here
suppress_warnings = ["myst.header"]  # tasks of exercises have headings of level 3 only
default_role = "code"
nb_execution_mode = "off"  # `make docs` has run the notebooks
numpydoc_show_class_members = False
autodoc_typehints = "none"  # the docstrings name dtypes and shapes, which types cannot
hawkmoth_root = str(CHECKOUT / "csrc/engine/include/polymask")
hawkmoth_clang = ["-std=c++20", f"-I{CHECKOUT / 'csrc/engine/include'}", f"-I{CHECKOUT / 'csrc'}"]

linkcheck_timeout = 30  # seconds
linkcheck_anchors = False  # scripts insert them on some pages
# Publishers answer programs with an error, and a link to a DOI leads to them.
linkcheck_ignore = [r"https://doi\.org/"]

html_theme = "pydata_sphinx_theme"
html_title = "polymask"
html_static_path = ["style.css"]  # beside this file
html_css_files = ["style.css"]
html_show_sourcelink = False
html_copy_source = False
html_search_scorer = str(CHECKOUT / "docs/site/scorer.js")
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "collapse_navigation": True,  # of the lessons, the menu lists the pages of the open one
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def setup(app):
    """Read the comments of C++ headers, which are Doxygen's, and mend the theme's HTML."""
    app.connect("hawkmoth-process-docstring", from_doxygen)
    app.connect("html-page-context", name_arrows, priority=900)  # after the theme
    app.connect("html-page-context", free_empty_headings)
    # hawkmoth names the constructor of a class template Class<T>, which Sphinx does not accept
    declared = FunctionDocstring._get_decl_name
    FunctionDocstring._get_decl_name = lambda self: re.sub(r"<\w+>$", "", declared(self))
    # hawkmoth shows the comment of a whole file, but warns that it belongs to no declaration
    logging.getLogger("sphinx.hawkmoth").addFilter(
        lambda record: "attached to unexpected cursor" not in record.getMessage()
    )


def from_doxygen(app, lines, transform, options):
    """Replace Doxygen's commands with the fields of reStructuredText, in place."""
    text, indent = [], ""
    for line in lines:
        plain = re.sub(r"^@file\s+\S+", "", line.strip().removeprefix("* ").strip())
        plain = re.sub(r"([|*_]|`(?!`))", r"\\\1", plain)
        if command := re.match(r"@(\w+)\s+(.*)", plain):
            text += ["", field(*command.groups())]
            indent = "    "
        else:
            text.append(indent + plain if plain else "")
    lines[:] = text


def name_arrows(app, page, template, context, doctree):
    """Give a name for screen readers to each arrow of the menu that opens a list of pages."""
    menu = context["generate_toctree_html"]
    arrow = re.compile(r"(<a\b[^>]*>([^<]*)</a>\s*<details\b[^>]*>\s*<summary)>")
    context["generate_toctree_html"] = lambda *arguments, **options: arrow.sub(
        r'\1 aria-label="pages below \2">', str(menu(*arguments, **options))
    )


def free_empty_headings(app, page, template, context, doctree):
    """Make ordinary cells of a table's headings without text, which screen readers would read."""
    context["body"] = re.sub(
        r"<th\b([^>]*)>(<p></p>)?</th>", r"<td\1></td>", context.get("body", "")
    )


def field(command, description):
    """Return the field of a Doxygen command; several exceptions may share one."""
    if command == "param":
        name, _, rest = description.partition(" ")
        return f":param {name}: {rest.strip()}"
    return {"return": ":returns: ", "throws": ":Errors: "}[command] + description
