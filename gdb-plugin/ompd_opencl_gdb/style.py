# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether GDB itself would use colours."""

from __future__ import annotations

import os

import gdb


def is_wanted() -> bool:
    """Whether a command that was typed is to have colours."""
    return _terminal_has_colour() and _was_typed_alone()


def _terminal_has_colour() -> bool:
    return (
        bool(gdb.parameter("style enabled"))
        and not gdb.parameter("logging enabled")
        and os.isatty(1)
        and os.environ.get("TERM", "dumb") != "dumb"
        and "NO_COLOR" not in os.environ
    )


def _was_typed_alone() -> bool:
    """Whether the line typed last is the command itself.

    Python cannot see that `pipe` and the like send the output elsewhere, but GDB's history has
    them in front of the command.
    """
    lines = gdb.execute("show commands", False, True).splitlines()
    words = lines[-1].split(None, 2)[1:] if lines else []
    return bool(words) and "opencl".startswith(words[0])
