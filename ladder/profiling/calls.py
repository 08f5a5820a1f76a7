"""cProfile of a rung: the calls to functions, and notes on them."""

import cProfile
import inspect
import pstats
import sys
from dataclasses import dataclass
from pathlib import Path

from ladder.profiling import timeline, twin
from polymask.common import figures
from polymask.contract import Unavailable

MANY = 1000  # calls: a note mentions a larger number
BUILT_IN = "built in"  # the place of functions without a file
OVERHEAD = 1.2  # times the time without the profiler: a note mentions a larger ratio


@dataclass(frozen=True)
class Function:
    """A line of the table: a function, the number of calls, and seconds."""

    name: str
    where: str  # its file and line
    calls: int
    own_s: float  # in the function itself
    total_s: float  # including the functions that it calls
    share: float  # `own_s` as a part of the whole profile


def profile(rung, vertices, shape, options, events=None):
    """Make a mask under cProfile; return its `pstats.Stats`.

    A rung in Cython is built again with hooks for the profiler. Raises `Unavailable` if the
    profiler still sees no function of the rung. `events` receives the events of device commands.
    """
    if rung.compiled:
        make_mask = twin.load(rung, twin.build(rung))
    else:
        make_mask = rung.load()
        if not rung.device:  # profile the rung's own function, without the registry's wrapper
            make_mask = inspect.unwrap(make_mask)
    make_mask([(0, 0), (1, 0), (0, 1)], (2, 2), **options)  # do not profile the first call
    profiler = cProfile.Profile()
    keywords = options if events is None else {**options, "events": events}
    profiler.runcall(make_mask, vertices, shape, **keywords)
    stats = pstats.Stats(profiler)
    if not any(file.endswith(rung.file) for file, _, _ in stats.stats):
        version = ".".join(map(str, sys.version_info[:2]))
        raise Unavailable(
            f"cProfile of Python {version} sees no function of a Cython module",
            "use Python up to 3.11 or from 3.13 on",
        )
    return stats


def functions(stats):
    """Return the functions of a profile, sorted by their own time, the largest first."""
    entries = [
        Function(*name_and_place(place), calls, own, total, own / stats.total_tt)
        for place, (_, calls, own, total, _) in stats.stats.items()
        if "_lsprof.Profiler" not in place[2]  # omit the profiler's own function
    ]
    return sorted(entries, key=lambda function: -function.own_s)


def name_and_place(place):
    """Return the name and the place of a function, given its key in pstats."""
    file, line, name = place
    if file == "~":  # <built-in method builtins.min>, <method 'reduce' of 'numpy.ufunc' objects>
        name = name.strip("<>").removeprefix("built-in method ").removeprefix("method ")
        return name.removeprefix("builtins.").replace("'", ""), BUILT_IN
    path = Path(file)
    if path.is_relative_to(twin.ROOT):
        path = path.relative_to(twin.ROOT)
    if "site-packages" in path.parts:
        path = Path(*path.parts[path.parts.index("site-packages") + 1 :])
    return name, f"{path}:{line}"


def notice(rung, stats, clock_s, commands=()):
    """Return notes on a profile.

    `clock_s` is the approximate time without the profiler; `commands` are the device's, if any.
    """
    entries = functions(stats)
    whole = stats.total_tt
    slowest, busiest = entries[0], max(entries, key=lambda function: function.calls)
    times = "once" if slowest.calls == 1 else f"{slowest.calls:,} times"
    share = f"{100 * slowest.share:.0f} %"
    notes = [f"{slowest.name} itself takes {share} of the time. It is called {times}."]
    if commands and timeline.waited(commands) > slowest.own_s / 2:
        notes.append(
            "Most of this time is a wait: the copy to the host blocks until the kernel has ended. "
            f"By the clock of the device: {timeline.times(commands)}."
        )
    elif slowest.where != BUILT_IN and not (commands or rung.compiled or rung.jit):
        notes.append(
            "This includes its operators, even on whole arrays, as cProfile sees only functions."
        )
    if busiest is not slowest and busiest.calls >= MANY:
        notes.append(
            f"{busiest.name} is called most often, {busiest.calls:,} times, and takes "
            f"{100 * busiest.share:.0f} %."
        )
    if stats.total_calls >= MANY and whole > OVERHEAD * clock_s:
        notes.append(
            f"The mask took {figures.seconds(whole)} with the profiler, about "
            f"{figures.seconds(clock_s, lambda value: figures.digits(value, 2))} without it. It "
            "slows each call down, so cheap functions look expensive: measure times with a clock."
        )
    if rung.jit:
        notes.append(
            "A function compiled just in time counts as one call, without a name: `polymask "
            "pipeline` shows its code."
        )
    if rung.compiled:
        notes.append(
            "cProfile sees Cython's functions, but not the C code in them: perf shows that."
        )
    return notes
