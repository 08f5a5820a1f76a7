"""Options that choose rungs, and set their options."""

import click

from ladder import registry
from polymask.cli.options import Text
from polymask.common.error_text import nearest


def read_keys(text):
    """Return the rungs with these comma-separated keys, in the order of the registry."""
    rungs = {registry.get(key.strip()) for key in text.split(",")}
    return [rung for rung in registry.RUNGS if rung in rungs]


RUNGS = Text("key,...", read_keys)
rung_argument = click.argument("rung", metavar="KEY", type=Text("key", registry.get))


def read_option(rung, name, text):
    """Read the value of a rung's option; raise a usage error for a bad name or value."""
    if name not in rung.options:
        advice = nearest(name, rung.options) if rung.options else "; it takes none"
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
