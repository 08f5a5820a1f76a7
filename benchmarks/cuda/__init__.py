"""Masks that stay on an NVIDIA GPU: `polymask.cuda`, and work on the CPU beside it."""
