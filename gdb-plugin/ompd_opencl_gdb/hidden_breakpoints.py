# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breakpoints that GDB does not list, by which catchpoints see what happens."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import gdb

from ompd_opencl.errors import OpenCLError

from .api_functions import Function

Thread = Tuple[int, int]  # the numbers of an inferior and of a thread

_waiting: List[Callable[[], gdb.Breakpoint]] = []
_made: List[gdb.Breakpoint] = []


def quietly(make: Callable[[], Any]) -> Any:
    """The breakpoint that MAKE makes, without what GDB says of a place that is not there yet."""
    _waiting.append(make)
    gdb.execute("python __import__(%r, fromlist=['x']).make_now()" % __name__, False, True)
    return _made.pop()


def make_now() -> None:
    """For quietly()."""
    _made.append(_waiting.pop()())


def selected_thread() -> Thread:
    """The thread that GDB has stopped."""
    thread = gdb.selected_thread()
    return gdb.selected_inferior().num, thread.num if thread is not None else 0


def set_enabled(place: gdb.Breakpoint, is_wanted: bool) -> None:
    """Have PLACE seen, or not: GDB is told of changes alone."""
    if place.enabled != is_wanted:
        place.enabled = is_wanted


def remove_disabled(places: Dict[Any, gdb.Breakpoint]) -> None:
    """Take away those of PLACES that are not needed.  None may go while GDB looks through all."""
    for key, place in list(places.items()):
        if not place.enabled:
            places.pop(key).delete()


class AtFunction(gdb.Breakpoint):
    """At a function of OpenCL's, or of the recorder's, wherever it is loaded."""

    def __init__(self, function: Function, come: Callable[[Function], None]) -> None:
        super().__init__(function=function.name, qualified=True, internal=True)
        self._come = come
        self._function = function

    def stop(self) -> bool:
        """Called by GDB."""
        try:
            self._come(self._function)
        except (OpenCLError, gdb.error):
            pass  # a frame that cannot be read tells nothing
        return False


class AtAddress(gdb.Breakpoint):
    """At an address: one that calls return to, or in a callback."""

    def __init__(self, address: int, come: Callable[[int, gdb.Breakpoint], bool]) -> None:
        super().__init__("*%#x" % address, internal=True)
        self._come = come
        self._address = address

    def stop(self) -> bool:
        """Called by GDB."""
        try:
            return self._come(self._address, self)
        except (OpenCLError, gdb.error):
            return False
