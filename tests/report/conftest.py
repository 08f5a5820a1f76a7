"""Fixtures that several files of tests of the report use."""

import copy

import chromium
import pytest
from pages import PAGES

from polymask.report.page import page


@pytest.fixture
def changed(committed):
    """A copy of the file's committed result, that a test may change."""
    return copy.deepcopy(committed)


@pytest.fixture(scope="session")
def browser():
    """A browser, for all tests that want one."""
    with chromium.Browser() as opened:
        yield opened


@pytest.fixture(scope="session", params=PAGES)
def address(request, tmp_path_factory):
    """The address of a page, of each kind."""
    file = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    page.write(PAGES[request.param](), file)
    return file.as_uri()


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The address of the committed result's page."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    page.write(PAGES["committed"](), file)
    return file.as_uri()
