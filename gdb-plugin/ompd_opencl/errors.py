# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong, as sentences for a person."""

from __future__ import annotations


class OpenCLError(Exception):
    """One sentence: what failed, on what, what to do.  Commands turn it into a gdb.GdbError."""


class LibraryError(OpenCLError):
    """A call of the library that did not succeed; `code` is its ompd_rc_t."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
