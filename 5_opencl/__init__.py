"""Rung 5: an OpenCL device."""
