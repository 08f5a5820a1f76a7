"""Launches that begin only after a while, whatever the device: who does not wait for them shows."""

import threading

import pyopencl as cl

COMPLETE = cl.command_execution_status.COMPLETE


class Held:
    """An event for launches to wait for, which comes so many seconds from now, or when let go."""

    def __init__(self, context, seconds):
        self.event, self.lock, self.came = cl.UserEvent(context), threading.Lock(), False
        self.timer = threading.Timer(seconds, self.come)
        self.timer.start()

    def come(self):
        """Let what waits for it begin; return whether it had come before."""
        with self.lock:
            came, self.came = self.came, True
            if not came:
                self.event.set_status(COMPLETE)
        return came

    def let_go(self):
        """Let it come now; return whether it had come before."""
        self.timer.cancel()
        return self.come()
