# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of a cl handle, evaluated without letting the target run."""

from __future__ import annotations

import re

import gdb

from ompd_opencl.expressions import (
    ALL_BITS,
    is_array,
    is_no_handle,
    is_object,
    is_pointer_to_handle,
    not_evaluated,
    number_of,
    refuse_writes,
)

_SIMPLE = r"^\w+$"


def evaluate_handle(text: str) -> int:
    """Evaluate the GDB expression TEXT to a cl handle; raises OpenCLError."""
    number = number_of(text)
    if number is not None:
        return number
    refuse_writes(text)
    try:
        if re.match(_SIMPLE, text):
            return handle_of(gdb.parse_and_eval(text), text)
        with gdb.with_parameter("may-call-functions", False):
            return handle_of(gdb.parse_and_eval(text), text)
    except gdb.error as error:
        raise not_evaluated(text, str(error)) from None


def handle_of(value: gdb.Value, text: str) -> int:
    """Convert VALUE, of the expression TEXT, to a cl handle; raises OpenCLError."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
        kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        value = _wrapped_handle(value, text)
        kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        raise is_array(text)
    if kind.code == gdb.TYPE_CODE_PTR and kind.target().strip_typedefs().code == gdb.TYPE_CODE_PTR:
        raise is_pointer_to_handle(text)
    if kind.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT):
        raise is_no_handle(text)
    return int(value) & ALL_BITS


def _wrapped_handle(value: gdb.Value, text: str) -> gdb.Value:
    """The cl handle in an object of the OpenCL C++ bindings, such as cl::Buffer."""
    try:
        return value["object_"]
    except gdb.error:
        raise is_object(text) from None
