# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether GDB itself uses colours."""

from __future__ import annotations

import os

import gdb


def is_wanted() -> bool:
    """Whether to colour the output of a typed command."""
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
    """Whether the last typed line is the command itself.

    Python cannot detect that `pipe` redirects the output, but in GDB's history `pipe` precedes the
    command.
    """
    lines = gdb.execute("show commands", False, True).splitlines()
    words = lines[-1].split(None, 2)[1:] if lines else []
    return bool(words) and "opencl".startswith(words[0])
