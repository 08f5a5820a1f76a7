"""The cost model: prices of operations on this machine, and how many of them a mask takes."""
