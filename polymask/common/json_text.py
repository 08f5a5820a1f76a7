"""Reading JSON files, with one-line errors."""

import json
from pathlib import Path

from polymask.common import stdin_io


def read(file):
    """Return the content of a JSON file, as `parse` does; errors name the file."""
    with stdin_io.named(str(file)):
        return parse(stdin_io.content(Path(file).absolute()))  # here - is an ordinary file name


def parse(content):
    """Return the value of a JSON text.

    Parameters
    ----------
    content : bytes
        The bytes of a file: UTF-8, with or without a byte order mark.

    Raises
    ------
    ValueError
        If it is not JSON, or not safe to read. The message names the line and column.
    """
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not JSON: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"not JSON: {place}: {error.msg}") from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply: write the file again") from None
    except ValueError:  # from int(), which limits the number of digits
        raise ValueError("a number in it has thousands of digits") from None
