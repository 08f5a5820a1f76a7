"""Printing and writing a result: the table, files in a folder, and the next commands."""

import contextlib
import datetime
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from ladder.bench import result_json
from ladder.bench.result import Sweep
from ladder.report import headline, kinds, results
from ladder.report.charts import drawing
from polymask.cli.places import check_out, check_written, refuse_input
from polymask.cli.terminal import console, folded, wrote
from polymask.common import saving
from polymask.contract import BadSetting, Unavailable

ALL = "Show all columns, as far as they fit, and the origin of the numbers."


def output_files(stem):
    """Return all files that `write` can write."""
    return [Path(f"{stem}{rest}") for rest in (".md", ".png", ".svg", "-polygon.png")]


def show(result, all_columns):
    """Print the tables and notes of any result; `all_columns` is the option --all."""
    out, kind = console(), kinds.of(result)
    out.print(kind.for_terminal(result, out.width, all_columns))
    for note in kind.notes(result, all_columns):
        out.print(f"- {note}", highlight=False)


def write(result, stem):
    """Write Markdown, the plot and the polygon's picture; return the files."""
    text, kind = Path(f"{stem}.md"), kinds.of(result)
    saving.write(text, kind.markdown(result))
    try:
        pictures = drawing.save(kind.polygon(result), f"{stem}-polygon", ("png",))
        return [text, *drawing.save(kind.draw(result), stem), *pictures]
    except BadSetting:
        raise
    except Unavailable as unavailable:
        click.echo(str(unavailable), err=True)
        return [text]


@dataclass
class Output:
    """The destination of a result: a folder, or None for a new one, and optional files."""

    out: Path | None
    json_file: Path | None = None
    html_file: Path | None = None
    all_columns: bool = False  # whether to show all of them

    def __post_init__(self):
        """Choose the folder's name."""
        self.folder = self.out or Path(
            f"polymask-results/{datetime.datetime.now():%Y-%m-%d_%H-%M-%S}"
        )
        self.files = [self.folder / "bench.json", *([self.json_file] if self.json_file else [])]

    @contextlib.contextmanager
    def prepared(self, inputs):
        """Make the folder and check the files before the measurement.

        Refuse to write to one of the input files. Remove the folder if this context ends with a
        usage error or Ctrl-C.
        """
        saving.make_folder(self.folder)
        try:
            for file in self.files:
                check_out(file, inputs)
            for file in output_files(self.folder / "bench"):
                refuse_input(file, inputs)
            if self.html_file:
                check_written("--html", self.html_file, inputs)
                from ladder.report.page import page  # slow to import

                page.environment()
            yield
        except (click.UsageError, KeyboardInterrupt):
            self.remove()
            raise

    def remove(self):
        """Remove the folder, which is empty, if it was made for this run."""
        if not self.out:
            self.folder.rmdir()

    def write(self, result, closing=None):
        """Print the table and write all files; return the exit code.

        `closing` are the last lines; if given, they replace those about rungs.
        """
        if result.interrupted and not any(row.ok for row in result.rows):
            self.remove()
            click.echo("interrupted before any row had a time: nothing was written", err=True)
            return 130
        show(result, self.all_columns)
        for file in self.files:
            result_json.save(result, file)
        write(result, self.folder / "bench")
        if self.html_file:
            from ladder.report.page import page

            page.write([results.Named("bench.json", result)], self.html_file)
        lines = closing_lines(result, self.files[0], self.html_file) if closing is None else closing
        click.echo("\n".join(["", *lines]))
        wrote(f"{self.folder}/", *filter(None, (self.json_file, self.html_file)))
        if result.interrupted:
            click.echo("interrupted: the measurements so far are kept", err=True)
            return 130
        return 1 if any(row.status == "wrong" for row in result.rows) else 0


def closing_lines(result, file, page=None):
    """Return the outcome of a result, surprises, and the next commands.

    `file` is its JSON file, `page` its page if any.
    """
    outcome, commands = [], []
    name = shlex.quote(str(file))
    if not isinstance(result, Sweep):
        outcome += [headline.headline(result), *headline.surprises(result)]
        if key := headline.to_explain(result):
            commands.append((f"To see what limits {key}", f"explain {key} --result {name}"))
    if page:
        outcome.append(f"Open {page} in a browser to see all of this, and the race.")
    else:
        commands.append(("To get all of this as a web page", f"report {name} --html page.html"))
    lines = [folded(text) for text in outcome if text]
    for purpose, command in commands:
        lines += [f"{purpose}:", f"    {program()} {command}"]
    return lines


def program():
    """Return the command that runs polymask in the user's shell.

    `make` runs the program in an environment that may not be activated in the shell.
    """
    own = Path(sys.executable).with_name("polymask")
    on_path = shutil.which("polymask")
    if on_path and Path(on_path).resolve() == own.resolve():
        return "polymask"
    if own.exists():
        return shlex.quote(min(str(own), os.path.relpath(own), key=len))
    return f"{shlex.quote(sys.executable)} -m polymask"
