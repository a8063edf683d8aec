# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Failures of commands, in one sentence."""

from __future__ import annotations

from .errors import CommandError, OpenCLError
from .printable import printable


def is_interrupt(failure: BaseException) -> bool:
    """Whether it was caused by Ctrl-C."""
    return isinstance(failure, KeyboardInterrupt) or isinstance(
        failure.__cause__, KeyboardInterrupt
    )


def sentence_of(verb: str, failure: BaseException) -> str:
    """A sentence about FAILURE, which ended the command VERB."""
    if isinstance(failure, CommandError):
        return str(failure)
    if isinstance(failure, OpenCLError):
        return printable(str(failure))
    return "opencl %s failed inside the plugin (%s: %s); please report it." % (
        verb,
        type(failure).__name__,
        failure,
    )
