"""Masks that stay on an NVIDIA GPU: the bars of `polymask.cuda`, and other libraries beside it."""
