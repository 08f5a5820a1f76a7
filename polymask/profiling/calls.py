"""cProfile of a rung: the calls of functions, and notes on them."""

import cProfile
import inspect
import pstats
import sys
from dataclasses import dataclass
from pathlib import Path

from polymask.contract import Unavailable
from polymask.profiling import timeline, twin
from polymask.report import figures

MANY = 1000  # calls: from this number on, a note mentions them
BUILT_IN = "built in"  # the place of functions without a file
OVERHEAD = 1.2  # times the time without the profiler: from here on, a note mentions it


@dataclass(frozen=True)
class Function:
    """A line of the table: a function, the number of calls, and seconds."""

    name: str
    where: str  # its file and line
    calls: int
    own_s: float  # in the function itself
    total_s: float  # including the functions that it calls
    share: float  # of the total time, in the function itself


def profile(rung, vertices, shape, options, events=None):
    """Make a mask under cProfile, and return the `pstats.Stats`.

    A rung of Cython is built again with hooks for the profiler; raises `Unavailable` if the
    profiler still sees no function of the rung. `events` receives those of a device's commands.
    """
    if rung.compiled:
        make_mask = twin.load(rung, twin.build(rung, "profile"))
    else:
        make_mask = rung.load()
        if not rung.device:  # the rung's own function, without the registry's
            make_mask = inspect.unwrap(make_mask)
    make_mask([(0, 0), (1, 0), (0, 1)], (2, 2), **options)  # the first use is not profiled
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
    """Return the functions of a profile, sorted by their own time, the largest first."""
    entries = [
        Function(*name_and_place(place), calls, own, total, own / stats.total_tt)
        for place, (_, calls, own, total, _) in stats.stats.items()
        if "_lsprof.Profiler" not in place[2]  # the end of profiling itself
    ]
    return sorted(entries, key=lambda function: -function.own_s)


def name_and_place(place):
    """Return the name and the place of a function from its key in pstats."""
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
    """Return notes on a profile.

    `clock_s` is the approximate time without the profiler; `commands` are a device's in that call.
    """
    entries = functions(stats)
    whole = stats.total_tt
    slowest, busiest = entries[0], max(entries, key=lambda function: function.calls)
    times = "once" if slowest.calls == 1 else f"{slowest.calls:,} times"
    share = f"{100 * slowest.share:.0f} %"
    notes = [f"{slowest.name} takes {share} of the time itself, called {times}."]
    if commands and timeline.waited(commands) > slowest.own_s / 2:
        notes.append(
            "Most of the time it waits: the copy to the host is blocking, and the kernel has to "
            f"end first. By the device's own clock: {timeline.times(commands)}."
        )
    elif slowest.where != BUILT_IN and not (commands or rung.compiled or rung.jit):
        notes.append(
            "That includes its operators, also those on whole arrays: cProfile sees functions only."
        )
    if busiest is not slowest and busiest.calls >= MANY:
        notes.append(
            f"{busiest.name} is called most, {busiest.calls:,} times, and takes "
            f"{100 * busiest.share:.0f} %."
        )
    if stats.total_calls >= MANY and whole > OVERHEAD * clock_s:
        notes.append(
            f"Under the profiler it took {figures.seconds(whole)}, without about "
            f"{figures.seconds(clock_s, lambda value: figures.digits(value, 2))}: it slows each "
            "call down, so cheap functions look expensive. Measure times with a clock instead."
        )
    if rung.jit:
        notes.append(
            "A function compiled just in time counts as one call, without a name: `polymask "
            "pipeline` shows its code."
        )
    if rung.compiled:
        notes.append(
            "It sees Cython's functions, but not the C code within them: `--native` shows that."
        )
    return notes
