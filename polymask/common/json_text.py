"""Reading JSON files, with one-line errors."""

import json
import re
from pathlib import Path

from polymask.common import stdin_io

BEGINS = re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]")  # byte order mark, blanks


def read(file):
    """Read a JSON file and `parse` it; errors name the file."""
    with stdin_io.named(str(file)):
        return parse(stdin_io.content(Path(file).absolute()))  # even if it is called -


def parse(content, first_line=1):
    """Parse a JSON text.

    Parameters
    ----------
    content : bytes
        The bytes of a file: UTF-8, with or without a byte order mark.
    first_line : int
        The number of the first line, for messages.

    Raises
    ------
    ValueError
        If the content is not JSON, or not safe to read. The message names the line and column.
    """
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not JSON: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {first_line - 1 + error.lineno}, column {error.colno}"
        raise ValueError(f"not JSON: {place}: {error.msg}") from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply: write the file again") from None
    except ValueError:  # from int(), which limits the number of digits
        raise ValueError("JSON with a number of thousands of digits: shorten it") from None


def parse_lines(content):
    """Parse a JSON text per line, as in GeoJSONSeq; blank lines and separators are ignored."""
    lines = (line.strip(b" \t\r\x1e") for line in content.split(b"\n"))
    values = [parse(line, number) for number, line in enumerate(lines, start=1) if line]
    return values or [parse(content)]
