"""Measuring the rungs; the entry point is `driver.measure`."""
