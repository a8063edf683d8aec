# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium, driven by its DevTools protocol over a pair of pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from typing import Any, Dict, List, Optional

from harness import TIME_LIMIT, Skip

_NAMES = ("chromium", "chromium-browser", "google-chrome")


class Browser:
    """One page in a browser of its own; use it in a `with`."""

    def __init__(self) -> None:
        found = [path for path in (shutil.which(name) for name in _NAMES) if path is not None]
        if not found:
            raise Skip("Chromium is not installed")
        self._path = found[0]
        self.complaints: List[str] = []  # of the page, in the console
        self._events: List[Dict[str, Any]] = []
        self._rest = b""
        self._number = 0
        self._session: Optional[str] = None

    def __enter__(self) -> "Browser":
        # The browser reads from its descriptor 3 and writes to 4.
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        self._profile = tempfile.mkdtemp()

        def place() -> None:
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(  # pylint: disable=consider-using-with
            [
                self._path,
                "--headless=new",
                "--no-sandbox",  # root may not have one
                "--disable-gpu",
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--remote-debugging-pipe",
                "--user-data-dir=" + self._profile,
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=place,
            close_fds=False,
        )
        os.close(to_browser)
        os.close(from_browser)
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")
        return self

    def __exit__(self, *_exception: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _receive(self) -> Dict[str, Any]:
        end = time.monotonic() + TIME_LIMIT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            part = os.read(self._in, 1 << 20) if ready else b""
            if not part:
                raise AssertionError("the browser says nothing")
            self._rest += part
        line, self._rest = self._rest.split(b"\0", 1)
        message: Dict[str, Any] = json.loads(line)
        self._take(message)
        return message

    def _take(self, message: Dict[str, Any]) -> None:
        """Record the contents of MESSAGE about the page."""
        method, told = message.get("method", ""), message.get("params", {})
        if method == "Log.entryAdded":
            self.complaints.append(str(told["entry"]["text"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(told["args"]))
        elif method == "Network.requestWillBeSent":
            self._events.append(message)
        elif method:
            self._events.append(message)

    def ask(self, method: str, **parameters: Any) -> Dict[str, Any]:
        """The answer of the browser."""
        self._number += 1
        question: Dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            question["sessionId"] = self._session
        os.write(self._out, json.dumps(question).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == self._number:
                if "error" in message:
                    raise AssertionError("%s: %s" % (method, message["error"]))
                result: Dict[str, Any] = message["result"]
                return result

    def open(self, path: str) -> float:
        """Open the page in the file PATH; returns the seconds until it is there, its script run."""
        self._events.clear()
        begin = time.monotonic()
        self.ask("Page.navigate", url="file://" + path)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._receive()
        # Its first picture, too.
        self.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        return time.monotonic() - begin

    def requests(self) -> List[str]:
        """The requests of the page, including the one for itself."""
        return [
            event["params"]["request"]["url"]
            for event in self._events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def evaluate(self, expression: str) -> Any:
        """The value of EXPRESSION in the page; a promise is resolved."""
        answer = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError("%s: %s" % (expression, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key of the keyboard."""
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    def show(self, scheme: str, width: int, height: int) -> None:
        """Have the page in a colour scheme, "dark" or "light", and a window so large."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", features=features)
        size = {"width": width, "height": height}
        self.ask("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, mobile=False, **size)

    def picture(self, path: str, is_whole: bool = False) -> None:
        """Put a picture of the page into the file PATH."""
        answer = self.ask("Page.captureScreenshot", captureBeyondViewport=is_whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))
