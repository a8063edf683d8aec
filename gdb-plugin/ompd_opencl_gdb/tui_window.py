# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A window of GDB's TUI: the OpenCL objects, and their changes since the last stop.

`layout opencl` shows it between the source and the commands.  Objects are read only while it is
visible.
"""

from __future__ import annotations

from typing import List, Optional

import gdb

from ompd_opencl.changes import Stop, changes, look
from ompd_opencl.errors import OpenCLError
from ompd_opencl.terminal_text import columns, wrap

from .values import Values

_NAME = "opencl"
_TITLE = "OpenCL, and its changes since the last stop"
_LAYOUT = "tui new-layout opencl src 2 opencl 1 status 0 cmd 1"


class _Contents:
    """The lines of the window, shared by all windows of this GDB."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._before: Optional[Stop] = None
        self.heading: List[str] = []  # current contents
        self.lines: List[str] = []

    def look(self) -> None:
        """Read the objects after a stop or exit, or for a new window."""
        self.heading = []
        try:
            self.lines = self._changes()
        except (OpenCLError, gdb.error) as error:
            self._before = None
            self.lines = [str(error)]

    def _changes(self) -> List[str]:
        if self._values.reads_slowly():
            return ["Searching for objects at each stop takes too long over this connection."]
        session = self._values.session()
        self.heading = session.run("overview").splitlines()[:1]
        before, self._before = self._before, look(session)
        if self._before is None:
            return ["There are too many objects to compare."]
        if before is None:
            return ["Changes are shown from the next stop on."]
        return changes(before, self._before) or ["Nothing has changed since then."]

    def fitted(self, width: int, height: int) -> List[str]:
        """All lines, wrapped to fit.  A window of one or two lines shows only changes."""
        lines = [*self.heading, *self.lines] if height > 2 else self.lines
        return [part for line in lines for part in wrap(line, width, "  ")]


def _padded(line: str, width: int) -> str:
    return line + " " * (width - columns(line))


class _Window:
    """One window, while its layout is shown."""

    def __init__(self, window: gdb.TuiWindow, contents: _Contents) -> None:
        self._window = window
        self._contents = contents
        self._first = 0  # number of the line at the top
        window.title = _TITLE
        contents.look()
        gdb.events.stop.connect(self._stopped)
        gdb.events.exited.connect(self._stopped)

    def close(self) -> None:
        """Called by GDB."""
        gdb.events.stop.disconnect(self._stopped)
        gdb.events.exited.disconnect(self._stopped)

    def render(self) -> None:
        """Called by GDB, which later draws the window above over this title."""
        self._draw()
        gdb.post_event(self._draw)

    def _draw(self) -> None:
        """Write the lines that fit."""
        if not self._window.is_valid():
            return
        width, height = self._window.width, self._window.height
        lines = self._contents.fitted(width, height)
        self._first = max(0, min(self._first, len(lines) - height))
        shown = lines[self._first : self._first + height]
        self._window.title = _TITLE
        if len(shown) < len(lines):
            self._window.title += " (from line %d of %d)" % (self._first + 1, len(lines))
        # In one write: this redraws the frame with the title, too.
        self._window.write("".join(_padded(line, width) for line in shown), True)

    def vscroll(self, lines: int) -> None:
        """Called by GDB."""
        self._first = max(0, self._first + lines)
        self._draw()

    def _stopped(self, _event: object) -> None:
        # Read memory after GDB has reported the stop or exit itself.
        gdb.post_event(self._look)

    def _look(self) -> None:
        self._contents.look()
        self._first = 0
        self._draw()


def install(values: Values) -> None:
    """Register the window and its layout, unless GDB has no TUI."""
    if not hasattr(gdb, "register_window_type"):
        return
    contents = _Contents(values)
    gdb.register_window_type(_NAME, lambda window: _Window(window, contents))
    try:
        gdb.execute(_LAYOUT, to_string=True)
    except gdb.error:
        pass  # the user has a layout with this name
