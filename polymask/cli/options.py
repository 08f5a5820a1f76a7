"""Options common to several commands: numbers, shapes, the edges of a map."""

import click

from polymask import contract
from polymask.common.option_values import rows_by_cols


class Text(click.ParamType):
    """A parameter that a function reads from a text; the function's error is the message."""

    def __init__(self, name, read):
        self.name, self.read = name, read

    def convert(self, value, param, ctx):
        """Read a value."""
        try:
            return self.read(value)
        except (KeyError, ValueError) as error:
            self.fail(error.args[0], param, ctx)


def read_bounds(text):
    """Read the edges W,S,E,N of a map."""
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"expected four numbers W,S,E,N, got {text!r}") from None
    return west, south, east, north


def read_number(text):
    """Read a number; integers stay integers, as a float does not have 64 bits of precision."""
    try:
        return int(text)
    except ValueError:  # a fraction, or too many digits
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"expected a number, got {text!r}") from None


NUMBER = Text("number", read_number)
SHAPE = Text("rowsxcols", lambda text: contract.check_shape(rows_by_cols(text)))
bounds_option = click.option(
    "--bounds", type=Text("w,s,e,n", read_bounds), help="Set the west, south, east and north edges."
)
