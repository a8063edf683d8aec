# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""set opencl ... and show opencl ..."""

from __future__ import annotations

import os
from typing import Callable, Optional

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.log_levels import LOG_LEVELS, OFF, describe_log_level
from ompd_opencl.printable import printable
from ompd_opencl.protocols import BINDINGS_VARIABLE, describe_bindings
from ompd_opencl.sizes import describe_bytes, parse_limit
from ompd_opencl.sources import AUTOMATIC, SOURCES, describe_sources

from .readers import AUTO, BY_GDB, HOST
from .sessions import Sessions

_DEFAULT_LIMIT = 200
_UNLIMITED = "unlimited"


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
            raise gdb.GdbError('Unknown setting "opencl %s".' % argument.split()[0])
        gdb.execute("show opencl bindings")
        gdb.execute("show opencl limit")
        gdb.execute("show opencl memory-limit")
        gdb.execute("show opencl reader")
        gdb.execute("show opencl sources")


class LimitParameter(gdb.Parameter):
    """How many rows an opencl list shows: a number, or "unlimited".
    The destructor callbacks of one object are a list too.  One that is cut
    says how many rows there are more.  JSON is never cut."""

    set_doc = "Set the maximum number of rows of an opencl list."
    show_doc = "Show the maximum number of rows of an opencl list."

    def __init__(self) -> None:
        super().__init__("opencl limit", gdb.COMMAND_DATA, gdb.PARAM_UINTEGER)
        self.value = _DEFAULT_LIMIT

    def get_set_string(self) -> str:
        """GDB prints nothing after "set opencl limit"."""
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl limit" prints."""
        if value == _UNLIMITED:
            return "OpenCL lists show all rows."
        return "OpenCL lists show at most %s row%s." % (value, "" if value == "1" else "s")


class MemoryLimitParameter(gdb.Parameter):
    """How much memory the opencl commands may use for one process: a number of
    bytes, one with K, M or G behind it, or "unlimited".  A command that would
    need more fails and says how much it wanted; when the limit has been raised
    it works again."""

    set_doc = "Set the memory limit of the opencl commands per process."
    show_doc = "Show the memory limit of the opencl commands per process."

    def __init__(self, apply: Callable[[int], None]) -> None:
        super().__init__("opencl memory-limit", gdb.COMMAND_DATA, gdb.PARAM_STRING)
        self._apply = apply
        self._accepted = _UNLIMITED
        self.value = self._accepted

    def get_set_string(self) -> str:
        """Called by GDB when `value` has been set."""
        try:
            size = parse_limit(self.value)
        except ValueError:
            fault = "'%s' is not a size" % self.value if self.value else "a size is missing"
            self.value = self._accepted
            raise gdb.GdbError(
                "memory-limit: %s; use a number of bytes, with an optional K, M or G, or "
                '"unlimited".' % fault
            ) from None
        self._accepted = self.value = str(size) if size else _UNLIMITED
        try:
            self._apply(size)
        except OpenCLError as error:
            raise gdb.GdbError(printable(str(error))) from None
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl memory-limit" prints."""
        if value == _UNLIMITED:
            return "The opencl commands may use as much memory as they need."
        size = describe_bytes(int(value))
        return "The opencl commands may use at most %s of memory for one process." % size


class BindingsParameter(gdb.Parameter):
    """Source files and modules of further OpenCL language bindings, besides the
    built-in ones (CL/opencl.hpp, Boost.Compute, pyopencl's module...).  The value
    is patterns separated by ":", for example "mylib/*.hpp:libmy.so*", where "*"
    matches anything.  A pattern with "/" matches a path or its last folders,
    another pattern a file name.  A call is shown at the innermost function that is
    not in a binding; call stacks show all functions."""

    set_doc = "Set which files and modules are OpenCL language bindings."
    show_doc = "Show which files and modules are OpenCL language bindings."

    def __init__(self) -> None:
        super().__init__("opencl bindings", gdb.COMMAND_DATA, gdb.PARAM_STRING)
        self.value = os.environ.get(BINDINGS_VARIABLE, "")

    def get_set_string(self) -> str:
        """GDB prints nothing after "set opencl bindings"."""
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl bindings" prints."""
        return describe_bindings(value)


