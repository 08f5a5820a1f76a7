"""Texts of others: which may be shown, and how a table of Markdown and a message show them."""

import re
import unicodedata

MOST = 80  # letters
STACKED = 3  # accents on one letter: more of them run over the lines above and below
FORMULA = "=+-@＝＋－＠"  # a sheet that a table is copied to computes what begins so
# What `str.isprintable` lets pass, and nobody sees: fillers, and selectors of variants.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
# Of Markdown and HTML, and what makes links of addresses and names. No markup is an underscore
# within a word, and # : @ before a blank.
MARKUP = re.compile(r'["$&*<>\[\\\]`{|}~]|[#:@](?=\S)|(?<![^\W_])_|_(?![^\W_])|(?<=\bwww)\.', re.I)


def clean(text):
    """Return a text that can be shown anywhere once it is escaped; `ValueError` says why not.

    It is one line of at most `MOST` letters that all are seen, and no formula.
    """
    if len(text) > MOST:
        raise ValueError(f"has {len(text):,} letters, at most {MOST} are shown")
    marks = "".join("m" if unicodedata.category(c) in ("Mn", "Me") else "." for c in text)
    if not text.isprintable() or UNSEEN.search(text) or "m" * (STACKED + 1) in marks:
        raise ValueError("has letters that cannot be printed")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if not text:
        raise ValueError("is empty")
    return f"'{text}" if text[0] in FORMULA else text


def shown(text):
    """Return any text for a message: one line, as it is or by the codes of its letters, and cut."""
    start = text[:MOST]
    try:
        clean(start)
    except ValueError:
        start = ascii(start)[1:-1]
    return start if len(text) <= MOST >= len(start) else f"{start[:MOST]}..."


def in_markdown(text):
    """Return a clean text for a table of Markdown, where no letter of it is markup.

    By the numbers of its letters: all that read Markdown agree on these, not on a backslash.
    """
    return MARKUP.sub(lambda one: f"&#{ord(one[0])};", text)
