# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes for catchpoints: "mistake".

The recorder calls a function when a call breaks a rule, before the call returns to the program.
"""

from __future__ import annotations

from typing import List, Optional, Sequence

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.printable import printable
from ompd_opencl.rows import Row
from ompd_opencl.structures import Kind

from . import machine
from .api_functions import Function
from .catch_options import Thing
from .catchpoints import Catchpoints
from .hidden_breakpoints import AtFunction, quietly, set_enabled
from .opencl_code import OpenCLCode
from .things import thing_of
from .values import Values

EVENTS = ("mistake",)
# The recorder's function: the number of the rule, a handle.
_MISTAKE = Function("ompd_cl_bp_mistake", "ll")


class WatchedMistakes:
    """The recorder's function, in all inferiors."""

    def __init__(self, values: Values, code: OpenCLCode, catchpoints: Catchpoints) -> None:
        self._values = values
        self._code = code
        self._catchpoints = catchpoints
        self._entry: Optional[gdb.Breakpoint] = None

    def watch(self, events: Sequence[str]) -> None:
        """Watch mistakes if they are among EVENTS."""
        is_wanted = bool(events)
        if self._entry is None and is_wanted:
            self._entry = quietly(lambda: AtFunction(_MISTAKE, self._made))
        if self._entry is not None:
            set_enabled(self._entry, is_wanted)

    def remove(self) -> None:
        """Delete the breakpoint if it is not needed."""
        if self._entry is not None and not self._entry.enabled:
            self._entry.delete()
            self._entry = None

    def missing(self) -> str:
        """Why no mistake can be caught in the selected inferior, or ""."""
        if self._code.is_loaded() and not self._code.has_recorder():
            return "The program runs without the recorder, which catching mistakes requires."
        return ""

    def _made(self, _function: Function) -> bool:
        """A call is about to make a mistake.  Returns whether to stop."""
        frame = gdb.newest_frame()
        rule, handle = (
            machine.argument(frame, _MISTAKE.parameters, index) or 0 for index in range(2)
        )
        caller = self._code.caller(frame)
        thing = Thing(handles=(handle,) if handle else ())
        if self._entry is None or not self._catchpoints.could_stop("mistake", thing):
            return False
        thing = thing_of(self._values, None, handle)._replace(words=self._sentence(rule, handle))
        # Conditions are about variables of the program.
        if caller is not None:
            caller.select()
        try:
            return self._catchpoints.decide("mistake", thing, self._entry, self._select)
        finally:
            frame.select()

    def _select(self) -> None:
        """Select the frame in the program."""
        caller = self._code.caller(gdb.newest_frame())
        if caller is not None:
            caller.select()

    def _sentence(self, rule: int, handle: int) -> str:
        """What is wrong, as check says it."""
        found: List[Row] = []
        try:
            rows = [row for row in self._values.session().findings() if row.number("rule") == rule]
            found = [row for row in rows if row.number("object") == handle] or rows
        except (OpenCLError, gdb.error):
            pass  # some rules cannot be checked
        if found:
            return printable(found[-1].describe())
        return self._values.names(Kind.FINDING, "rule").get(rule, "rule %d" % rule)
