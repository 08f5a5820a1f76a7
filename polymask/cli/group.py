"""A group of commands: `polymask` is one, and `polymask workshop`."""

from dataclasses import dataclass
from importlib import import_module

import click

WHOLE = 1000  # letters: more than any first sentence has


@dataclass
class Asked:
    """What the command line asks of whoever runs it: the context's object."""

    debug: bool = False


def _note_debug(context, _, value):
    asked = context.ensure_object(Asked)
    asked.debug = asked.debug or value


DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note_debug,
    help="Show where in the code an error arose.",
)


@dataclass(frozen=True)
class Entry:
    """Where a command is, and the first sentence of its help: `--help` imports none of them."""

    module: str
    name: str  # there
    help: str


class Commands(click.Group):
    """A group that lists its commands with whole sentences, and names the nearest to a wrong one.

    click would cut the sentences to what fits into a line. It and its commands take --debug.
    """

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.params.append(DEBUG)

    def add_command(self, command, name=None):
        """Add a command."""
        super().add_command(command, name)
        if DEBUG not in command.params:
            command.params.append(DEBUG)

    def resolve_command(self, context, arguments):
        """Find the command of the first argument."""
        name = arguments[0]
        if self.get_command(context, name) is None and not name.startswith("-"):
            from polymask.ladder import registry

            known = self.list_commands(context)
            context.fail(f"no command is called {name!r}{registry.nearest(name, known)}")
        return super().resolve_command(context, arguments)

    def format_commands(self, context, formatter):
        """Write each command with the first sentence of its help."""
        found = [(name, self.get_command(context, name)) for name in self.list_commands(context)]
        self.write(formatter, [(name, one.get_short_help_str(WHOLE)) for name, one in found])

    @staticmethod
    def write(formatter, rows):
        """Write names and sentences."""
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class LazyCommands(Commands):
    """A group that imports the one command that it runs; `entries` are of all, by name."""

    def __init__(self, *arguments, entries, **options):
        super().__init__(*arguments, **options)
        self.entries = entries

    def list_commands(self, context):
        """Return the names."""
        return sorted(self.entries)

    def get_command(self, context, name):
        """Import a command."""
        if name in self.entries and name not in self.commands:
            entry = self.entries[name]
            self.add_command(getattr(import_module(entry.module), entry.name))
        return super().get_command(context, name)

    def format_commands(self, context, formatter):
        """Write each command with the first sentence of its help."""
        self.write(formatter, [(name, self.entries[name].help) for name in sorted(self.entries)])
