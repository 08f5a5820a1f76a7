"""Fixtures for several tests of the report."""

import copy

import chromium
import pytest
from pages import PAGES

from ladder.report.page import page


@pytest.fixture
def draft(committed):
    """A copy of the file's committed result, which a test may change."""
    return copy.deepcopy(committed)


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests that need it."""
    with chromium.Browser() as instance:
        yield instance


@pytest.fixture(scope="session", params=PAGES)
def address(request, tmp_path_factory):
    """The address of a page of each kind."""
    file = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    page.write(PAGES[request.param](), file)
    return file.as_uri()


@pytest.fixture(scope="session")
def page_url(tmp_path_factory):
    """The address of the committed result's page."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    page.write(PAGES["committed"](), file)
    return file.as_uri()
