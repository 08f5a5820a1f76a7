"""Reading JSON files, with one-line errors."""

import contextlib
import json
import re
from pathlib import Path

from polymask.common import stdin_io

DECODER = json.JSONDecoder()
BEGINS = re.compile(rb"(\xef\xbb\xbf)?[\s\x1e]*[{\[]")  # byte order mark, blanks, separator
BETWEEN = re.compile(r"[ \t\n\r\x1e]*")  # two texts: JSON's blanks and the record separator
SEPARATOR = re.compile(r"[\n\r\x1e]")


def read(file):
    """Read a JSON file and `parse` it; errors name the file."""
    with stdin_io.named(str(file)):
        return parse(stdin_io.content(Path(file).absolute()))  # even if it is called -


def parse(content):
    """Parse a JSON text.

    Parameters
    ----------
    content : bytes
        The bytes of a file: UTF-8, with or without a byte order mark.

    Raises
    ------
    ValueError
        If the content is not JSON, or not safe to read. The message names the line and column.
    """
    with _one_line_errors():
        return json.loads(content.decode("utf-8-sig"))


def parse_sequence(content):
    """Parse JSON texts, and return their values in a list.

    Each text begins on a new line, as in GeoJSONSeq and JSON Lines, or after a record separator, as
    in RFC 8142. Parameters and errors are those of `parse`.
    """
    values = []
    with _one_line_errors():
        text = content.decode("utf-8-sig")
        start = BETWEEN.match(text).end()
        while start < len(text) or not values:
            value, end = DECODER.raw_decode(text, start)
            values.append(value)
            start = BETWEEN.match(text, end).end()
            if start < len(text) and not SEPARATOR.search(text, end, start):
                raise json.JSONDecodeError("Extra data", text, start)
    return values


@contextlib.contextmanager
def _one_line_errors():
    """Convert errors of the parser to ValueErrors of one line."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"not JSON: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"not JSON: {place}: {error.msg}") from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply: write the file again") from None
    except ValueError:  # from int(), which limits the number of digits
        raise ValueError("JSON with a number of thousands of digits: shorten it") from None
