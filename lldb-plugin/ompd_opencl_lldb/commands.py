# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands `opencl` and `embree`: the verbs of libompd-opencl-view, `set` and `show`.

LLDB creates an object of a class for each command, and finds the class by name in this module.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Sequence

import lldb

from ompd_opencl.errors import OpenCLError

from . import settings
from .debugger import INTRODUCTION, Command

_CONTAINER = "opencl"
EMBREE = "embree"
_EMBREE_HELP = "Inspect Embree devices; begin with 'embree overview'."


class _LLDBCommand:
    """An LLDB command."""

    name = ""
    before = ""  # a word before those of the user
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

        words = " ".join(filter(None, (self.before, line)))
        plugin().run(self.name, words, Command(debugger, context, result))

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
    before: str = ""


def _class_of(verb: Verb) -> str:
    """Create a class for a verb; returns its name."""
    name = "Verb_%s" % "_".join([verb.name, verb.before]).replace("-", "_")
    globals()[name] = type(name, (_LLDBCommand,), verb._asdict())
    return name


def add(debugger: lldb.SBDebugger, verbs: Sequence[Verb], words: Dict[str, Verb]) -> None:
    """Create the commands in DEBUGGER; WORDS follow `embree`.  Raises OpenCLError."""
    classes = {verb.name: _class_of(verb) for verb in verbs}
    classes.update({Set.name: "Set", Show.name: "Show"})
    _add(debugger, _CONTAINER, INTRODUCTION.splitlines()[0].replace("`", "'"), classes)
    classes = {word: _class_of(verb) for word, verb in words.items()}
    _add(debugger, EMBREE, _EMBREE_HELP, classes)


def _add(debugger: lldb.SBDebugger, container: str, summary: str, classes: Dict[str, str]) -> None:
    _handle(debugger, 'command container add --overwrite --help "%s" %s' % (summary, container))
    for name, made in classes.items():
        _handle(
            debugger, "command script add --class %s.%s %s %s" % (__name__, made, container, name)
        )


def _handle(debugger: lldb.SBDebugger, line: str) -> None:
    result = lldb.SBCommandReturnObject()
    debugger.GetCommandInterpreter().HandleCommand(line, result)
    if not result.Succeeded():
        raise OpenCLError("LLDB rejected `%s`: %s" % (line, (result.GetError() or "").strip()))
