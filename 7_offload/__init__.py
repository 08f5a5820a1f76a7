"""Rung 7: an offload runtime."""
