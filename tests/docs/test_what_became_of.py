"""The page "what became of": today's names exist."""

import pkgutil
import re

import documents
import pytest
from cases import folded

NAMES = sorted(
    {
        name
        for _, today, _ in documents.rows(documents.read("what_became_of.md"))
        for name in re.findall(r"`((?:numba|cupyx?|cuda|dpctl|dpnp)(?:\.\w+)+)`", today)
    }
)


@folded("name", NAMES)
def test_todays_names_exist(name):
    package = name.partition(".")[0]
    if package == "cuda":  # cuda.compute has no names without a GPU
        documents.need("cuda.compute")
    if not documents.installed(package):
        pytest.skip(f"the package {package} is not installed")
    assert pkgutil.resolve_name(name) is not None
