# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GDB on its own terminal, for interactive use: paging and Ctrl-C."""

from __future__ import annotations

import os
import pty
import select
import signal
import time
from typing import Dict, List

from harness import TIME_LIMIT


class Terminal:
    """A GDB that talks to a pseudo-terminal."""

    PROMPT = "(ready) "

    def __init__(self, line: List[str], variables: Dict[str, str], kind: str = "dumb") -> None:
        self._read = ""
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.execvpe(line[0], line, dict(variables, TERM=kind))

    def read_until(self, text: str) -> str:
        """GDB's output up to and including TEXT."""
        end = time.monotonic() + TIME_LIMIT
        while text not in self._read:
            ready, _, _ = select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise AssertionError("GDB never wrote %r: %s" % (text, self._read[-2000:]))
            try:
                part = os.read(self._terminal, 65536)
            except OSError:
                part = b""
            if not part:
                raise AssertionError("GDB ended before %r: %s" % (text, self._read[-2000:]))
            self._read += part.decode("utf-8", "replace")
        place = self._read.index(text) + len(text)
        result, self._read = self._read[:place], self._read[place:]
        return result.replace("\r\n", "\n")

    def send(self, text: str) -> None:
        """Type TEXT; "\\x03" is Ctrl-C."""
        os.write(self._terminal, text.encode())

    def command(self, text: str) -> str:
        """Type a command and return its output up to the next prompt."""
        self.send(text + "\n")
        self.read_until("\n")  # the terminal's echo
        printed = self.read_until(self.PROMPT)
        return printed[: -len(self.PROMPT)]

    def close(self) -> int:
        """End GDB; its exit status."""
        self.send("kill\nquit\n")
        try:
            while os.read(self._terminal, 65536):
                pass
        except OSError:
            pass
        os.close(self._terminal)
        status = os.waitpid(self._pid, 0)[1]
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)

    def abandon(self) -> None:
        """End GDB whatever it does."""
        os.kill(self._pid, signal.SIGKILL)
