"""Launches that begin only after a delay, on any device, which shows missing waits."""

import threading

import pyopencl as cl

COMPLETE = cl.command_execution_status.COMPLETE


class Delay:
    """An event that launches wait for; it is set after `seconds`, or when released."""

    def __init__(self, context, seconds):
        self.event, self.lock, self.is_set = cl.UserEvent(context), threading.Lock(), False
        self.timer = threading.Timer(seconds, self.set)
        self.timer.start()

    def set(self):
        """Set the event, so that launches begin; return whether it was set before."""
        with self.lock:
            was_set, self.is_set = self.is_set, True
            if not was_set:
                self.event.set_status(COMPLETE)
        return was_set

    def let_go(self):
        """Set the event now; return whether it was set before."""
        self.timer.cancel()
        return self.set()
