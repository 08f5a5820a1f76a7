"""The page of promises shows the recorded figures and nothing else."""

import json
import re

import promises
from cases import folded
from checkouts import ROOT

FILES = sorted(promises.FOLDER.glob("*.json"))


def test_the_page_has_the_recorded_figures():
    page = promises.PAGE.read_text(encoding="utf-8")
    (figures,) = re.findall(r"<!-- table of results/promises -->\n(.*?)<!-- end", page, re.S)
    assert figures == promises.table(), "run `make promises`"


@folded("file", FILES)
def test_files_with_the_tests_exist(file):
    record = json.loads(file.read_text(encoding="utf-8"))
    assert [name for name in record["tests"] if not (ROOT / name).is_file()] == []
