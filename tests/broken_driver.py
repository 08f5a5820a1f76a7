"""PoCL made to fail: it refuses every build if POCL_EXTRA_BUILD_FLAGS is nonsense.

As it does on a processor that it does not know.
"""

BROKEN = {"POCL_EXTRA_BUILD_FLAGS": "-nonsense"}
COMPILER = "Invalid build option: -nonsense"  # PoCL's own words
