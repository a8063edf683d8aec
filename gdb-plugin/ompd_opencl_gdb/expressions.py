# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of a cl handle, evaluated without letting the target run."""

from __future__ import annotations

import re

import gdb

from ompd_opencl.errors import OpenCLError

# Assignments and increments would write to the target.
_WRITES = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=")
_NUMBER = re.compile(r"^(0[xX][0-9a-fA-F]+|[1-9][0-9]*)$")
_ALL_BITS = (1 << 64) - 1
_SIMPLE = re.compile(r"^\w+$")


def evaluate_handle(text: str) -> int:
    """The cl handle that the GDB expression TEXT gives; raises OpenCLError."""
    if _NUMBER.match(text):
        return int(text, 0) & _ALL_BITS  # as the lists show handles, whatever the language
    if _WRITES.search(text):
        raise OpenCLError("%s would change the program: give an expression that only reads." % text)
    try:
        if _SIMPLE.match(text):
            return handle_of(gdb.parse_and_eval(text), text)
        with gdb.with_parameter("may-call-functions", False):
            return handle_of(gdb.parse_and_eval(text), text)
    except gdb.error as error:
        raise OpenCLError("Cannot evaluate %s: %s" % (text, str(error).rstrip("."))) from None


def handle_of(value: gdb.Value, text: str) -> int:
    """The cl handle that VALUE, which TEXT names, is; raises OpenCLError."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
        kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        value = _wrapped_handle(value, text)
        kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        raise OpenCLError("%s is an array: name one of its elements, %s[0] say." % (text, text))
    if kind.code == gdb.TYPE_CODE_PTR and kind.target().strip_typedefs().code == gdb.TYPE_CODE_PTR:
        raise OpenCLError(
            "%s is the address of a handle, not the handle: write *(%s)." % (text, text)
        )
    if kind.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT):
        raise OpenCLError("%s is neither a pointer nor an integer, so no cl handle." % text)
    return int(value) & _ALL_BITS


def _wrapped_handle(value: gdb.Value, text: str) -> gdb.Value:
    """The cl handle in an object of the OpenCL C++ bindings (cl::Buffer and the like)."""
    try:
        return value["object_"]
    except gdb.error:
        raise OpenCLError("%s is an object, not a cl handle." % text) from None
