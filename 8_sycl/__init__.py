"""Rung 8: SYCL from Python."""
