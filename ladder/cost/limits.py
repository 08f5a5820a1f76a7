"""The minimum time that a row's work allows on a machine, and the row's distance from it.

This is a small roofline model. Counts of work (from a rung's entry in the registry) times their
lowest prices on the machine (`ladder.cost.prices`, measured in the same run) give up to four
limits: memory, arithmetic, calls and the launch on a device. They may overlap in time, so the
largest limit binds.
"""

import functools
from dataclasses import dataclass

from ladder import registry
from ladder.cost import counts
from ladder.registry.work import Work

AT_LIMIT = 1.25  # times the largest limit: a row below it runs at its limit
MIN_RATIO = 2  # of memset to its call: below it, the time of the bytes is lost in noise
OUTSIDE_KERNEL = ("launch", "calls")  # limits of the time outside a device's kernel


@dataclass(frozen=True)
class Item:
    """A number of operations, and the price of one."""

    price: str  # a name in `ladder.cost.prices`; "mask_byte_s" for a byte of the mask
    number: int
    one_s: float

    @property
    def seconds(self):
        """The seconds of all operations."""
        return self.number * self.one_s


@dataclass(frozen=True)
class Limit:
    """The minimum time of one kind of work."""

    name: str  # "memory", "arithmetic", "calls" or "launch"
    seconds: float
    bill: tuple[Item, ...]  # its parts
    cores: int = 1  # the number of cores that share it


@dataclass(frozen=True)
class Limits:
    """The limits of a row that has a time."""

    row: object  # of the result
    work: Work
    cores: int  # the number of its threads, but at most the number of cores
    all: tuple[Limit, ...]  # the largest first; only those that are not zero

    @property
    def largest(self):
        """The limit that binds, if any does."""
        return self.all[0]

    @property
    def distance(self):
        """The row's time / the largest limit."""
        return self.row.median_s / self.largest.seconds

    @property
    def binds(self):
        """Whether the largest limit can bind the row.

        On a device, it cannot if the launch is the largest limit but most of the time passes in the
        kernel, or the other way round.
        """
        if not self.row.kernel_s or self.distance < AT_LIMIT:
            return True
        return (self.largest.name in OUTSIDE_KERNEL) == self.beside

    @property
    def beside(self):
        """Whether most of the row's time passes outside its kernel."""
        return self.row.kernel_s < self.row.median_s / 2


def of_result(result, others=None):
    """Map keys to `Limits`, for rows with a time, known work and known prices.

    `others` maps keys of rows other than rungs to their `Work`. Results of old versions have no
    prices, and prices of devices other than the CPU are unknown: their rows are omitted.
    """
    prices, workload = _prices(result), result.workload
    counted = functools.cache(functools.partial(counts.of, workload.polygon_xy, workload.shape))
    limited = {}
    for key, row in result.timed.items() if prices else ():
        rung = registry.BY_KEY.get(key)
        work = rung.work if rung else (others or {}).get(key)
        if work is None or (rung and not _on_cpu(rung, result.machine)):
            continue
        cores = max(1, min(row.threads or 1, result.machine.affinity or 1))
        if limits := _limits(work, row, counted(work.last_edge_first), prices, cores):
            limited[key] = Limits(row, work, cores, limits)
    return limited


def price_share(rung, result):
    """Return the share of a rung's time that is due to the feature that its `without` lacks.

    It is 1 - (time of `without`) / (time of the rung), or None if one was not measured.
    """
    own, other = result.timed.get(rung.key), result.timed.get(rung.without)
    return 1 - other.median_s / own.median_s if own and other else None


def _on_cpu(rung, machine):
    """Return whether a rung computes on the CPU; prices of other devices are unknown."""
    device = machine.devices.get(rung.device)
    return rung.device is None or (device is not None and device.is_cpu)


def _prices(result):
    """Return all prices of a result, and those of a mask's byte; empty if there are none."""
    memset, prices, pixels = result.yardstick, result.yardstick.prices, result.workload.pixels
    fills = {  # minima; old results have medians only
        "fresh": memset.memset_fresh_min_s or memset.memset_fresh_s,
        "out": memset.memset_warm_min_s or memset.memset_warm_s,
    }
    if not pixels or not all(fills.values()) or not {"byte_s", "fill_call_s"} <= prices.keys():
        return {}
    # The time of memset, less that of a call for a single byte. For a small mask, the difference is
    # noise, so the price of a byte in the cache is used.
    call, cached = prices["fill_call_s"], prices["byte_s"]
    return prices | {
        mask: max((seconds - call) / pixels, cached) if seconds >= MIN_RATIO * call else cached
        for mask, seconds in fills.items()
    }


def _limits(work, row, count, prices, cores):
    """Return the row's limits, the largest first; empty if a price is missing."""

    def bill(amounts):
        """Return an item for each price with a number other than zero."""
        numbers = {
            price: sum(times * count[name] for name, times in amount.items())
            for price, amount in amounts.items()
        }
        return tuple(Item(price, n, prices[price]) for price, n in numbers.items() if n)

    one_thread = (row.threads or 1) == 1  # one thread needs no team
    calls = {name: n for name, n in work.calls.items() if not (one_thread and name == "team_s")}
    launch = {name: n for name, n in work.launch.items() if name in prices}  # none in old results
    try:
        # The mask is written once; other bytes are moved at the rate of memset on each core.
        mask = Item("mask_byte_s", count["pixels"], prices[row.mask])
        traffic = (mask, *bill({"byte_s": work.traffic}))
        operations, divisions = bill(work.operations), bill(work.divisions)
        call_items, launch_items = bill(calls), bill(launch)
    except KeyError:
        return ()
    # The units that multiply and add work at the same time as the unit that divides.
    arithmetic = max(_total(operations), _total(divisions))
    limits = (
        Limit("memory", _total(traffic) / cores, traffic, cores),
        Limit("arithmetic", arithmetic / cores, operations + divisions, cores),
        Limit("calls", _total(call_items), call_items),  # one after the other, on one core
        Limit("launch", _total(launch_items), launch_items),  # on the host
    )
    limits = [limit for limit in limits if limit.seconds > 0]
    return tuple(sorted(limits, key=lambda limit: -limit.seconds))


def _total(bill):
    return sum(item.seconds for item in bill)
