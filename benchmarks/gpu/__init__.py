"""`make gpu`: everything that needs an NVIDIA GPU, in one run of a few minutes.

It uses the standard library only, as it begins before any package is installed.
"""
