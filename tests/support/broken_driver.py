"""Broken drivers.

PoCL rejects every build if POCL_EXTRA_BUILD_FLAGS is invalid, just as it does for an unknown
processor.
"""

BROKEN = {"POCL_EXTRA_BUILD_FLAGS": "-nonsense"}
COMPILER = "Invalid build option: -nonsense"  # PoCL's own message


class Driver:
    """PyOpenCL with some of its functions replaced."""

    def __init__(self, **functions):
        self.__dict__ |= functions

    def __getattr__(self, name):
        import pyopencl

        return getattr(pyopencl, name)


def giving_up(code):
    """Return a function that fails like a call to a device that is lost or out of memory."""

    def gives_up(*arguments, **options):
        import pyopencl as cl

        record = cl._cl._ErrorRecord("clSomething", int(getattr(cl.status_code, code)), "")
        kinds = {"MEM_OBJECT_ALLOCATION_FAILURE": cl.MemoryError}
        raise kinds.get(code, cl.RuntimeError)(record)

    return gives_up
