# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The opencl commands: the verbs of libompd-opencl-view, `set` and `show`.

LLDB creates an object of a class for each command, and finds the class by name in this module.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import lldb

from ompd_opencl.errors import OpenCLError

from . import settings
from .debugger import INTRODUCTION, Command

_CONTAINER = "opencl"


class _LLDBCommand:
    """An LLDB command."""

    name = ""
    summary = ""
    help = ""

    def __init__(self, debugger: lldb.SBDebugger, _names: Any) -> None:
        self._debugger = debugger

    def __call__(
        self,
        debugger: lldb.SBDebugger,
        line: str,
        context: lldb.SBExecutionContext,
        result: lldb.SBCommandReturnObject,
    ) -> None:
        """Called by LLDB."""
        from .plugin import plugin

        plugin().run(self.name, line, Command(debugger, context, result))

    def get_short_help(self) -> str:
        """Called by LLDB: for the list of commands."""
        return self.summary

    def get_long_help(self) -> str:
        """Called by LLDB."""
        return self.help


class Set(_LLDBCommand):
    """opencl set NAME VALUE"""

    name = "set"
    summary = settings.SET_HELP
    help = "%s\n%s" % (settings.SET_HELP, settings.long_help())


class Show(_LLDBCommand):
    """opencl show [NAME]"""

    name = "show"
    summary = settings.SHOW_HELP
    help = "%s\nUsage: opencl show [NAME]" % settings.SHOW_HELP


class Verb(NamedTuple):
    """A verb of the view."""

    name: str
    summary: str
    help: str


def _class_of(verb: Verb) -> str:
    """Create a class for a verb; returns its name."""
    name = "Verb_" + verb.name.replace("-", "_")
    globals()[name] = type(name, (_LLDBCommand,), verb._asdict())
    return name


def add(debugger: lldb.SBDebugger, verbs: Sequence[Verb]) -> None:
    """Create the commands in DEBUGGER.  Raises OpenCLError."""
    summary = INTRODUCTION.splitlines()[0].replace("`", "'")
    _handle(debugger, 'command container add --overwrite --help "%s" %s' % (summary, _CONTAINER))
    classes = {verb.name: _class_of(verb) for verb in verbs}
    classes.update({Set.name: "Set", Show.name: "Show"})
    for name, made in classes.items():
        _handle(
            debugger, "command script add --class %s.%s %s %s" % (__name__, made, _CONTAINER, name)
        )


def _handle(debugger: lldb.SBDebugger, line: str) -> None:
    result = lldb.SBCommandReturnObject()
    debugger.GetCommandInterpreter().HandleCommand(line, result)
    if not result.Succeeded():
        raise OpenCLError("LLDB rejected `%s`: %s" % (line, (result.GetError() or "").strip()))
