# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl catch, opencl tcatch."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.printable import printable

from . import catch_options, watched_callbacks, watched_calls, watched_mistakes
from .catchpoints import Catchpoints
from .opencl_code import OpenCLCode
from .values import Values
from .watched_callbacks import WatchedCallbacks
from .watched_calls import WatchedCalls
from .watched_mistakes import WatchedMistakes

_HELP = """%s
Usage: %s EVENT [-kind KIND] [-min-size SIZE] [-object HANDLE]
       [-temporary]

EVENT is one of
%s
The program stops when such a call has returned to it, or when such a callback
begins, and a line reports what happened.  For `mistake` it stops within the
call, in most cases before the runtime executes it; this needs the recorder.
The options restrict what to stop for: objects of these kinds (separated by
commas), objects of at least this many bytes, or one object.  With -object,
`error` stops for calls on that object, and `svm-free` for frees of that pointer
or on that queue.  An unknown property, for example a size without recorder and
layout, never prevents a stop.

GDB's own commands list, disable, delete and change a catchpoint.
`info breakpoints` shows it as a `catch load`, with the words of this command in
place of a library.  A condition is evaluated in the frame where the program
stops; `condition -force` accepts names that are unknown in the current frame.
Nothing is watched while no catchpoint is enabled.  Without the recorder,
`error` watches all calls, which slows a program that makes many."""


def _help(command: str, summary: str) -> str:
    events = "".join("  %-12s%s\n" % pair for pair in catch_options.EVENTS.items())
    return _HELP % (summary, command, events)


class Catch:
    """Catchpoints and their hidden breakpoints."""

    def __init__(self, values: Values, code: OpenCLCode) -> None:
        self._code = code
        self._catchpoints = Catchpoints(self._changed)
        self._calls = WatchedCalls(values, code, self._catchpoints)
        self._callbacks = WatchedCallbacks(values, self._catchpoints)
        self._mistakes = WatchedMistakes(values, code, self._catchpoints)
        gdb.events.before_prompt.connect(self._tidy)
        gdb.events.exited.connect(self._forget)
        gdb.events.clear_objfiles.connect(self._forget)
        gdb.events.new_objfile.connect(self._loaded)

    def run(self, command: str, argument: str, is_temporary: bool) -> None:
        """Create a catchpoint.  Raises OpenCLError."""
        wanted = catch_options.parse(command, argument)
        if is_temporary:
            wanted = wanted._replace(is_temporary=True)
        self._calls.check()
        number = self._catchpoints.add(wanted)
        gdb.write("Catchpoint %d (opencl %s)\n" % (number, wanted.event))
        if wanted.event in watched_callbacks.EVENTS and gdb.selected_inferior().pid:
            why = self._callbacks.learn(wanted.event)
            if why and self._code.is_loaded():
                gdb.write(
                    "Callbacks that were registered before are not caught: %s\n" % printable(why)
                )
        if wanted.event in watched_mistakes.EVENTS and self._mistakes.missing():
            gdb.write(self._mistakes.missing() + "\n")

    def _changed(self) -> None:
        events = self._catchpoints.events()
        self._calls.watch([event for event in events if event in watched_calls.EVENTS])
        self._callbacks.watch([event for event in events if event in watched_callbacks.EVENTS])
        self._mistakes.watch([event for event in events if event in watched_mistakes.EVENTS])

    def _tidy(self) -> None:
        self._calls.remove()
        self._callbacks.remove()
        self._mistakes.remove()

    def _forget(self, _event: Any) -> None:
        self._calls.forget()
        self._callbacks.forget()
        self._loaded(_event)

    def _loaded(self, _event: Any) -> None:
        """A recorder may have been loaded or unloaded."""
        if "error" in self._catchpoints.events():
            self._changed()


class CatchCommand(gdb.Command):
    """opencl catch, or opencl tcatch."""

    def __init__(self, catch: Catch, name: str, summary: str, is_temporary: bool) -> None:
        self._catch = catch
        self._name = name
        self._is_temporary = is_temporary
        self.__doc__ = _help(name, summary)
        super().__init__(name, gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        try:
            self._catch.run(self._name, argument, self._is_temporary)
        except OpenCLError as error:
            raise gdb.GdbError(printable(str(error))) from None

    def complete(self, text: str, word: Optional[str]) -> Sequence[str]:
        """Called by GDB: complete WORD."""
        found: List[str] = catch_options.complete(text, word or "")
        return found


def install(values: Values, code: OpenCLCode) -> None:
    """Create the commands."""
    catch = Catch(values, code)
    CatchCommand(catch, "opencl catch", "Stop at OpenCL events.", False)
    CatchCommand(catch, "opencl tcatch", "Stop once at an OpenCL event.", True)
