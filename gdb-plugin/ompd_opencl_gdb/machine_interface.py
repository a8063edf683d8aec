# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands for front ends that use GDB/MI.

`-opencl memobjs -kind buffer` answers `^done,rows=[{handle="0x...",size="4096",...},...]`: the rows
of the command's JSON, with the keys of ompd-opencl-json(5).  After `-opencl-notify on`, GDB 16 or
later sends `=opencl-changed,overview={...}` at each stop where the overview has changed.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

import gdb

from .commands import Commands

_OVERVIEW = "overview"
_NOTIFICATION = "opencl-changed"

# MI has only strings, lists and tuples. A value of None is left out: `unknown` has the reason.
_Result = Dict[str, Any]


def _result(value: Any) -> Any:
    """Convert a JSON value to an MI value."""
    if isinstance(value, dict):
        return {key: _result(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_result(part) for part in value if part is not None]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _rows(commands: Commands, words: List[str]) -> List[Any]:
    """The rows of a command; raises gdb.GdbError."""
    # All words other than options form one operand.
    text = commands.answer("%s -json" % " ".join(words or [_OVERVIEW]))
    try:
        rows: List[Any] = json.loads(text)
    except ValueError:
        raise gdb.GdbError("opencl %s has no JSON output." % " ".join(words)) from None
    return rows


class _RowsCommand(gdb.MICommand):
    """-opencl VERB [OPTION...] [OPERAND]"""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        super().__init__("-opencl")

    def invoke(self, arguments: List[str]) -> _Result:
        """Called by GDB."""
        return {"rows": _result(_rows(self._commands, arguments))}


class _NotifyCommand(gdb.MICommand):
    """-opencl-notify on|off"""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        self._told: Optional[_Result] = None  # the last overview sent
        self._is_on = False
        super().__init__("-opencl-notify")
        gdb.events.stop.connect(self._stopped)

    def invoke(self, arguments: List[str]) -> Optional[_Result]:
        """Called by GDB."""
        if arguments not in (["on"], ["off"]):
            raise gdb.GdbError("-opencl-notify takes on or off.")
        if not hasattr(gdb, "notify_mi"):
            raise gdb.GdbError(
                "-opencl-notify needs GDB 16 or later; this one is %s." % gdb.VERSION
            )
        self._is_on = arguments == ["on"]
        self._told = None
        return None

    def _stopped(self, _event: object) -> None:
        if self._is_on:
            # After GDB has reported the stop itself.
            gdb.post_event(self._tell)

    def _tell(self) -> None:
        try:
            overview = _result(_rows(self._commands, [])[0])
        except gdb.GdbError:
            return  # nothing to report, or no process to read
        if overview != self._told:
            self._told = overview
            gdb.notify_mi(_NOTIFICATION, {"overview": overview})


def install(commands: Commands) -> None:
    """Create the commands."""
    _RowsCommand(commands)
    _NotifyCommand(commands)
