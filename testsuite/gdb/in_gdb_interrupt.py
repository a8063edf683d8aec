# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: press Ctrl-C while the library allocates memory or reports progress."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import Any, Callable

# The plugin's modules, which exist in GDB alone.
plugin_package: Any = import_module("ompd_opencl_gdb")
callbacks: Any = import_module("ompd_opencl.callbacks")


class Presser:
    """Stands where callbacks look for Ctrl-C: at each read and each step of a search."""

    def __init__(self, is_interrupted: Callable[[], bool]) -> None:
        self._is_interrupted = is_interrupted
        self._at = 0
        self.looks = 0
        self.searched = 0  # looks until a search told of its progress last

    def begin(self, at: int) -> None:
        """Let the next command read everything again, and press Ctrl-C at read number AT; 0 is
        never."""
        self.looks = 0
        self.searched = 0
        self._at = at
        plugin_package._plugin.sessions.drop_all()

    def __call__(self) -> bool:
        self.looks += 1
        if sys._getframe(1).f_code.co_name == "_progress":
            self.searched = self.looks
        if self.looks == self._at:
            signal.raise_signal(signal.SIGINT)
        return self._is_interrupted()


presser = Presser(callbacks.is_interrupted)
callbacks.is_interrupted = presser


def tell_looks(name: str) -> None:
    """Print how often the last command looked for Ctrl-C, and how often while it searched."""
    print("LOOKS %s %d %d" % (name, presser.looks, presser.searched))
