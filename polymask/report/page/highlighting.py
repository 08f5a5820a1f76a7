"""Code as markup, with a class for each kind of token; the stylesheet has few, and few are seen."""

import html
import re

LEXERS = {"python": "python", "cython": "cython", "c": "c"}


def lines(code, language):
    """Return for each line of code how far it is indented, in letters, and its markup."""
    from markupsafe import Markup
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    lexer = get_lexer_by_name(LEXERS[language], stripnl=False, ensurenl=False)
    markup = highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    return [(_indent(line), Markup(line)) for line in markup]


def _indent(line):
    """Return how many spaces a line of markup begins with."""
    text = html.unescape(re.sub("<[^>]*>", "", line))
    return len(text) - len(text.lstrip(" "))
