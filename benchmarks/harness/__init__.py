"""Contenders on scenes: what the benchmarks many, cuda and large have in common."""
