"""A headless Chromium, spoken to in its DevTools protocol through a pipe."""

import base64
import json
import os
import signal
import subprocess
import tempfile

CHROMIUM = os.environ.get("CHROMIUM", "chromium")


class Browser:
    """One window. `with Browser(390, 844, phone=True) as window: window.open("file:///…")`"""

    def __init__(self, width, height, phone=False):
        # A process of the browser's may write there until it is gone.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()

        def take_ends():
            # The browser reads its file 3 and writes its file 4.
            ends = os.dup(from_us), os.dup(to_us)
            for place, end in zip((3, 4), ends):
                os.dup2(end, place, inheritable=True)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder.name, "--no-first-run", "about:blank"],
            preexec_fn=take_ends, close_fds=False, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.output = os.fdopen(to_browser, "wb", buffering=0)
        self.input = os.fdopen(from_browser, "rb", buffering=0)
        self.rest = b""
        self.last = 0
        self.session = None
        self.events = []
        window = next(one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=window["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                 mobile=phone)
        if phone:
            # As Lighthouse has it for a phone of the middle class.
            self.ask("Emulation.setCPUThrottlingRate", rate=4)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.output.close()
        self.input.close()
        self.folder.cleanup()

    def ask(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.events.append(answer)

    def next(self):
        while b"\0" not in self.rest:
            more = self.input.read(65536)
            if not more:
                raise RuntimeError("the browser ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, url):
        """Goes there, and waits until all of it is loaded."""
        self.events = []
        self.ask("Page.navigate", url=url)
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self.next())

    def value(self, expression):
        """What JavaScript comes to."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "an exception"))
        return answer["result"].get("value")

    def picture(self, left, top, width, height):
        """A part of the page as PNG, in its own pixels."""
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
            "x": left, "y": top, "width": width, "height": height, "scale": 1})
        return base64.b64decode(answer["data"])
