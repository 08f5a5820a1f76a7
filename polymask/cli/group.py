"""A group of commands: `polymask` is one, and `polymask workshop`."""

from dataclasses import dataclass

import click

from polymask.ladder import registry

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
            known = self.list_commands(context)
            context.fail(f"no command is called {name!r}{registry.nearest(name, known)}")
        return super().resolve_command(context, arguments)

    def format_commands(self, context, formatter):
        """Write each command with the first sentence of its help."""
        found = [(name, self.get_command(context, name)) for name in self.list_commands(context)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(WHOLE)) for name, one in found])
