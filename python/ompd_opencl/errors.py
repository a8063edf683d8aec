# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong.  The text of each is one sentence for a person: what failed, on what, what to
do.  Ctrl-C is a KeyboardInterrupt."""

from __future__ import annotations


class OpenCLError(Exception):
    """Any of them."""


class CommandError(OpenCLError):
    """A command that the view has refused or broken off.  Its sentence is escaped already."""


class LibraryError(OpenCLError):
    """A call of the library that did not succeed; `code` is its ompd_rc_t."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class UnavailableError(LibraryError):
    """Nothing in the target tells of what was asked for: it has no OpenCL, or neither a recorder
    nor a runtime that a layout fits, or only the recorder would tell."""


class NoSuchObjectError(UnavailableError):
    """There is no object with the handle that was asked for, as far as can be seen."""


class TargetError(OpenCLError):
    """A process or a core cannot be opened; `code` is the ompd_host_rc_t."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ClosedError(OpenCLError):
    """The session is closed, or the object is of an earlier one."""


class FilterError(OpenCLError, ValueError):
    """A filter that makes no sense."""


class UnreadableMemory(Exception):
    """The target's memory could not be read: raised by what a debugger gives, for the callbacks
    alone."""
