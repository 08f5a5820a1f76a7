"""Options common to several commands: rungs and their settings, numbers, the edges of a map."""

import click

from polymask.ladder import registry


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


def read_keys(text):
    """Return the rungs with these comma-separated keys, in the order of the registry."""
    rungs = {registry.get(key.strip()) for key in text.split(",")}
    return [rung for rung in registry.RUNGS if rung in rungs]


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
RUNGS = Text("key,...", read_keys)
bounds_option = click.option(
    "--bounds", type=Text("w,s,e,n", read_bounds), help="Set the west, south, east and north edges."
)
page_option = click.option(
    "--page", type=click.IntRange(1), help="Read this page of a file with several."
)
rung_argument = click.argument("rung", metavar="KEY", type=Text("key", registry.get))


def read_option(rung, name, text):
    """Read the value of a rung's option; raise a usage error for a bad name or value."""
    if name not in rung.options:
        advice = registry.nearest(name, rung.options) if rung.options else "; it takes none"
        raise click.UsageError(f"{rung.key} has no option {name!r}{advice}")
    try:
        return rung.options[name](text)
    except ValueError as error:
        raise click.UsageError(f"{rung.key}: {name}: {error}") from None


def read_settings(rung, settings):
    """Read a rung's options from a list of OPTION=VALUE."""
    assignments = (split_assignment(setting, "OPTION=VALUE") for setting in settings)
    return {name: read_option(rung, name, text) for name, text in assignments}


def split_assignment(text, form):
    """Split NAME=VALUE; `form` is for the error message."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"--set takes {form}, got {text!r}")
    return name, value