class ReaderParameter(gdb.Parameter):
    """Who reads the target's memory for the opencl commands: "gdb", "host", which
    is libompd-opencl-host and reads processes of this machine and cores, or
    "auto": the host library where it is installed and sees what GDB sees."""

    set_doc = "Set what reads target memory for the opencl commands."
    show_doc = "Show what reads target memory for the opencl commands."

    def __init__(self, apply: Callable[[str], None]) -> None:
        super().__init__("opencl reader", gdb.COMMAND_DATA, gdb.PARAM_ENUM, [AUTO, HOST, BY_GDB])
        self._apply = apply
        self.value = AUTO

    def get_set_string(self) -> str:
        """Called by GDB when `value` has been set."""
        self._apply(self.value)
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl reader" prints."""
        if value == AUTO:
            return "Memory is read by libompd-opencl-host where possible, else by GDB."
        return "Memory is read by %s." % ("GDB" if value == BY_GDB else "libompd-opencl-host")


class SourcesParameter(gdb.Parameter):
    """Where the opencl commands find objects: "recorder", "layouts", "all" of
    these, or "auto".  With "auto" and "all", layouts add to the objects of the
    recorder what the runtime knows.  "all" also searches memory for objects that
    the recorder has not seen.  "auto" does so if the recorder may have missed
    some, or is not there."""

    set_doc = "Set where the opencl commands find objects."
    show_doc = "Show where the opencl commands find objects."

    def __init__(self, apply: Callable[[str], None]) -> None:
        super().__init__("opencl sources", gdb.COMMAND_DATA, gdb.PARAM_ENUM, list(SOURCES))
        self._apply = apply
        self.value = AUTOMATIC

    def get_set_string(self) -> str:
        """Called by GDB when `value` has been set."""
        try:
            self._apply(self.value)
        except OpenCLError as error:
            raise gdb.GdbError(printable(str(error))) from None
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show opencl sources" prints."""
        return describe_sources(value)


class DebugParameter(gdb.Parameter):
    """What the opencl commands log of their work: "off", "refusals" (calls of the
    library that fail), "decisions" (which source or layout is used), "lookups"
    (modules and symbols) or "reads" (each read of memory).  Each level includes
    those before it.  Lines go to GDB's log, as those of other debug settings."""

    set_doc = "Set debugging of the opencl commands."
    show_doc = "Show debugging of the opencl commands."

    def __init__(self, apply: Callable[[int], None]) -> None:
        super().__init__("debug opencl", gdb.COMMAND_MAINTENANCE, gdb.PARAM_ENUM, list(LOG_LEVELS))
        self._apply = apply
        self.value = OFF

    def get_set_string(self) -> str:
        """Called by GDB when `value` has been set."""
        try:
            self._apply(LOG_LEVELS[self.value])
        except OpenCLError as error:
            raise gdb.GdbError(printable(str(error))) from None
        return ""

    def get_show_string(self, value: str) -> str:
        """What "show debug opencl" prints."""
        return describe_log_level(value)


class Parameters:
    """The settings, as commands read them."""

    def __init__(self, sessions: Sessions) -> None:
        _SetPrefix()
        _ShowPrefix()
        self._bindings = BindingsParameter()
        self._limit = LimitParameter()
        self._memory_limit = MemoryLimitParameter(sessions.limit_memory)
        self._reader = ReaderParameter(sessions.choose_reader)
        self._sources = SourcesParameter(sessions.choose_sources)
        self._debug = DebugParameter(sessions.set_log_level)

    @property
    def bindings(self) -> str:
        """Patterns of bindings of the user's own."""
        return self._bindings.value or ""

    @property
    def limit(self) -> Optional[int]:
        """The most rows of a list, None for no limit."""
        return self._limit.value or None
