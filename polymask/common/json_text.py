"""JSON of files that somebody else may have written: what is wrong with it, in a line."""

import json
from pathlib import Path

from polymask.common import stdin_io


def read(file):
    """Return what a JSON file holds, as `parse` does; errors name the file."""
    with stdin_io.named(str(file)):
        return parse(stdin_io.content(Path(file).absolute()))  # - is a name like others here


def parse(content):
    """Return what JSON holds.

    Parameters
    ----------
    content : bytes
        Of a file: UTF-8, with or without a byte order mark.

    Raises
    ------
    ValueError
        If it is not JSON, or more than is safe to read; the text names the line and column.
    """
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not JSON: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"not JSON: {place}: {error.msg}") from None
    except RecursionError:
        mend = "no file that is read here needs to be, write it anew"
        raise ValueError(f"JSON that is nested too deeply: {mend}") from None
    except ValueError:  # of int(), which reads no more digits than are safe
        raise ValueError("a number in it has thousands of digits") from None
