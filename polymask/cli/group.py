"""Groups of commands, such as `polymask` and `polymask workshop`."""

from importlib import import_module

import click

from polymask.common.error_text import nearest

WHOLE = 1000  # characters: more than any first sentence has


def _note_debug(context, _, value):
    if value:
        context.ensure_object(set).add("debug")


DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note_debug,
    help="Print the traceback of an error.",
)


class Commands(click.Group):
    """A group that lists its commands with whole sentences, and suggests the nearest command.

    Click itself would cut each sentence to one line. The group and its commands have --debug.
    """

    elsewhere = ""  # a hint for unknown commands: where other commands are

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.params.append(DEBUG)

    def add_command(self, command, name=None):
        """Add a command."""
        super().add_command(command, name)
        if DEBUG not in command.params:
            command.params.append(DEBUG)

    def resolve_command(self, context, arguments):
        """Return the command of the first argument."""
        name = arguments[0]
        if self.get_command(context, name) is None and not name.startswith("-"):
            known = self.list_commands(context)
            context.fail(f"there is no command {name!r}{nearest(name, known)}{self.elsewhere}")
        return super().resolve_command(context, arguments)

    def format_commands(self, context, formatter):
        """Write each command with the first sentence of its help."""
        commands = {name: self.get_command(context, name) for name in self.list_commands(context)}
        sentences = [(name, each.get_short_help_str(WHOLE)) for name, each in commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(sentences)


class LazyCommands(Commands):
    """A group that imports only the command to run, and no command for its own help.

    Parameters
    ----------
    sections : dict
        For each heading of the help its commands: their names, each with the name of its module
        and the first sentence of its help.
    elsewhere : str
        A hint for unknown commands: where other commands are.
    """

    def __init__(self, *arguments, sections, elsewhere, **options):
        super().__init__(*arguments, **options)
        self.sections, self.elsewhere = sections, elsewhere
        self.table = {name: entry for part in sections.values() for name, entry in part.items()}

    def list_commands(self, context):
        """Return the names of the commands."""
        return sorted(self.table)

    def get_command(self, context, name):
        """Import a command."""
        if name in self.table and name not in self.commands:
            module = import_module(self.table[name][0])
            commands = [each for each in vars(module).values() if isinstance(each, click.Command)]
            self.add_command(next(each for each in commands if each.name == name))
        return super().get_command(context, name)

    def format_commands(self, context, formatter):
        """Write the commands in their sections."""
        for heading, table in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name, sentence) for name, (_, sentence) in table.items()])
