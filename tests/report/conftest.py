"""Fixtures that several files of tests of the report use."""

import copy

import pytest


@pytest.fixture
def changed(committed):
    """A copy of the file's committed result, that a test may change."""
    return copy.deepcopy(committed)
