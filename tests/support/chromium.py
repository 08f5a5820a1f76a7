"""A headless Chromium, driven through its DevTools protocol over two pipes; needs no package.

Messages are JSON, each terminated by a zero byte. A command carries a number that its answer
repeats; events carry none.
"""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0
# Replaces itself with the browser, which expects its pipes at descriptors 3 and 4.
PLACE = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, descriptor in zip(ends, (3, 4)):
    os.dup2(end, descriptor)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find():
    """Return the path of the browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A page in its own browser, with a temporary profile.

    Attributes
    ----------
    complaints : list of str
        Console errors and warnings, and exceptions.
    requests : list of str
        Addresses that the page requested.
    """

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="chromium-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"]
        options += ["--no-first-run", f"--user-data-dir={self.profile.name}", "--hide-scrollbars"]

        self.process = subprocess.Popen(
            [sys.executable, "-c", PLACE, str(to_read), str(to_write), find(), *options],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.count, self.rest, self.session = 0, b"", None
        self.complaints, self.requests, self.loaded = [], [], False

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        """Open an empty page and subscribe to its events."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(PATIENCE)
        os.close(self.write_end)
        os.close(self.read_end)
        # child processes may still write to the profile while they exit
        shutil.rmtree(self.profile.name, ignore_errors=True)
        self.profile.cleanup()

    def send(self, method, **parameters):
        """Send a command and return its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                break
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def receive(self):
        """Return the next message; record what it reports about the page."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.read_end, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self.rest += chunk
        raw, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(raw)
        event, details = message.get("method"), message.get("params", {})
        if event == "Page.loadEventFired":
            self.loaded = True
        elif event == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif event == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
            self.complaints.append(str(details["args"]))
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(str(details["exceptionDetails"]))
        elif event == "Log.entryAdded":
            self.complaints.append(details["entry"]["text"])
        return message

    def open(self, address, width=1280, height=900, phone=False):
        """Open an address in a window of that size, and wait until it is loaded."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        self.loaded = False
        self.send("Page.navigate", url=address)
        while not self.loaded:
            self.receive()

    def evaluate(self, code):
        """Return the value of a JavaScript expression; a promise is awaited."""
        answer = self.send(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, code):
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(code):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {code}")

    def media(self, kind="", **features):
        """Emulate a medium such as `kind="print"`, or a reader's preferences."""
        preferences = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self.send("Emulation.setEmulatedMedia", media=kind, features=preferences)
