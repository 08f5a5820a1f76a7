"""The cost model: what things cost on this machine, and how many of them a mask takes."""
