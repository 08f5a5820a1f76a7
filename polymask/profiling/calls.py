"""cProfile of a rung: which functions were called how often, and what to notice of it."""

import cProfile
import inspect
import pstats
import sys
from dataclasses import dataclass
from pathlib import Path

from polymask.contract import Unavailable
from polymask.profiling import timeline, twin
from polymask.report import figures

MANY = 1000  # calls, from which on their number and their price are worth a sentence
BUILT_IN = "built in"  # the place of what has no file
OVERHEAD = 1.2  # from so many times the time without the profiler on, words say so


@dataclass(frozen=True)
class Function:
    """A line of the table: a function, how often it was called, and seconds."""

    name: str
    where: str  # its file and line
    calls: int
    own_s: float  # in the function itself
    total_s: float  # with what it calls
    share: float  # of all time, in the function itself


def profile(rung, vertices, shape, options, events=None):
    """Make a mask under cProfile, and return the `pstats.Stats`.

    A rung of Cython is built once more, with hooks for the profiler; `Unavailable` is raised where
    it sees no function of the rung all the same. `events` receives those of a device's commands.
    """
    if rung.compiled:
        make_mask = twin.load(rung, twin.build(rung, "profile"))
    else:
        make_mask = rung.load()
        if not rung.device:  # the rung's own function, without the registry's
            make_mask = inspect.unwrap(make_mask)
    make_mask([(0, 0), (1, 0), (0, 1)], (2, 2), **options)  # first use is no part of it
    profiler = cProfile.Profile()
    keywords = options if events is None else {**options, "events": events}
    profiler.runcall(make_mask, vertices, shape, **keywords)
    stats = pstats.Stats(profiler)
    if not any(file.endswith(rung.file) for file, _, _ in stats.stats):
        version = ".".join(map(str, sys.version_info[:2]))
        raise Unavailable(
            f"cProfile of Python {version} sees no function of a Cython module",
            "use 3.11 or older, 3.13 or newer; `--native` works with all",
        )
    return stats


def functions(stats):
    """Return the functions of a profile, most time of their own first."""
    found = [
        Function(*named(place), calls, own, total, own / stats.total_tt)
        for place, (_, calls, own, total, _) in stats.stats.items()
        if "_lsprof.Profiler" not in place[2]  # the end of profiling itself
    ]
    return sorted(found, key=lambda function: -function.own_s)


def named(place):
    """Return name and place of a function, of what pstats calls it."""
    file, line, name = place
    if file == "~":  # <built-in method builtins.min>, <method 'reduce' of 'numpy.ufunc' objects>
        words = name.strip("<>").removeprefix("built-in method ").removeprefix("method ")
        return words.removeprefix("builtins.").replace("'", ""), BUILT_IN
    path = Path(file)
    if path.is_relative_to(twin.ROOT):
        path = path.relative_to(twin.ROOT)
    if "site-packages" in path.parts:
        path = Path(*path.parts[path.parts.index("site-packages") + 1 :])
    return name, f"{path}:{line}"


def notice(rung, stats, clock_s, commands=()):
    """Return what to notice, in sentences.

    Without the profiler the same takes about `clock_s`; `commands` are a device's, of that call.
    """
    found = functions(stats)
    whole = stats.total_tt
    slowest, busiest = found[0], max(found, key=lambda function: function.calls)
    times = "once" if slowest.calls == 1 else f"{slowest.calls:,} times"
    said = [f"{slowest.name} takes {100 * slowest.share:.0f} % of the time itself, called {times}."]
    if commands and timeline.waited(commands) > slowest.own_s / 2:
        said.append(
            "But it does not work so long, it waits: the copy to the host is blocking, and the "
            f"kernel has to end first. By the device's own clock: {timeline.times(commands)}."
        )
    elif slowest.where != BUILT_IN and not (commands or rung.compiled or rung.jit):
        said.append(
            "That holds its operators too, those on whole arrays among them: cProfile sees "
            "functions only."
        )
    if busiest is not slowest and busiest.calls >= MANY:
        said.append(
            f"{busiest.name} is called most, {busiest.calls:,} times, and takes "
            f"{100 * busiest.share:.0f} %."
        )
    if stats.total_calls >= MANY and whole > OVERHEAD * clock_s:
        said.append(
            f"Under the profiler it took {figures.seconds(whole)}, without about "
            f"{figures.seconds(clock_s, lambda value: figures.digits(value, 2))}: each call is "
            "made dearer, so cheap functions look dear. Use it for where, a clock for how much."
        )
    if rung.jit:
        said.append(
            "What was compiled as it was first called is one call to it, of no name: `polymask "
            "pipeline` shows what is in there."
        )
    if rung.compiled:
        said.append(
            "It sees Cython's functions, not what C does within them: `--native` shows that."
        )
    return said
