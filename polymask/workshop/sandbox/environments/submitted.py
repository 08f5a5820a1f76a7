"""Notes of an answer's kernels in the SYCL queues of dpctl."""

import dpctl

from polymask.workshop.sandbox.environments import Environment

OWN = dpctl.SyclQueue


def install():
    """Note the work items of each kernel from now on."""
    Queue.environment = Environment()
    dpctl.SyclQueue = Queue
    return Queue.environment


class Queue(OWN):
    """A queue that notes kernels."""

    environment = None

    def submit_async(self, kernel, arguments, items, groups=None, dependencies=None):
        """Submit a kernel; `submit` calls this too, and waits."""
        self.environment.seen.append({"items": list(items)})
        return super().submit_async(kernel, arguments, items, groups, dependencies)
