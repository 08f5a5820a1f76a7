"""A group of commands: `polymask` is one, and `polymask workshop`."""

import click

from polymask.ladder import registry

WHOLE = 1000  # letters: more than any first sentence has


class Commands(click.Group):
    """A group that lists its commands with whole sentences, and names the nearest to a wrong one.

    click would cut the sentences to what fits into a line.
    """

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
