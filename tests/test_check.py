"""`make check` chooses the tests that depend on an edited file."""

import check
import pytest


@pytest.mark.parametrize(
    ("edited", "chosen"),
    [
        ("tests/library/test_watertight.py", "tests/library/test_watertight.py"),
        ("polymask/forms/ragged.py", "tests/library/test_ragged.py"),
        ("4_openmp/prange.pyx", "tests/ladder/test_openmp.py"),
    ],
)
def test_an_edited_file_leads_to_its_tests(root, edited, chosen):
    assert root / chosen in check.near({root / edited})
