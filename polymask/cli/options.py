"""Options that several commands share, and the workload that they choose."""

import functools
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from polymask import contract
from polymask.common import saving, stdin_io
from polymask.geodata import files, geometry, georeference
from polymask.ladder import registry, workload


class Place(click.Path):
    """A file or a folder to write to, but not the empty name, which an unset variable gives."""

    def convert(self, value, param, ctx):
        """Return the path."""
        if value == "":
            self.fail("it has no name: is a variable unset?", param, ctx)
        return super().convert(value, param, ctx)


class Present(click.Path):
    """A file or a folder that is there."""

    def __init__(self, **options):
        super().__init__(exists=True, path_type=Path, **options)

    def convert(self, value, param, ctx):
        """Return the path, or say why nobody can look at it: Click would say it does not exist."""
        try:
            os.stat(value)
        except FileNotFoundError:
            pass
        except OSError as error:  # a loop of links, a folder that may not be entered
            self.fail(f"{str(value)!r}: {error.strerror}", param, ctx)
        return super().convert(value, param, ctx)


class Given(Present):
    """A file to read, or with `stdin` also `-`. A file that is called - is given as ./-."""

    def __init__(self, stdin):
        super().__init__(dir_okay=False, allow_dash=stdin)

    def convert(self, value, param, ctx):
        """Return the path."""
        if self.allow_dash and str(value) == "-":
            return stdin_io.STDIN
        found = super().convert(value, param, ctx)
        return found.absolute() if found == stdin_io.STDIN else found


GIVEN = Given(stdin=False)
GIVEN_OR_STDIN = Given(stdin=True)
FILE = Place(dir_okay=False, writable=True, path_type=Path)  # one to write
PAGE = Present(dir_okay=False, writable=True)  # one to rewrite in part
PAGES = ".html", ".htm"
FOLDER = Place(file_okay=False, path_type=Path)
GIVEN_FOLDER = Present(file_okay=False)


@dataclass(frozen=True)
class Workload:
    """A polygon on an image, and where it came from."""

    vertices: np.ndarray
    shape: tuple[int, int]
    seed: int | None
    polygon: str | None

    @property
    def files(self):
        """The files that it was read from: no command may write there."""
        return [Path(self.polygon)] if self.polygon else []


class Text(click.ParamType):
    """What a function reads from a text; its error says what is wrong with one."""

    def __init__(self, name, read):
        self.name, self.read = name, read

    def convert(self, value, param, ctx):
        """Read a value."""
        try:
            return self.read(value)
        except (KeyError, ValueError) as error:
            self.fail(error.args[0], param, ctx)


def read_keys(text):
    """Return the rungs of keys, apart by commas, in the order of the registry."""
    chosen = {registry.get(key.strip()) for key in text.split(",")}
    return [rung for rung in registry.RUNGS if rung in chosen]


def read_bounds(text):
    """Read W,S,E,N."""
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"expected four numbers W,S,E,N, got {text!r}") from None
    return west, south, east, north


def read_number(text):
    """Read a number; one that is whole stays so, as a float holds not all of 64 bits."""
    try:
        return int(text)
    except ValueError:  # a fraction, or of more digits than are read
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"expected a number, got {text!r}") from None


NUMBER = Text("number", read_number)
VERTICES = click.IntRange(3, geometry.MOST_VERTICES)
RUNGS = Text("key,...", read_keys)
SHAPE = Text("rowsxcols", lambda text: contract.check_shape(registry.rows_by_cols(text)))
bounds_option = click.option(
    "--bounds", type=Text("w,s,e,n", read_bounds), help="The map's edges: west, south, east, north."
)
rung_argument = click.argument("rung", metavar="KEY", type=Text("key", registry.get))


def workload_options(command):
    """Give a command the options that choose a polygon and an image, as one `workload`."""

    @click.option("--size", type=click.IntRange(0), help="Rows and columns of a square image.")
    @click.option("--shape", type=SHAPE, help="Rows and columns, like 600x800.")
    @click.option("--vertices", type=VERTICES, help="Number of random vertices.")
    @click.option("--seed", type=int, help="Seed of the random polygon.")
    @click.option(
        "--polygon",
        type=GIVEN_OR_STDIN,
        help="Read the polygon: GeoJSON, two columns of text or CSV, or an .npy array; - is "
        "standard input.",
    )
    @click.option("--fit", is_flag=True, help="Scale the polygon to the image, north up.")
    @functools.wraps(command)
    def with_workload(size, shape, vertices, seed, polygon, fit, **others):
        chosen = choose_workload(size, shape, vertices, seed, polygon, fit)
        return command(workload=chosen, **others)

    return with_workload


