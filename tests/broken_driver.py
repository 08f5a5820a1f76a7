"""Drivers made to fail.

PoCL refuses every build if POCL_EXTRA_BUILD_FLAGS is nonsense, as it does on a processor that it
does not know.
"""

BROKEN = {"POCL_EXTRA_BUILD_FLAGS": "-nonsense"}
COMPILER = "Invalid build option: -nonsense"  # PoCL's own words


class Driver:
    """PyOpenCL, of which some functions are others."""

    def __init__(self, **functions):
        self.__dict__ |= functions

    def __getattr__(self, name):
        import pyopencl

        return getattr(pyopencl, name)


def giving_up(code):
    """Return a function that fails as those of a device do that is out of memory, or gone."""

    def gives_up(*arguments, **options):
        import pyopencl as cl

        record = cl._cl._ErrorRecord("clSomething", int(getattr(cl.status_code, code)), "")
        kinds = {"MEM_OBJECT_ALLOCATION_FAILURE": cl.MemoryError}
        raise kinds.get(code, cl.RuntimeError)(record)

    return gives_up
