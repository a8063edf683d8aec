# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Count how often any process opens files of a folder."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Dict

OPEN = 0x20
CLOSE = 0x08 | 0x10  # so that two events are not merged into one
_EVENT = struct.Struct("iIII")  # and a name


class Opens:
    """Files that are opened in a folder from now on."""

    def __init__(self, folder: str) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self.queue = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if library.inotify_add_watch(self.queue, os.fsencode(folder), OPEN | CLOSE) < 0:
            raise OSError(ctypes.get_errno(), folder)

    def take(self) -> Dict[str, int]:
        """How often each file was opened since the last time."""
        counts: Dict[str, int] = {}
        while True:
            try:
                events = os.read(self.queue, 65536)
            except BlockingIOError:
                return counts
            while events:
                _, mask, _, size = _EVENT.unpack_from(events)
                name = events[_EVENT.size : _EVENT.size + size].rstrip(b"\0").decode()
                if mask & OPEN and name:
                    counts[name] = counts.get(name, 0) + 1
                events = events[_EVENT.size + size :]

    def close(self) -> None:
        """Watch no more."""
        os.close(self.queue)
