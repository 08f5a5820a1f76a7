"""Functions that read the values of options from text."""

from polymask.common.error_text import quote

MOST_DIGITS = 640  # of a number: Python's limit cannot be set lower


def whole_number(text):
    """Read an integer, such as 16."""
    digits = text.removeprefix("-")
    if not digits.isdecimal():
        raise ValueError(f"expected a whole number, like 16, got {quote(text)}")
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too large")
    return int(text)


def rows_by_cols(text):
    """Read ``ROWSxCOLS``, such as 8x16, as (8, 16)."""
    rows, x, cols = text.lower().partition("x")
    if not (x and rows.isdecimal() and cols.isdecimal()):
        raise ValueError(f"expected ROWSxCOLS, like 8x16, got {quote(text)}")
    return whole_number(rows), whole_number(cols)
