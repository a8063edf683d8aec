# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLDB as ompd_opencl.protocols.Debugger."""

from __future__ import annotations

import os
from typing import NamedTuple

import lldb

from ompd_opencl.colours import paint_by_default
from ompd_opencl.protocols import Shown, Use, Wording

from .expressions import evaluate_handle
from .sessions import Sessions
from .settings import Settings

INTRODUCTION = """Inspect OpenCL objects; begin with `opencl overview`.

Any program can be inspected, by layouts of the OpenCL runtimes.  ompd-opencl's
recorder knows more: to use it, start the program with OPENCL_LAYERS naming
libompd-opencl-recorder.so.  No command resumes the program or changes anything
in it.

"""

WORDING = Wording(
    verb_prefix="opencl ",
    option_prefix="--",  # as in LLDB's own commands
    help_before="help opencl",
    introduction=INTRODUCTION,
    limit_setting="opencl set limit",
    memory_limit_setting="opencl set memory-limit",
    holder="LLDB",
    takes_expressions=True,
)


class Command(NamedTuple):
    """A running command: its context, and its output."""

    debugger: lldb.SBDebugger
    context: lldb.SBExecutionContext
    result: lldb.SBCommandReturnObject

    def process(self) -> lldb.SBProcess:
        """The process of the command."""
        return self.context.GetProcess()

    def frame(self) -> lldb.SBFrame:
        """The frame for expressions."""
        return self.context.GetFrame()


class Debugger:
    """LLDB, for the commands."""

    def __init__(self, sessions: Sessions, settings: Settings) -> None:
        self._sessions = sessions
        self._settings = settings
        self._shown = Shown()
        self.command: Command

    def begin(self, needs_objects: bool, is_json: bool) -> Use:
        """See protocols.Debugger."""
        self.begin_snapshots(is_json)
        return self._use(needs_objects)

    def _use(self, needs_objects: bool) -> Use:
        view = self._sessions.view(self.command.process(), needs_objects, is_new=True)
        if view.search is not None and not view.search.is_told:
            view.search.is_told = True
            self.command.result.AppendWarning(view.search.left_out())
        return view.use._replace(
            row_limit=self._shown.row_limit,
            has_styles=self._shown.has_styles,
            has_memory_limit=self._settings.memory_limit != 0,
        )

    def begin_snapshots(self, is_json: bool) -> Shown:
        """See protocols.Debugger."""
        has_colour = self.command.debugger.GetUseColor() and "NO_COLOR" not in os.environ
        self._shown = Shown(self._settings.limit, not is_json and has_colour)
        return self._shown

    def begin_here(self) -> Use:
        """See protocols.Debugger."""
        return self._use(needs_objects=True)

    def save(self, path: str) -> int:
        """See protocols.Debugger."""
        view = self._sessions.view(self.command.process(), needs_objects=False)
        return view.save(self._sessions.readers, os.path.expanduser(path))

    def bindings(self) -> str:
        """See protocols.Debugger."""
        return self._settings.get("bindings")

    def write(self, text: str, text_style: int) -> None:
        """See protocols.Output."""
        if self._shown.has_styles:
            text = paint_by_default(text, text_style)
        self.command.result.write(text)

    def width(self) -> int:
        """See protocols.Output."""
        debugger = self.command.debugger
        # LLDB before 16 does not report whether its input is interactive.
        is_interactive = getattr(debugger.GetCommandInterpreter(), "IsInteractive", lambda: True)
        return int(debugger.GetTerminalWidth()) if is_interactive() and os.isatty(1) else 0

    def evaluate(self, text: str) -> int:
        """See protocols.Expressions."""
        return evaluate_handle(self.command.process(), self.command.frame(), text)
