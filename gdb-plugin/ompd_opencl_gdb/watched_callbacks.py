# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Callbacks for catchpoints: "destructor" and "svm-free".

The callback functions are learned when the program registers them.  Earlier registrations are read
from the recorder or a layout.
"""

from __future__ import annotations

from typing import Dict, Sequence, Tuple

import gdb

from ompd_opencl.errors import OpenCLError

from . import api_functions, machine
from .api_functions import Function
from .callback_bodies import CallbackBodies
from .catch_options import Thing
from .catchpoints import Catchpoints
from .hidden_breakpoints import AtAddress, AtFunction, quietly, remove_disabled, set_enabled
from .things import pointers_of, thing_of
from .values import Values

EVENTS = ("destructor", "svm-free")
# The callbacks' parameters: object and user data; queue, count, pointers and user data.
_PARAMETERS = {"destructor": "ww", "svm-free": "wiww"}
_MOST_POINTERS = 64  # to be read


class WatchedCallbacks:
    """The watched functions of all inferiors."""

    def __init__(self, values: Values, catchpoints: Catchpoints) -> None:
        self._values = values
        self._catchpoints = catchpoints
        self._entries: Dict[str, gdb.Breakpoint] = {}
        self._functions: Dict[Tuple[str, int, int], gdb.Breakpoint] = {}
        self._bodies = CallbackBodies()
        self._events: Sequence[str] = ()

    def watch(self, events: Sequence[str]) -> None:
        """Watch the callbacks of EVENTS, and no others."""
        self._events = events
        for event in EVENTS:
            is_wanted = event in events
            for function in api_functions.registering(event):
                self._watch_registration(event, function, is_wanted)
        for (event, _space, _address), place in self._functions.items():
            set_enabled(place, event in events)

    def _watch_registration(self, event: str, function: Function, is_wanted: bool) -> None:
        entry = self._entries.get(function.name)
        if entry is not None:
            set_enabled(entry, is_wanted)
        elif is_wanted:
            self._entries[function.name] = quietly(
                lambda: AtFunction(function, lambda which: self._registered(event, which))
            )

    def learn(self, event: str) -> str:
        """Learn the callbacks that the selected inferior has already registered.  Returns why some
        are unknown, or ""."""
        try:
            session = self._values.session()
            rows = session.destructors() if event == "destructor" else session.svm_frees()
            addresses = {row.number("function") for row in rows}
        except OpenCLError as error:
            return str(error)
        for address in addresses:
            if address:
                self._add(event, address)
        return ""

    def forget(self) -> None:
        """Forget a program that ended or was replaced."""
        self._bodies.forget()
        for place in self._functions.values():
            set_enabled(place, False)

    def remove(self) -> None:
        """Delete unneeded breakpoints."""
        remove_disabled(self._entries)
        remove_disabled(self._functions)
        self._bodies.remove()

    def _registered(self, event: str, function: Function) -> None:
        """The program, or OpenCL for it, registers a callback."""
        assert function.callback is not None
        frame = gdb.newest_frame()
        address = machine.argument(frame, function.parameters, function.callback)
        if address:
            self._add(event, address)

    def _add(self, event: str, address: int) -> None:
        key = (event, id(gdb.current_progspace()), address)
        place = self._functions.get(key)
        if place is None:
            place = self._functions[key] = quietly(
                lambda: AtAddress(address, lambda at, here: self._begins(event, at, here))
            )
        set_enabled(place, True)

    def _begins(self, event: str, address: int, place: gdb.Breakpoint) -> bool:
        """A thread is at the first instruction of a callback."""
        frame = gdb.newest_frame()
        if event not in self._events or _is_called_by_program(frame):
            return False
        thing = self._thing(event, frame)
        if not self._catchpoints.could_stop(event, thing):
            return False
        return self._bodies.decide(
            address, place, lambda here: self._catchpoints.decide(event, thing, here)
        )

    def _thing(self, event: str, frame: gdb.Frame) -> Thing:
        """The object of a callback."""
        given = [
            machine.argument(frame, _PARAMETERS[event], index, is_first=True) or 0
            for index in range(len(_PARAMETERS[event]))
        ]
        if event == "destructor":
            thing = thing_of(self._values, None, given[0])
            return thing._replace(
                words="destructor callback of " + (thing.words or "%#x" % given[0])
            )
        pointers = machine.read_words(frame, given[2], min(given[1], _MOST_POINTERS))
        thing = pointers_of(self._values, given[0], pointers)
        return thing._replace(words="SVM-free callback of " + thing.words)


def _is_called_by_program(frame: gdb.Frame) -> bool:
    """Whether the function was called from its own module.  OpenCL calls it from another one."""
    caller = frame.older()
    name = gdb.current_progspace().solib_name
    return caller is not None and name(caller.pc()) == name(frame.pc())
