# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A text screen that GDB draws on, as its user sees it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from typing import Callable, Dict, List

from harness import TIME_LIMIT, Skip

try:
    import pyte
except ImportError:
    pyte = None


class Screen:
    """A GDB at a terminal of so many lines and columns."""

    def __init__(
        self, line: List[str], variables: Dict[str, str], lines: int, columns: int
    ) -> None:
        if pyte is None:
            raise Skip("pyte is not installed")
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._pid, self._terminal = pty.fork()
        size = struct.pack("HHHH", lines, columns, 0, 0)
        if self._pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvpe(line[0], line, dict(variables, TERM="linux"))

    def text(self) -> str:
        """All lines."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait(self, is_there: Callable[[str], bool]) -> str:
        """Read GDB's screen until IS_THERE is true of its text, and return that."""
        end = time.monotonic() + TIME_LIMIT
        while not is_there(self.text()):
            ready, _, _ = select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))
            part = b""
            if ready:
                try:
                    part = os.read(self._terminal, 65536)
                except OSError:
                    pass  # GDB has ended
            if not part:
                raise AssertionError("It is never drawn:\n" + self.text())
            self._stream.feed(part)
        return self.text()

    def send(self, text: str) -> None:
        """Type a line."""
        os.write(self._terminal, text.encode() + b"\n")

    def end(self) -> None:
        """End GDB, and the program with it."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)
