# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCL calls for catchpoints: "create", "release" and "error".

A call is detected where the program enters OpenCL, at a function of the loader or a runtime.  The
decision is made after it has returned to the program.  GDB's FinishBreakpoint cannot be used,
because it misses inlined callers.
"""

from __future__ import annotations

import os
from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import gdb

from ompd_opencl.structures import Kind

from . import api_functions, machine
from .api_functions import Function
from .catch_options import Thing
from .catchpoints import Catchpoints
from .hidden_breakpoints import (
    AtAddress,
    AtFunction,
    Thread,
    quietly,
    remove_disabled,
    selected_thread,
    set_enabled,
)
from .opencl_code import OpenCLCode
from .things import kind_name, thing_of
from .values import Values

EVENTS = ("create", "release", "error")
# The recorder calls this before a call fails: a handle, the function's number, the error.
_FAILED = Function("ompd_cl_bp_call_failed", "lll")
_RECORDER = "libompd-opencl-recorder.so"
_MOST_TOLD = 8  # objects of one call reported
_MOST_MADE = 4096


class _Array(NamedTuple):
    """The array for the handles that a call creates."""

    address: int  # 0: the call creates nothing
    room: int  # capacity, in handles
    number: int  # the address that receives their number, or 0


class _Call(NamedTuple):
    """A running call."""

    function: Function
    address: int  # the return address
    stack: int  # the stack pointer after the return
    given: int  # the first parameter, or the released object
    released: Optional[Thing] = None  # the object for catchpoints to match
    error: int = 0  # the address that receives the error, or 0
    size: Optional[int] = None  # of the new object
    array: Optional[_Array] = None  # receives any number of objects
    error_number: Optional[int] = None  # of a call known to fail; 0: unknown cause


class WatchedCalls:
    """The watched functions of all inferiors."""

    def __init__(self, values: Values, code: OpenCLCode, catchpoints: Catchpoints) -> None:
        self._values = values
        self._code = code
        self._catchpoints = catchpoints
        self._entries: Dict[str, gdb.Breakpoint] = {}
        self._returns: Dict[Tuple[int, int], gdb.Breakpoint] = {}  # by inferior and address
        self._calls: Dict[Thread, List[_Call]] = {}
        self._events: Sequence[str] = ()

    def check(self) -> None:
        """Raise OpenCLError without a library, which has the names of functions."""
        api_functions.failing(self._values)

    def watch(self, events: Sequence[str]) -> None:
        """Watch calls for EVENTS, and no others."""
        self._events = events
        functions: Dict[str, Function] = {}
        if "create" in events:
            made = api_functions.creating() + api_functions.creating_many()
            functions.update({function.name: function for function in made})
        if "release" in events:
            functions.update({function.name: function for function in api_functions.releasing()})
        if "error" in events:
            functions[_FAILED.name] = _FAILED
            if not _all_have_recorder():
                found = api_functions.failing(self._values)
                functions = {**{function.name: function for function in found}, **functions}
        for name in set(functions) - set(self._entries):
            come = self._failing if name == _FAILED.name else self._entered
            function = functions[name]
            self._entries[name] = quietly(lambda: AtFunction(function, come))
        for name, entry in self._entries.items():
            set_enabled(entry, name in functions)

    def forget(self) -> None:
        """Forget a program that ended or was replaced."""
        self._calls.clear()
        for place in self._returns.values():
            set_enabled(place, False)

    def remove(self) -> None:
        """Delete unneeded breakpoints."""
        remove_disabled(self._entries)
        remove_disabled(self._returns)

    def _entered(self, function: Function) -> None:
        """The function is called."""
        frame = gdb.newest_frame()
        caller = frame.older()
        if caller is None or not self._is_from_program(frame, caller):
            return
        handle_at, error_at, size_at = map(function.place, ("h", "e", "z"))
        call = _Call(
            function,
            caller.pc(),
            int(caller.read_register("sp")),
            machine.argument(frame, function.parameters, handle_at or 0) or 0,
            None,
            _or_none(frame, function, error_at) or 0,
            _or_none(frame, function, size_at),
            _array_of(frame, function),
        )
        could_stop = self._catchpoints.could_stop
        if handle_at is not None:
            call = call._replace(released=self._look_up(call))
        made = Thing(kind_name(function.kind), "", (), call.size)
        if (
            call.released is not None
            or ((function.makes or call.array is not None) and could_stop("create", made))
            or could_stop("error", Thing(handles=(call.given,)))
        ):
            self._expect(caller, call)

    def _is_from_program(self, frame: gdb.Frame, caller: gdb.Frame) -> bool:
        """Whether CALLER is outside of OpenCL, whose modules also call OpenCL functions."""
        if self._code.owner(caller.pc()) is not None:
            return False
        name = gdb.current_progspace().solib_name(frame.pc())
        return name is None or name != gdb.current_progspace().solib_name(caller.pc())

    def _look_up(self, call: _Call) -> Optional[Thing]:
        """The object that CALL releases, which may be destroyed when it has returned; None: no
        catchpoint matches."""
        thing = Thing(kind_name(call.function.kind), "", (call.given,))
        if not self._catchpoints.could_stop("release", thing):
            return None
        thing = thing_of(self._values, call.function.kind, call.given)
        return thing if self._catchpoints.could_stop("release", thing) else None

    def _failing(self, function: Function) -> None:
        """A call under the recorder is about to fail."""
        frame = gdb.newest_frame()
        handle, number, error = (
            machine.argument(frame, function.parameters, index) or 0 for index in range(3)
        )
        caller = self._code.caller(frame)
        thing = Thing(handles=(handle,))
        if caller is None or not self._catchpoints.could_stop("error", thing):
            return
        name = self._values.names(Kind.ERROR, "call").get(number, "a call")
        stack = int(caller.read_register("sp"))
        call = _Call(Function(name), caller.pc(), stack, handle)
        self._expect(caller, call._replace(error_number=machine.status(error) or 0))

    def _expect(self, caller: gdb.Frame, call: _Call) -> None:
        """Stop the thread when CALL returns to CALLER."""
        calls = self._calls.setdefault(selected_thread(), [])
        # Calls left by longjmp() never return.
        calls[:] = [other for other in calls if other.stack >= call.stack] + [call]
        key = (gdb.selected_inferior().num, call.address)
        place = self._returns.get(key)
        if place is None:
            place = quietly(lambda: AtAddress(call.address, self._returned))
            self._returns[key] = place
        set_enabled(place, True)

    def _returned(self, address: int, place: gdb.Breakpoint) -> bool:
        """A thread has reached a return address."""
        frame = gdb.newest_frame()
        stack = int(frame.read_register("sp"))
        calls = self._calls.get(selected_thread(), [])
        back = [call for call in calls if call.address == address and call.stack <= stack]
        calls[:] = [call for call in calls if call.stack > stack]
        if not any(call.address == address for some in self._calls.values() for call in some):
            set_enabled(place, False)
        return bool(back) and self._has_returned(back[-1], frame, place)

    def _has_returned(self, call: _Call, frame: gdb.Frame, place: gdb.Breakpoint) -> bool:
        """Decide whether to stop after CALL."""
        result = machine.result(frame)
        if result is None:
            return False
        name = call.function.name
        if call.error_number is not None:
            return self._has_failed(call, call.error_number, place)
        if call.function.makes and result != 0:
            thing = Thing(kind_name(call.function.kind), "", (result,), call.size)
            if not self._catchpoints.could_stop("create", thing):
                return False
            thing = thing_of(self._values, call.function.kind, result, call.size)
            return self._say("create", thing, "%s has made %s" % (name, thing.words), place)
        if call.function.makes:
            error = machine.read_status(call.error) if call.error else None
            return self._has_failed(call, error, place)
        error = machine.status(result)
        if call.function.gives_status and error is not None and error < 0:
            return self._has_failed(call, error, place)
        if call.array is not None and error == 0:
            return self._has_made_many(call, call.array, frame, place)
        if call.released is None:
            return False
        words = "%s has released what was %s" % (name, call.released.words)
        return self._say("release", call.released, words, place)

    def _has_made_many(
        self, call: _Call, array: _Array, frame: gdb.Frame, place: gdb.Breakpoint
    ) -> bool:
        """Decide about a call that has stored the objects that it created."""
        count = machine.read_status(array.number) if array.number else None
        # Without a count only one handle is known: the rest of the array may contain anything.
        known = min(array.room, _MOST_MADE, 1 if count is None else count & 0xFFFFFFFF)
        handles = machine.read_words(frame, array.address, known)
        if not handles:
            return False
        kind = call.function.kind
        told = [thing_of(self._values, kind, handle) for handle in handles[:_MOST_TOLD]]
        words = "; ".join(thing.words for thing in told)
        if len(handles) > _MOST_TOLD:
            words += "; and %d more" % (len(handles) - _MOST_TOLD)
        elif count is None and array.room > 1:
            words += "; and perhaps more"
            handles = ()
        thing = told[0]._replace(handles=handles)
        return self._say("create", thing, "%s has made %s" % (call.function.name, words), place)

    def _say(self, event: str, thing: Thing, words: str, place: gdb.Breakpoint) -> bool:
        return self._catchpoints.decide(event, thing._replace(words=words), place)

    def _has_failed(self, call: _Call, error: Optional[int], place: gdb.Breakpoint) -> bool:
        """Decide about a call that has failed."""
        names = self._values.names(Kind.ERROR, "error")
        thing = thing_of(self._values, None, call.given)
        what = "the program did not ask for the error code"
        if error:
            what = names.get(error & (1 << 64) - 1, str(error))
        words = "%s has failed: %s" % (call.function.name, what)
        if thing.words:
            words += ", on " + thing.words
        return self._say("error", thing, words, place)


def _or_none(frame: gdb.Frame, function: Function, index: Optional[int]) -> Optional[int]:
    return None if index is None else machine.argument(frame, function.parameters, index)


def _array_of(frame: gdb.Frame, function: Function) -> Optional[_Array]:
    """The array for the handles that FUNCTION creates; None: it returns one handle, or creates
    none."""
    places = [function.place(letter) for letter in "anc"]
    if None in places:
        return None
    address, room, count = (_or_none(frame, function, place) or 0 for place in places)
    return _Array(address, room, count) if address else None


def _all_have_recorder() -> bool:
    """Whether the recorder reports all failures, so that calls need not be watched."""
    spaces: Set[int] = set()
    for inferior in gdb.inferiors():
        if inferior.pid != 0:
            names = [objfile.filename or "" for objfile in inferior.progspace.objfiles()]
            if not any(os.path.basename(name).startswith(_RECORDER) for name in names):
                return False
            spaces.add(inferior.num)
    return bool(spaces)
