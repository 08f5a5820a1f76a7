"""Launches that begin only after a delay on any device, which shows missing waits."""

import threading

import pyopencl as cl

COMPLETE = cl.command_execution_status.COMPLETE


class Delay:
    """An event that launches wait for; it occurs after `seconds`, or when released."""

    def __init__(self, context, seconds):
        self.event, self.lock, self.came = cl.UserEvent(context), threading.Lock(), False
        self.timer = threading.Timer(seconds, self.come)
        self.timer.start()

    def come(self):
        """Set the event, so that launches begin; return whether it was set before."""
        with self.lock:
            came, self.came = self.came, True
            if not came:
                self.event.set_status(COMPLETE)
        return came

    def let_go(self):
        """Set the event now; return whether it was set before."""
        self.timer.cancel()
        return self.come()
