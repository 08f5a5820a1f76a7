"""The cost model: prices of operations on this machine, and counts of the operations of a mask."""
