# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Internal breakpoints, which GDB does not list, for catchpoints."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

import gdb

from ompd_opencl.errors import OpenCLError

from .api_functions import Function

Thread = Tuple[int, int]  # inferior number and thread number

_waiting: List[Callable[[], gdb.Breakpoint]] = []
_made: List[gdb.Breakpoint] = []


def quietly(make: Callable[[], Any]) -> Any:
    """Create a breakpoint by MAKE, without GDB's message about a pending location."""
    _waiting.append(make)
    gdb.execute("python __import__(%r, fromlist=['x']).make_now()" % __name__, False, True)
    return _made.pop()


def make_now() -> None:
    """For quietly()."""
    _made.append(_waiting.pop()())


def selected_thread() -> Thread:
    """The stopped thread."""
    thread = gdb.selected_thread()
    return gdb.selected_inferior().num, thread.num if thread is not None else 0


def set_enabled(place: gdb.Breakpoint, is_wanted: bool) -> None:
    """Enable or disable PLACE; only changes are passed to GDB."""
    if place.enabled != is_wanted:
        place.enabled = is_wanted


def remove_disabled(places: Dict[Any, gdb.Breakpoint]) -> None:
    """Delete the PLACES that are not needed.  None may be deleted while GDB iterates over them."""
    for key, place in list(places.items()):
        if not place.enabled:
            places.pop(key).delete()


class AtFunction(gdb.Breakpoint):
    """A breakpoint at an OpenCL or recorder function, in any module.  COME may return whether to
    stop."""

    def __init__(self, function: Function, come: Callable[[Function], Optional[bool]]) -> None:
        super().__init__(function=function.name, qualified=True, internal=True)
        self._come = come
        self._function = function

    def stop(self) -> bool:
        """Called by GDB."""
        try:
            return bool(self._come(self._function))
        except (OpenCLError, gdb.error):
            return False  # ignore an unreadable frame


class AtAddress(gdb.Breakpoint):
    """A breakpoint at an address: a return address, or one in a callback."""

    def __init__(self, address: int, come: Callable[[int, gdb.Breakpoint], bool]) -> None:
        self._inferior = gdb.selected_inferior().num
        super().__init__("*%#x" % address, internal=True)
        self._come = come
        self._address = address

    def stay(self) -> None:
        """Disable the locations in other inferiors.  When GDB loads symbols of one, it adds the
        address there, where nothing may be mapped.  Before version 13, it cannot be prevented."""
        for location in getattr(self, "locations", ()):
            if location.enabled and self._inferior not in (location.thread_groups or ()):
                location.enabled = False

    def stop(self) -> bool:
        """Called by GDB."""
        try:
            return self._come(self._address, self)
        except (OpenCLError, gdb.error):
            return False


def _modified(place: gdb.Breakpoint) -> None:
    if isinstance(place, AtAddress):
        place.stay()


def follow_events() -> None:
    """Follow GDB's events for breakpoints."""
    gdb.events.breakpoint_modified.connect(_modified)
