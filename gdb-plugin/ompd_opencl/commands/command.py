# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every opencl command does the same way: options, errors, help, completion."""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence, Union

import gdb

from ..errors import OpenCLError
from ..fields import Field, Kind
from ..options import Arguments, Option, Options
from ..plugin import Plugin
from ..printable import printable
from ..render import Renderer
from ..sessions import View
from ..sizes import count_of
from ..style import Style

JSON_OPTION = Option("json", "", "print JSON: an array with one object a row, never cut")


class Invocation:
    """One use of a command: what it was given, and what it prints with."""

    def __init__(
        self, plugin: Plugin, arguments: Arguments, is_interactive: bool, needs_objects: bool
    ) -> None:
        self.plugin = plugin
        self.arguments = arguments
        self.view: View = plugin.sessions.view(needs_objects)
        self.session = self.view.session
        self.style = Style(is_interactive)
        self.renderer = Renderer(self.view.symbols, self.view.threads)
        self.printed_rows = 0

    def count_row(self) -> None:
        """One more row was printed."""
        self.printed_rows += 1


class OpenCLCommand(gdb.Command):
    """Base of all opencl commands: turns whatever goes wrong into one sentence."""

    needs_objects = True  # whether there is nothing to show where nothing tells of objects

    def __init__(
        self,
        plugin: Plugin,
        name: str,
        help_text: str,
        options: List[Option],
        takes_expression: bool,
        is_prefix: bool = False,
    ) -> None:
        self._plugin = plugin
        self._name = name
        self._options = Options(name, options, takes_expression)
        self.__doc__ = help_text
        super().__init__(name, gdb.COMMAND_DATA, prefix=is_prefix)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        invocation = None
        try:
            arguments = self._options.parse(argument)
            invocation = Invocation(self._plugin, arguments, from_tty, self.needs_objects)
            self.run(invocation)
        except KeyboardInterrupt:
            raise gdb.GdbError(self._interrupted(invocation)) from None
        except OpenCLError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise gdb.GdbError(self._interrupted(invocation)) from None
            raise gdb.GdbError(printable(str(error))) from None
        except gdb.GdbError:
            raise
        except gdb.error as error:
            raise gdb.GdbError("%s: %s" % (self._name, error)) from None
        except Exception as error:
            raise gdb.GdbError(
                "%s failed inside the plugin (%s: %s); please report it."
                % (self._name, type(error).__name__, error)
            ) from None

    def run(self, invocation: Invocation) -> None:
        """Do what the command is for."""
        raise NotImplementedError

    def complete(self, text: str, word: Optional[str]) -> Union[int, Sequence[str]]:
        """Called by GDB: what may stand in place of WORD, None while it looks where words end."""
        found = self._options.complete(text, word or "")
        return gdb.COMPLETE_EXPRESSION if found is None else found

    def _interrupted(self, invocation: Optional[Invocation]) -> str:
        """What to say.  The library took reads that were refused for memory that cannot be read:
        nothing of what it found is kept."""
        self._plugin.sessions.drop_all()
        if invocation is not None and invocation.printed_rows:
            rows = count_of(invocation.printed_rows, "row")
            return "%s was interrupted after %s." % (self._name, rows)
        return "%s was interrupted." % self._name


def field_help(kind_fields: Iterable[Field]) -> str:
    """Lines of help about fields."""
    chosen = list(kind_fields)
    width = max((len(field.title) for field in chosen), default=0)
    return "\n".join("  %-*s  %s" % (width, field.title, field.help) for field in chosen)


def kind_of(plugin: Plugin, number: int) -> Optional[Kind]:
    """The library's description of a kind; None while there is no library."""
    try:
        return plugin.sessions.kinds()[number]
    except OpenCLError:
        return None