def rung_options(command):
    """Give a command a rung, a workload, and `settings`, which `read_settings` reads."""
    with_settings = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="An option of the rung, like threads=2; may be repeated.",
    )
    return rung_argument(workload_options(with_settings(command)))


def choose_workload(size, shape, n, seed, polygon, fit):
    """Make the workload of the options; refuse those that contradict each other."""
    if size is not None and shape is not None:
        raise click.UsageError("--size and --shape exclude each other")
    if polygon and (n is not None or seed is not None):
        raise click.UsageError("--polygon brings its vertices: --vertices and --seed make no sense")
    shape = shape or (workload.SHAPE if size is None else contract.check_shape((size, size)))
    if polygon:
        vertices, seed = files.read_polygon(polygon), None
    else:
        seed = workload.SEED if seed is None else seed
        vertices = workload.polygon(workload.VERTICES if n is None else n, shape, seed)
    if fit:
        vertices = georeference.fit(vertices, shape)
    return Workload(vertices, shape, seed, polygon and str(polygon))


def read_option(rung, name, text):
    """Read the text of a rung's option; a name or a text that is none is a usage error."""
    if name not in rung.options:
        takes = registry.nearest(name, rung.options) if rung.options else "; it takes none"
        raise click.UsageError(f"{rung.key} has no option {name!r}{takes}")
    try:
        return rung.options[name](text)
    except ValueError as error:
        raise click.UsageError(f"{rung.key}: {name}: {error}") from None


def read_settings(rung, settings):
    """Read OPTION=VALUE, as often as it was given, as a rung's options."""
    named = (split_assignment(setting, "OPTION=VALUE") for setting in settings)
    return {name: read_option(rung, name, text) for name, text in named}


def split_assignment(text, form):
    """Split NAME=VALUE; `form` is what an error shows."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"--set takes {form}, got {text!r}")
    return name, value


def check_stdin(inputs):
    """Refuse to read standard input twice."""
    if inputs.count(stdin_io.STDIN) > 1:
        raise click.UsageError("- is standard input, which can be read a single time")


def check_out(file, inputs):
    """Refuse a file to write whose folder cannot be written to, or that is one of the inputs."""
    check_folder(_folder(file), file)
    refuse_input(file, inputs)


def check_written(option, file, inputs, suffixes=PAGES):
    """Refuse a file to write as `check_out` does, or one whose name is that of another kind.

    A pipe or a device may be called anything.
    """
    check_out(file, inputs)
    if file.suffix.lower() not in suffixes and (file.is_file() or not file.exists()):
        raise wrong_suffix(option, file, suffixes)


def wrong_suffix(option, file, suffixes):
    """Return the error of a file that is not of the kinds that are written."""
    return click.UsageError(f"{option} writes {', '.join(suffixes)}, got {str(file)!r}")


def _folder(file):
    """Return the folder that a file is written to: where a link leads, if not to a device."""
    if not file.is_symlink() or (file.exists() and not file.is_file()):
        return file.parent
    try:
        return saving.through_links(file).parent
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None


def refuse_input(file, inputs):
    """Refuse a file to write that is one of the inputs."""
    if file.exists() and any(_is_same(file, given) for given in inputs):
        raise click.UsageError(f"{file} is read and would be overwritten: write to another file")


def _is_same(file, given):
    """Whether an input, standard input say, is that file."""
    if given != stdin_io.STDIN:
        return given.exists() and file.samefile(given)
    try:
        return os.path.samestat(file.stat(), os.fstat(sys.stdin.fileno()))
    except OSError:  # it is none of the system's
        return False


def check_folder(folder, file=None):
    """Refuse a folder that cannot be written to, before the work and not after it."""
    if not folder.is_dir():
        raise click.UsageError(f"there is no folder {folder}")
    try:
        saving.check_room(folder, file)
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None
