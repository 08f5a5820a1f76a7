"""The measurement of the rungs; the entry point is `driver.measure`."""
