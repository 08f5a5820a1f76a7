"""Measuring the rungs, honestly: `driver.measure` is the way in."""
