# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The opencl commands: those that libompd-opencl-view's table lists."""

from __future__ import annotations

import ctypes
from typing import List, Optional, Sequence, Union

import gdb

from .errors import OpenCLError
from .front_end import FrontEnd
from .plugin import Plugin
from .printable import printable

_OVERVIEW = "overview"


class Commands:
    """All of them.  They are made once there is a library."""

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._front_end: Optional[FrontEnd] = None
        self._prefix = _PrefixCommand(self, self._help())
        self._are_made = False
        try:
            self.front_end()
        except OpenCLError:
            pass  # said when a command is used

    def _help(self) -> str:
        try:
            return self._get_help(None)
        except OpenCLError as error:
            return "Show what OpenCL holds in the program.\n%s" % error

    def _get_help(self, verb: Optional[bytes]) -> str:
        front_end = self._get()
        library = self._plugin.sessions.library()
        text: bytes = library.ask("ompd_view_help_get", front_end.view, verb) or b""
        return text.decode().rstrip("\n")

    def _get(self) -> FrontEnd:
        if self._front_end is None:
            self._front_end = FrontEnd(self._plugin, self._plugin.sessions.library())
        return self._front_end

    def front_end(self) -> FrontEnd:
        """The front end; raises OpenCLError when there is no library."""
        front_end = self._get()
        if not self._are_made:
            self._are_made = True
            self._make(front_end)
        return front_end

    def _make(self, front_end: FrontEnd) -> None:
        library = self._plugin.sessions.library()
        index = 0
        while True:
            verb = library.ask("ompd_view_verb_get", front_end.view, index)
            if not verb:
                return
            name = verb.contents.name
            _VerbCommand(self, name.decode(), self._get_help(name))
            index += 1

    def run(self, verb: str, argument: str, is_interactive: bool) -> None:
        """Run a command, and turn whatever goes wrong into one sentence."""
        try:
            self.front_end().run(verb, argument, is_interactive)
        except KeyboardInterrupt:
            raise gdb.GdbError(self._interrupted(verb)) from None
        except OpenCLError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise gdb.GdbError(self._interrupted(verb)) from None
            raise gdb.GdbError(printable(str(error))) from None
        except gdb.GdbError:
            raise
        except gdb.error as error:
            raise gdb.GdbError("opencl %s: %s" % (verb, error)) from None
        except Exception as error:
            raise gdb.GdbError(
                "opencl %s failed inside the plugin (%s: %s); please report it."
                % (verb, type(error).__name__, error)
            ) from None

    def _interrupted(self, verb: str) -> str:
        """What to say.  The library took reads that were refused for memory that cannot be read:
        nothing of what it found is kept."""
        self._plugin.sessions.drop_all()
        message = self._front_end.message() if self._front_end is not None else ""
        return message or "opencl %s was interrupted." % verb

    def complete(self, verb: str, text: str, word: str) -> Union[int, Sequence[str]]:
        """What may stand in place of WORD at the end of TEXT."""
        try:
            view = self.front_end().view
        except OpenCLError:
            return []
        library = self._plugin.sessions.library()
        is_expression = ctypes.c_bool()
        found: List[str] = []
        # GDB has cut off the beginning of the last word.
        words = text.split()
        last = words[-1] if words and not text[-1:].isspace() else ""
        cut = max(len(last) - len(word), 0)
        while True:
            candidate = library.ask(
                "ompd_view_completion_get",
                view,
                verb.encode(),
                text.encode(),
                len(found),
                ctypes.byref(is_expression),
            )
            if candidate is None:
                break
            found.append(candidate.decode()[cut:])
        return gdb.COMPLETE_EXPRESSION if is_expression.value and not found else found


class _VerbCommand(gdb.Command):
    """opencl VERB"""

    def __init__(self, commands: Commands, verb: str, help_text: str) -> None:
        self._commands = commands
        self._verb = verb
        self.__doc__ = help_text
        super().__init__("opencl " + verb, gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        self._commands.run(self._verb, argument, from_tty)

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """Called by GDB: what may stand in place of WORD, None while it looks where words end."""
        return self._commands.complete(self._verb, text, word or "")


class _PrefixCommand(gdb.Command):
    """opencl, alone: the overview."""

    def __init__(self, commands: Commands, help_text: str) -> None:
        self._commands = commands
        self.__doc__ = help_text
        super().__init__("opencl", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB for `opencl` alone and for words that are no command of it."""
        words = argument.split(None, 1)
        if words and not words[0].startswith("-"):
            self._commands.run(words[0], "".join(words[1:]), from_tty)
        else:
            self._commands.run(_OVERVIEW, argument, from_tty)

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """See _VerbCommand."""
        return self._commands.complete(_OVERVIEW, text, word or "")
