"""The phases of a command, read from its event, in seconds and GB/s."""

import numpy as np
import pyopencl as cl


def profiling_queue(context):
    """Return a queue whose events record their times."""
    return cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)


def phases(event):
    """Wait for an event, and return the seconds of its three phases, a dict.

    "queued": in the queue of the host, until it is submitted to the device. "submitted": on the
    device, until it begins. "running": until it ends.
    """
    event.wait()
    profile = event.profile
    times = profile.queued, profile.submit, profile.start, profile.end
    names = "queued", "submitted", "running"
    return {name: 1e-9 * (times[i + 1] - times[i]) for i, name in enumerate(names)}


def bandwidth(event, n_bytes):
    """Return the bandwidth of a copy of `n_bytes`, in GB/s (1e9 bytes per second)."""
    return 1e-9 * n_bytes / phases(event)["running"]


def main():
    """Print the times of copies of several sizes, to the device and back."""
    from ladder.opencl import pixels

    context = pixels.context()
    queue = profiling_queue(context)
    print(f"{'bytes':>12} {'':8} {'queued':>10} {'submitted':>10} {'running':>10} {'GB/s':>8}")
    for n_bytes in (1, 10**3, 10**5, 10**7, 10**8):
        h_data = np.ones(n_bytes, np.uint8)
        d_data = cl.Buffer(context, cl.mem_flags.READ_WRITE, n_bytes)
        for name, pair in (("send", (d_data, h_data)), ("fetch", (h_data, d_data))):
            for _ in range(2):  # the first copy may have to allocate the memory
                event = cl.enqueue_copy(queue, *pair, is_blocking=False)
                times = phases(event)
            columns = " ".join(f"{1e6 * seconds:7.1f} us" for seconds in times.values())
            print(f"{n_bytes:12} {name:8} {columns} {bandwidth(event, n_bytes):8.2f}")


if __name__ == "__main__":
    main()
