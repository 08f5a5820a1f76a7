"""Results to make HTML pages from, and a parser of such pages."""

import copy
from html.parser import HTMLParser

from checkouts import ROOT
from mended import change

from ladder.bench import driver
from ladder.bench.plan import Plan
from ladder.bench.result import Sweep
from ladder.registry import workload
from ladder.report import results

STEM = "2026-11-21-amd-epyc"
VOID = {"meta", "br", "img", "input", "link", "hr"}


def load(name=STEM):
    file = ROOT / "results" / f"{name}.json"
    return results.Named(file.name, results.load(file)[0])


def load_all(*suffixes):
    return [load(f"{STEM}{suffix}") for suffix in suffixes]


def small():
    """Return a new result, and a copy as if from another machine."""
    keys = ["python.tuples", "cclass.polygon", "openmp.prange", "scanline.engine"]
    measured = driver.measure(Plan(keys, workload.polygon(8, (24, 32)), (24, 32), seconds=0))
    other = copy.deepcopy(measured)
    change(other.machine, cpu="Another Processor of a Long Name, 12345X @ 2.70GHz", cores=99)
    return [results.Named("here.json", measured), results.Named("there.json", other)]


def threads():
    (base,) = load_all("")
    measured = []
    for count in (1, 2, 4, 8):
        result = copy.deepcopy(base.result)
        for row in result.rows:
            factor = 0.1 + 0.9 / count
            row.samples_s = [factor * sample for sample in row.samples_s]
            row.median_s *= factor
        measured.append(result)
    sweep = Sweep(over="threads", values=[1, 2, 4, 8], results=measured)
    return [results.Named("threads.json", sweep)]


PAGES = {
    "committed": lambda: load_all("", "-sweep-size", "-sweep-vertices"),
    "peers": lambda: load_all("-peers-1024-24", "-peers-8192-10000"),
    "small": small,
    "threads": threads,
}


class Reader(HTMLParser):
    """A parser of a page that rejects tags closed in the wrong order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.words, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append((tag, values))
        self.ids += [values["id"]] if "id" in values else []
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(text)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())
