# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands `opencl` and `embree`: those that libompd-opencl-view's table lists."""

from __future__ import annotations

from typing import Optional, Sequence, Union

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.failures import is_interrupt, sentence_of
from ompd_opencl.front_end import FrontEnd
from ompd_opencl.terminal_text import fit

from .debugger import WORDING, Debugger
from .plugin import Plugin

_OVERVIEW = "overview"
_EMBREE = "embree"  # the summary, and the verb before the words that follow `embree`
_EMBREE_HELP = """Inspect Embree devices, their memory and memory monitors.

Without a verb, `embree` shows a summary of the devices.  Any program can be
inspected, by layouts of Embree's libraries.  No command but `embree catch`
resumes the program or changes anything in it."""


class Commands:
    """All opencl commands, created when the library is loaded."""

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._debugger = Debugger(plugin)
        self._front_end: Optional[FrontEnd] = None
        self._prefixes = (
            _PrefixCommand(self, "opencl", _OVERVIEW, self._help()),
            _PrefixCommand(self, "embree", _EMBREE, _EMBREE_HELP),
            _InfoCommand(self),
        )
        self._are_made = False
        try:
            self.front_end()
        except OpenCLError:
            pass  # reported when a command is used

    def _help(self) -> str:
        try:
            return self._get().help()
        except OpenCLError as error:
            return "Show a summary of the program's OpenCL objects.\n%s" % error

    def _get(self) -> FrontEnd:
        if self._front_end is None:
            sessions = self._plugin.sessions
            self._front_end = FrontEnd(sessions.library(), self._debugger, WORDING)
            sessions.watch(self._front_end.forget)
        return self._front_end

    def front_end(self) -> FrontEnd:
        """The front end; raises OpenCLError without a library."""
        front_end = self._get()
        if not self._are_made:
            self._are_made = True
            for verb in front_end.verbs():
                _VerbCommand(self, "opencl " + verb, verb, "", front_end.help(verb))
            for word, verb in front_end.sub_verbs(_EMBREE):
                _VerbCommand(self, "embree " + word, _EMBREE, word + " ", front_end.help(verb))
        return front_end

    def run(self, verb: str, argument: str, is_interactive: bool) -> None:
        """Run a command, and turn any failure into one sentence, wrapped for interactive use."""
        try:
            self._run(verb, argument, is_interactive)
        except gdb.GdbError as error:
            width = self._debugger.width() if is_interactive else 0
            raise gdb.GdbError(fit(str(error), width, _error_prefix())) from None

    def _run(self, verb: str, argument: str, is_interactive: bool) -> None:
        try:
            with self._debugger.command(is_interactive):
                self.front_end().run(verb, argument)
        except gdb.GdbError:
            raise
        except gdb.error as error:
            raise gdb.GdbError("opencl %s: %s" % (verb, error)) from None
        except (KeyboardInterrupt, Exception) as failure:
            if is_interrupt(failure):
                raise gdb.GdbError(self._interrupted(verb)) from None
            raise gdb.GdbError(sentence_of(verb, failure)) from None

    def run_line(self, line: str, is_interactive: bool) -> None:
        """Run the command at the beginning of LINE, or the overview."""
        words = line.split(None, 1)
        if words and not words[0].startswith("-"):
            self.run(words[0], "".join(words[1:]), is_interactive)
        else:
            self.run(_OVERVIEW, line, is_interactive)

    def answer(self, line: str) -> str:
        """The output of the command at the beginning of LINE."""
        with self._debugger.keeping() as texts:
            self.run_line(line, False)
        return "".join(texts)

    def _interrupted(self, verb: str) -> str:
        """Handle an interrupt.  The library took refused reads for unreadable memory, so its
        results are dropped."""
        self._plugin.sessions.drop_all()
        message = self._front_end.message() if self._front_end is not None else ""
        return message or "opencl %s was interrupted." % verb

    def complete(self, verb: str, text: str, word: str) -> Union[int, Sequence[str]]:
        """Complete WORD at the end of TEXT."""
        try:
            found, is_expression = self.front_end().completions(verb, text)
            if not found and self.front_end().takes_files(verb):
                return gdb.COMPLETE_FILENAME
        except OpenCLError:
            return []
        if is_expression and not found:
            return gdb.COMPLETE_EXPRESSION
        # GDB has removed the beginning of the last word.
        words = text.split()
        last = words[-1] if words and not text[-1:].isspace() else ""
        return [candidate[max(len(last) - len(word), 0) :] for candidate in found]

    def complete_line(self, text: str, word: str) -> Union[int, Sequence[str]]:
        """Complete a line that begins with a command."""
        words = text.split(None, 1)
        if words and (words[1:] or text[-1:].isspace()):
            return self.complete(words[0], "".join(words[1:]), word)
        if text.startswith("-"):
            return self.complete(_OVERVIEW, text, word)
        try:
            verbs = list(self.front_end().verbs())
        except OpenCLError:
            return []
        return [verb for verb in verbs if verb.startswith(text.strip())]


class _VerbCommand(gdb.Command):
    """opencl VERB, or embree WORD"""

    def __init__(
        self, commands: Commands, name: str, verb: str, before: str, help_text: str
    ) -> None:
        """VERB runs, with BEFORE before the words of the user."""
        self._commands = commands
        self._verb = verb
        self._before = before
        self.__doc__ = help_text
        super().__init__(name, gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        self._commands.run(self._verb, self._before + argument, from_tty)

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """Called by GDB: complete WORD; None while GDB finds the end of words."""
        return self._commands.complete(self._verb, self._before + text, word or "")


def _error_prefix() -> str:
    """GDB's prefix of errors: from GDB 17 a sign, unless `set style emoji` is off."""
    try:
        has_sign = gdb.parameter("style emoji") is not False
        return str(gdb.parameter("style error-prefix")) if has_sign else ""
    except RuntimeError:
        return ""


class _PrefixCommand(gdb.Command):
    """opencl or embree, alone: the overview, or the summary of the devices."""

    def __init__(self, commands: Commands, name: str, verb: str, help_text: str) -> None:
        self._commands = commands
        self._verb = verb
        self.__doc__ = help_text
        super().__init__(name, gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB for the prefix alone, and for unknown verbs."""
        if self._verb == _OVERVIEW:
            self._commands.run_line(argument, from_tty)
        else:
            self._commands.run(self._verb, argument, from_tty)

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """See _VerbCommand."""
        return self._commands.complete(self._verb, text, word or "")


class _InfoCommand(gdb.Command):
    """Show a summary of the OpenCL objects, as `opencl` does: see `help opencl`."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        super().__init__("info opencl", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        self._commands.run_line(argument, from_tty)

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """See _VerbCommand."""
        return self._commands.complete_line(text, word or "")
