# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""set opencl ... and show opencl ..."""

from __future__ import annotations

from typing import Optional

import gdb

_DEFAULT_LIMIT = 200


class _SetPrefix(gdb.Command):
    """Change a setting of the opencl commands."""

    def __init__(self) -> None:
        super().__init__("set opencl", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class _ShowPrefix(gdb.Command):
    """Show the settings of the opencl commands."""

    def __init__(self) -> None:
        super().__init__("show opencl", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB for `show opencl` alone, and for words that are no setting."""
        if argument:
            raise gdb.GdbError('There is no setting "opencl %s".' % argument.split()[0])
        gdb.execute("show opencl limit")


class LimitParameter(gdb.Parameter):
    """How many rows an opencl list shows: a number, or "unlimited".
    A list that is cut says how many rows there are more.  JSON is never cut."""

    set_doc = "Set how many rows an opencl list shows."
    show_doc = "Show how many rows an opencl list shows."

    def __init__(self) -> None:
        super().__init__("opencl limit", gdb.COMMAND_DATA, gdb.PARAM_UINTEGER)
        self.value = _DEFAULT_LIMIT

    def get_set_string(self) -> str:
        """GDB prints nothing after "set opencl limit"."""
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl limit" prints."""
        if value == "unlimited":
            return "OpenCL lists show all rows."
        return "OpenCL lists show at most %s row%s." % (value, "" if value == "1" else "s")


class Parameters:
    """The settings, as commands read them."""

    def __init__(self) -> None:
        _SetPrefix()
        _ShowPrefix()
        self._limit = LimitParameter()

    @property
    def limit(self) -> Optional[int]:
        """The most rows of a list, None for no limit."""
        return self._limit.value or None
