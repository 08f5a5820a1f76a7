"""Committed results, and a reader of the pages that are made of results."""

from html.parser import HTMLParser

from checkouts import ROOT

from polymask.report import results

STEM = "2026-11-21-amd-epyc"
VOID = {"meta", "br", "img", "input", "link", "hr"}


def load(name=STEM):
    file = ROOT / "results" / f"{name}.json"
    return results.Named(file.name, results.load(file)[0])


class Reader(HTMLParser):
    """Reads a page, and refuses tags that are not closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.words, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
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
