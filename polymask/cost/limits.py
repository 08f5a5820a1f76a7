"""The least time that a row's work allows on a machine, and how far away from it the row is.

A small roofline. Counts of work (a rung's entry in the registry says them) times what one of each
costs at best on the machine (`polymask.cost.prices`, measured in the same run) give up to four
limits: memory, arithmetic, calls, the launch on a device. They may overlap in time, so the largest
binds.
"""

from dataclasses import dataclass

from polymask.cost import counts
from polymask.cost.memset import YARDSTICK
from polymask.ladder import registry
from polymask.ladder.work import Work

THERE = 1.25  # so near its largest limit, a row runs at it
CLEAR = 2  # memset of the mask takes so many times its call, or its bytes are lost in noise
BESIDE = ("launch", "calls")  # limits of what passes beside a device's kernel


@dataclass(frozen=True)
class Item:
    """So many of one thing, and what one costs.

    Attributes
    ----------
    price : str
        The price's name in `polymask.cost.prices`; "mask_byte_s" for a byte of the mask.
    number : int
    one_s : float
        Seconds for one.
    """

    price: str
    number: int
    one_s: float

    @property
    def seconds(self):
        """Seconds for all."""
        return self.number * self.one_s


@dataclass(frozen=True)
class Limit:
    """The least time by one kind of work.

    Attributes
    ----------
    name : str
        "memory", "arithmetic", "calls" or "launch".
    seconds : float
    bill : tuple of Item
        What it is made of.
    cores : int
        How many share it.
    """

    name: str
    seconds: float
    bill: tuple[Item, ...]
    cores: int = 1


@dataclass(frozen=True)
class Limits:
    """The limits of a row that has a time.

    Attributes
    ----------
    row : Row
        As it stands in the result.
    work : Work
    cores : int
        How many the row had: its threads, as far as there is a core for each.
    all : tuple of Limit
        The largest first; only those that are not zero.
    """

    row: object
    work: Work
    cores: int
    all: tuple[Limit, ...]

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
    """Return the limits of each row that has a time and whose work can be priced.

    Parameters
    ----------
    result : polymask.bench.result.Result
    others : dict, optional
        Key to `Work` of rows that are no rungs.

    Returns
    -------
    dict
        Key of the row to `Limits`. Left out are rows without a time, rows of which no work
        is known, all rows of results that hold no prices (those of a version that
        did not measure them), and rows of a device that is not the CPU: its prices are unknown.
    """
    prices, found, counted = _prices(result), {}, {}
    if not prices:
        return found
    for key, row in result.timed.items():
        rung = registry.BY_KEY.get(key)
        work = rung.work if rung else (others or {}).get(key)
        if work is None or (rung and not _on_cpu(rung, result.machine)):
            continue
        order = work.last_edge_first
        if order not in counted:
            counted[order] = counts.of(result.workload.polygon_xy, result.workload.shape, order)
        cores = max(1, min(row.threads or 1, result.machine.affinity or 1))
        limits = _limits(work, row, counted[order], prices, cores)
        if limits:
            found[key] = Limits(row, work, cores, limits)
    return found


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
    prices, pixels = result.yardstick.prices, result.workload.pixels
    fills = {mask: result.yardstick.fill_s(mask) for mask in YARDSTICK}
    if not pixels or not all(fills.values()) or not {"byte_s", "fill_call_s"} <= prices.keys():
        return {}
    return prices | {mask: _fill(seconds, pixels, prices) for mask, seconds in fills.items()}


def _fill(seconds, pixels, prices):
    """Return the price of a byte of the mask: memset's time, less that for a single byte.

    Of a small mask the difference is noise: there a byte costs what others do, which are in cache.
    """
    call, least = prices["fill_call_s"], prices["byte_s"]
    return max((seconds - call) / pixels, least) if seconds >= CLEAR * call else least


def _limits(work, row, count, prices, cores):
    """Return the row's limits, the largest first; nothing where a price is missing."""
    try:
        limits = (
            _memory(work, row, count, prices, cores),
            _arithmetic(work, count, prices, cores),
            _calls(work, row, count, prices),
            _launch(work, count, prices),
        )
    except KeyError:
        return ()
    return tuple(sorted((one for one in limits if one.seconds > 0), key=lambda one: -one.seconds))


def _memory(work, row, count, prices, cores):
    """The mask is written once, and other bytes pass at memset's rate, for each core."""
    mask = Item("mask_byte_s", count["pixels"], prices[row.mask])
    others = _bill({"byte_s": work.traffic}, count, prices)
    return Limit("memory", _total([mask, *others]) / cores, (mask, *others), cores)


def _arithmetic(work, count, prices, cores):
    """Units that multiply and add, and one that divides: they work at the same time."""
    operations = _bill(work.operations, count, prices)
    divisions = _bill(work.divisions, count, prices)
    seconds = max(_total(operations), _total(divisions)) / cores
    return Limit("arithmetic", seconds, operations + divisions, cores)


def _calls(work, row, count, prices):
    """Calls come one after the other, on one core; a single thread needs no team."""
    calls = {
        name: of for name, of in work.calls.items() if name != "team_s" or (row.threads or 1) > 1
    }
    bill = _bill(calls, count, prices)
    return Limit("calls", _total(bill), bill)


def _launch(work, count, prices):
    """What the host program does for the commands of a device; results of old have no price."""
    priced = {name: amount for name, amount in work.launch.items() if name in prices}
    bill = _bill(priced, count, prices)
    return Limit("launch", _total(bill), bill)


def _bill(amounts, count, prices):
    """Return an item for all of one price that is to be paid."""
    numbers = {
        price: sum(times * count[name] for name, times in amount.items())
        for price, amount in amounts.items()
    }
    return tuple(Item(price, number, prices[price]) for price, number in numbers.items() if number)


def _total(bill):
    return sum(item.seconds for item in bill)
