# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor as GDB sees it: a client of the Debug Adapter Protocol, which GDB 14 and later support.
"""

from __future__ import annotations

import json
import subprocess
import threading
from types import TracebackType
from typing import Any, Dict, List, Optional, Type

from harness import GDB, PLUGIN, TIME_LIMIT, Skip

Body = Dict[str, Any]


def _runs(code: str) -> bool:
    """Whether GDB's Python runs CODE."""
    found = subprocess.run(
        [GDB, "-batch", "-nx", "-ex", "python " + code],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    return not found.stderr


def need_cores() -> None:
    """Skip the test where GDB opens no core for an editor: before version 17."""
    if not _runs("import gdb.dap.launch as l, inspect; inspect.getsource(l).index('coreFile')"):
        raise Skip("this GDB opens no core by the Debug Adapter Protocol")


class Editor:
    """One session with GDB and the plugin."""

    def __init__(self, variables: Dict[str, str]) -> None:
        if not _runs("import gdb.dap"):
            raise Skip("this GDB does not speak the Debug Adapter Protocol")
        self._process = subprocess.Popen(
            [GDB, "-nx", "-q", "-i=dap", "-iex", "source " + PLUGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=variables,
        )
        self._timer = threading.Timer(TIME_LIMIT, self._process.kill)
        self._timer.start()
        self._number = 0
        self._events: List[Body] = []

    def __enter__(self) -> "Editor":
        return self

    def __exit__(
        self,
        _kind: Optional[Type[BaseException]],
        _error: Optional[BaseException],
        _trace: Optional[TracebackType],
    ) -> None:
        self._timer.cancel()
        self._process.kill()
        self._process.communicate()

    def send(self, command: str, **arguments: Any) -> int:
        """Send a request and do not wait for its response; returns its number."""
        self._number += 1
        message = {
            "seq": self._number,
            "type": "request",
            "command": command,
            "arguments": arguments,
        }
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()
        return self._number

    def ask(self, command: str, **arguments: Any) -> Body:
        """The body of the response to a request, which must succeed."""
        return self.response(self.send(command, **arguments))

    def response(self, number: int) -> Body:
        """The body of the response to the request of this number, which must succeed."""
        while True:
            message = self._read()
            if message["type"] == "event":
                self._events.append(message)
            elif message.get("request_seq") == number:
                assert message["success"], message
                body: Body = message.get("body") or {}
                return body

    def event(self, name: str) -> Body:
        """The body of the next event of this name."""
        while True:
            for message in self._events:
                if message["event"] == name:
                    self._events.remove(message)
                    body: Body = message.get("body") or {}
                    return body
            message = self._read()
            if message["type"] == "event":
                self._events.append(message)

    def variables(self, reference: int) -> Dict[str, Body]:
        """The members of an expanded value, by their names."""
        found = self.ask("variables", variablesReference=reference)["variables"]
        return {variable["name"]: variable for variable in found}

    def quit(self) -> None:
        """End the session, and the program with it."""
        self.ask("disconnect", terminateDebuggee=True)

    def _read(self) -> Body:
        assert self._process.stdout is not None
        size = 0
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise AssertionError("GDB has ended")
            if not line.strip():
                break
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                size = int(value)
        message: Body = json.loads(self._process.stdout.read(size))
        return message
