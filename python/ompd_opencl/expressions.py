# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of expressions for cl handles, common to all debuggers."""

from __future__ import annotations

import re
from typing import Optional

from .errors import OpenCLError

ALL_BITS = (1 << 64) - 1

# Assignments and increments would modify the target.
_WRITES = r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>="
_NUMBER = r"^(0[xX][0-9a-fA-F]+|[1-9][0-9]*)$"


def number_of(text: str) -> Optional[int]:
    """TEXT as a number, as lists show handles; None: not a number."""
    return int(text, 0) & ALL_BITS if re.match(_NUMBER, text) else None


def refuse_writes(text: str) -> None:
    """Raise OpenCLError if TEXT would write to the target."""
    if re.search(_WRITES, text):
        raise OpenCLError("%s would change the program; use an expression that only reads." % text)


def not_evaluated(text: str, why: str) -> OpenCLError:
    """The debugger cannot evaluate TEXT."""
    return OpenCLError("Cannot evaluate %s: %s" % (text, why.rstrip(".")))


def is_array(text: str) -> OpenCLError:
    """TEXT is an array, for example of handles."""
    return OpenCLError("%s is an array; use one of its elements, e.g. %s[0]." % (text, text))


def is_pointer_to_handle(text: str) -> OpenCLError:
    """TEXT is a pointer to a pointer."""
    return OpenCLError("%s is the address of a handle, not the handle; use *(%s)." % (text, text))


def is_no_handle(text: str) -> OpenCLError:
    """TEXT is a value of another kind."""
    return OpenCLError("%s is neither a pointer nor an integer, so it is not a cl handle." % text)


def is_object(text: str) -> OpenCLError:
    """TEXT is a structure, but not of the OpenCL C++ bindings."""
    return OpenCLError("%s is an object, not a cl handle." % text)
