"""The least time that a row's work allows on a machine, and how far away from it the row is.

A small roofline. Counts of work (a rung's entry in the registry says them) times what one of each
costs at best on the machine (`polymask.cost.prices`, measured in the same run) give up to four
limits: memory, arithmetic, calls, the launch on a device. They may overlap in time, so the largest
binds.
"""

import functools
from dataclasses import dataclass, replace

from polymask.cost import counts
from polymask.ladder import registry
from polymask.ladder.work import Work, plus

THERE = 1.25  # so near its largest limit, a row runs at it
CLEAR = 2  # memset of the mask takes so many times its call, or its bytes are lost in noise
ONE_LANE = {"multiply_vector_s": "multiply_s", "divide_vector_s": "divide_s"}  # of the same
BESIDE = ("launch", "calls")  # limits of what passes beside a device's kernel


@dataclass(frozen=True)
class Item:
    """So many of one thing, and what one costs."""

    price: str  # its name in `polymask.cost.prices`; "mask_byte_s" for a byte of the mask
    number: int
    one_s: float

    @property
    def seconds(self):
        """Seconds for all."""
        return self.number * self.one_s


@dataclass(frozen=True)
class Limit:
    """The least time by one kind of work."""

    name: str  # "memory", "arithmetic", "calls" or "launch"
    seconds: float
    bill: tuple[Item, ...]  # what it is made of
    cores: int = 1  # how many share it


@dataclass(frozen=True)
class Limits:
    """The limits of a row that has a time."""

    row: object  # as it stands in the result
    work: Work
    cores: int  # that the row had: its threads, as far as there is a core for each
    all: tuple[Limit, ...]  # the largest first; only those that are not zero

    @property
    def largest(self):
        """The limit that binds, if any does."""
        return self.all[0]

    @property
    def distance(self):
        """How many times as long as the largest limit the row takes."""
        return self.row.median_s / self.largest.seconds

    @property
    def binds(self):
        """Whether the largest limit can be what binds the row.

        On a device it cannot where most time passes in the kernel and the launch is the largest,
        or the other way round.
        """
        if not self.row.kernel_s or self.distance < THERE:
            return True
        return (self.largest.name in BESIDE) == self.beside

    @property
    def beside(self):
        """Whether most of the row's time passes beside its kernel."""
        return self.row.kernel_s < self.row.median_s / 2


def of_result(result, others=None):
    """Return key to `Limits` of each row that has a time and whose work can be priced.

    `others` is key to `Work` of rows that are no rungs. Left out are rows without a time, rows of
    which no work is known, all rows of results that hold no prices (those of a version that did not
    measure them), and rows of a device that is not the CPU: its prices are unknown.
    """
    prices, place = _prices(result), result.workload
    counted = functools.cache(functools.partial(counts.of, place.polygon_xy, place.shape))
    found = {}
    for key, row in result.timed.items() if prices else ():
        rung = registry.BY_KEY.get(key)
        work = rung.work if rung else (others or {}).get(key)
        if work is None or (rung and not _on_cpu(rung, result.machine)):
            continue
        cores = max(1, min(row.threads or 1, result.machine.affinity or 1))
        if limits := _limits(work, row, counted(work.last_edge_first), prices, cores):
            found[key] = Limits(row, work, cores, limits)
    return found


def one_at_a_time_s(result, key):
    """Return how long a row's arithmetic takes at least without vector registers; None if unknown.

    A row that takes less has used them.
    """
    found = of_result(result).get(key)
    if found is None:
        return None

    def in_one_lane(amounts):
        changed = {}
        for price, amount in amounts.items():
            name = ONE_LANE.get(price, price)
            changed[name] = plus(amount, **changed.get(name, {}))
        return changed

    work = replace(
        found.work,
        operations=in_one_lane(found.work.operations),
        divisions=in_one_lane(found.work.divisions),
    )
    place = result.workload
    count = counts.of(place.polygon_xy, place.shape, work.last_edge_first)
    every = _limits(work, found.row, count, _prices(result), found.cores)
    return next((one.seconds for one in every if one.name == "arithmetic"), None)


def price_share(rung, result):
    """Return what part of a rung's time it pays for what its `without` names.

    That one does the same without it, so 1 - its time / the rung's; None if not both were measured.
    """
    own, other = result.timed.get(rung.key), result.timed.get(rung.without and rung.without.key)
    return 1 - other.median_s / own.median_s if own and other else None


def _on_cpu(rung, machine):
    """Return whether a rung computes on the processor: of other devices no prices are known."""
    device = machine.devices.get(rung.device)
    return rung.device is None or (device is not None and device.is_cpu)


def _prices(result):
    """Return all prices of a result, and of a byte by where the mask goes; nothing without them."""
    memset, prices, pixels = result.yardstick, result.yardstick.prices, result.workload.pixels
    fills = {  # at best; old results have the median only
        "fresh": memset.memset_fresh_min_s or memset.memset_fresh_s,
        "out": memset.memset_warm_min_s or memset.memset_warm_s,
    }
    if not pixels or not all(fills.values()) or not {"byte_s", "fill_call_s"} <= prices.keys():
        return {}
    # Memset's time, less that for a single byte. Of a small mask the difference is noise: there a
    # byte costs what others do, which are in cache.
    call, least = prices["fill_call_s"], prices["byte_s"]
    return prices | {
        mask: max((seconds - call) / pixels, least) if seconds >= CLEAR * call else least
        for mask, seconds in fills.items()
    }


def _limits(work, row, count, prices, cores):
    """Return the row's limits, the largest first; nothing where a price is missing."""

    def bill(amounts):
        """Return an item for all of one price that is to be paid."""
        numbers = {
            price: sum(times * count[name] for name, times in amount.items())
            for price, amount in amounts.items()
        }
        return tuple(Item(price, n, prices[price]) for price, n in numbers.items() if n)

    one_thread = (row.threads or 1) == 1  # which needs no team
    calls = {name: of for name, of in work.calls.items() if not (one_thread and name == "team_s")}
    launch = {name: of for name, of in work.launch.items() if name in prices}  # old results: none
    try:
        # the mask is written once, and other bytes pass at memset's rate, for each core
        mask = Item("mask_byte_s", count["pixels"], prices[row.mask])
        written = (mask, *bill({"byte_s": work.traffic}))
        operations, divisions = bill(work.operations), bill(work.divisions)
        called, launched = bill(calls), bill(launch)
    except KeyError:
        return ()
    # units that multiply and add, and one that divides: they work at the same time
    computing = max(_total(operations), _total(divisions))
    limits = (
        Limit("memory", _total(written) / cores, written, cores),
        Limit("arithmetic", computing / cores, operations + divisions, cores),
        Limit("calls", _total(called), called),  # one after the other, on one core
        Limit("launch", _total(launched), launched),  # by the host program
    )
    return tuple(sorted((one for one in limits if one.seconds > 0), key=lambda one: -one.seconds))


def _total(bill):
    return sum(item.seconds for item in bill)
