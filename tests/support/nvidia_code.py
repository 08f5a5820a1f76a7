"""Checks of code for NVIDIA's GPUs."""

import re


def assert_exact(ptx):
    """Check that the rule's division rounds as in IEEE 754, and that nothing is fused."""
    assert "div.rn.f64" in ptx
    assert re.search(r"mul(\.rn)?\.f64", ptx)
    assert re.search(r"add(\.rn)?\.f64", ptx)
    assert not re.search(r"\bfma\b|\bmad\.\S*f64|\.ftz|div\.(full|approx)", ptx)
