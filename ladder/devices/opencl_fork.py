"""Driver objects in a forked process, which must not release them.

Parent and child share the connection to some drivers. With NVIDIA's, a release in the child
destroys the parent's object, and the parent's next call fails with INVALID_COMMAND_QUEUE. The child
cannot use the objects in any case.
"""

import ctypes
import gc
import sys

HOLDERS = []  # types of objects that refer to events, which the garbage collector does not track


def keep_driver_objects():
    """Add a reference to each object of PyOpenCL, so that not even Python's exit releases it."""
    cl = sys.modules.get("pyopencl")
    if cl is None:
        return
    bases = cl.Context, cl.CommandQueue, cl.MemoryObjectHolder, cl.Program, cl.Kernel, cl.Event
    frozen = gc.get_freeze_count()
    if frozen:
        gc.unfreeze()  # as frozen objects are not listed
    objects = gc.get_objects()
    if frozen:
        gc.freeze()
    types = {each for each in set(map(type, objects)) if issubclass(each, (*bases, *HOLDERS))}
    for candidate in objects:
        if type(candidate) in types:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(candidate))
