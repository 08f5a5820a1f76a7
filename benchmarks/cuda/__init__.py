"""Masks that stay on an NVIDIA GPU: the bars of `polymask.cuda`, and work on the CPU beside it."""
