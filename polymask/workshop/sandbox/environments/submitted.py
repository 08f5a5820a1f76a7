"""What an answer submits to SYCL queues of dpctl's: noted."""

import dpctl

from polymask.workshop.sandbox.environments import Environment

OWN = dpctl.SyclQueue


def install():
    """Let queues note of each kernel its work items, from now on."""
    Queue.environment = Environment()
    dpctl.SyclQueue = Queue
    return Queue.environment


class Queue(OWN):
    """A queue that tells of kernels."""

    environment = None

    def submit_async(self, kernel, arguments, items, groups=None, dependencies=None):
        """Submit a kernel; `submit` calls this too, and waits."""
        self.environment.seen.append({"items": list(items)})
        return super().submit_async(kernel, arguments, items, groups, dependencies)
