# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions.  The text of each is one sentence: what failed, on what, and what to do.  Ctrl-C
raises KeyboardInterrupt."""

from __future__ import annotations


class OpenCLError(Exception):
    """The base of all exceptions."""


class CommandError(OpenCLError):
    """A command failed or was interrupted in the view.  The sentence is already escaped."""


class LibraryError(OpenCLError):
    """A call of the library failed; `code` is its ompd_rc_t."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class UnavailableError(LibraryError):
    """No source has the requested data: the target has no OpenCL, or neither a recorder nor a
    runtime with a layout, or only the recorder has it."""


class NoSuchObjectError(UnavailableError):
    """No object has the requested handle, as far as is known."""


class TargetError(OpenCLError):
    """A process or a core cannot be opened; `code` is the ompd_host_rc_t."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ClosedError(OpenCLError):
    """The session is closed, or the object is of an earlier one."""


class FilterError(OpenCLError, ValueError):
    """A filter is invalid."""


class UnreadableMemory(Exception):
    """The target's memory could not be read.  Raised by a debugger's implementation of the
    protocols, for callbacks only."""
