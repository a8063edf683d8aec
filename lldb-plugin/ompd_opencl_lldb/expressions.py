# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of a cl handle, evaluated without letting the target run."""

from __future__ import annotations

import lldb

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


def evaluate_handle(process: lldb.SBProcess, frame: lldb.SBFrame, text: str) -> int:
    """Evaluate TEXT to a cl handle, in FRAME if there is one; raises OpenCLError."""
    number = number_of(text)
    if number is not None:
        return number
    refuse_writes(text)
    value = lldb.SBValue()
    if frame.IsValid():
        value = frame.GetValueForVariablePath(text, lldb.eNoDynamicValues)
    if not value.IsValid() or not value.GetError().Success():
        value = _evaluated(process.GetTarget(), frame, text)
    return _handle_of(value, text)


def _evaluated(target: lldb.SBTarget, frame: lldb.SBFrame, text: str) -> lldb.SBValue:
    options = lldb.SBExpressionOptions()
    options.SetAllowJIT(False)  # refuse what would have to run in the target
    options.SetFetchDynamicValue(lldb.eNoDynamicValues)
    options.SetSuppressPersistentResult(True)
    if frame.IsValid():
        value = frame.EvaluateExpression(text, options)
    else:
        value = target.EvaluateExpression(text, options)
    if not value.IsValid() or not value.GetError().Success():
        why = (value.GetError().GetCString() or "it has no value").strip()
        # Clang's message: "error: <user expression 0>:1:1: use of undeclared ...", with a caret.
        line = next((line for line in why.splitlines() if "error: " in line), why.splitlines()[0])
        raise not_evaluated(text, line.rpartition("error: ")[2] or line)
    return value


def _handle_of(value: lldb.SBValue, text: str) -> int:
    kind = value.GetType().GetCanonicalType()
    if kind.IsReferenceType():
        value = value.Dereference()
        kind = value.GetType().GetCanonicalType()
    if kind.GetTypeClass() in (lldb.eTypeClassStruct, lldb.eTypeClassClass):
        value = value.GetChildMemberWithName("object_")  # of the C++ bindings, such as cl::Buffer
        if not value.IsValid():
            raise is_object(text)
        kind = value.GetType().GetCanonicalType()
    if kind.IsArrayType():
        raise is_array(text)
    if kind.IsPointerType():
        if kind.GetPointeeType().GetCanonicalType().IsPointerType():
            raise is_pointer_to_handle(text)
    elif not _is_integer(kind):
        raise is_no_handle(text)
    error = lldb.SBError()
    number = value.GetValueAsUnsigned(error)
    if not error.Success():
        raise not_evaluated(text, error.GetCString() or "it cannot be read")
    return int(number) & ALL_BITS


def _is_integer(kind: lldb.SBType) -> bool:
    """Whether it is a number without a fraction."""
    is_number = bool(kind.GetTypeFlags() & lldb.eTypeIsInteger)
    return is_number and not kind.GetTypeFlags() & lldb.eTypeIsFloat
