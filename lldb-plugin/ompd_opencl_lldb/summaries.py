# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLDB's summaries of handles of OpenCL and Embree, and of flags.

`frame variable`, `print` and editors show them.  To switch them off, use `type category disable
ompd-opencl`.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import lldb

from ompd_opencl.errors import NoSuchObjectError, OpenCLError
from ompd_opencl.expressions import ALL_BITS
from ompd_opencl.program_values import (
    KINDS,
    NO_OBJECT,
    NUMBER_TYPES,
    handle_type,
    is_none,
    words_of_number,
    words_of_row,
)

_CATEGORY = "ompd-opencl"


def handle_summary(value: lldb.SBValue, _names: Dict[str, Any]) -> Optional[str]:
    """Called by LLDB: describe the object of a handle, which LLDB shows itself."""
    from .plugin import plugin

    kind = _kind_of(value.GetType())
    handle = int(value.GetValueAsUnsigned()) & ALL_BITS
    process = value.GetProcess()
    if kind is None or not handle or not process.IsValid():
        return None
    try:
        row = plugin().find(process, kind, handle)
        return words_of_row(row, handle) if row is not None else None
    except NoSuchObjectError as error:
        return NO_OBJECT if is_none(error) else None
    except (OpenCLError, KeyboardInterrupt):
        return None


def number_summary(value: lldb.SBValue, _names: Dict[str, Any]) -> Optional[str]:
    """Called by LLDB: flags, or a number with an OpenCL name."""
    from .plugin import plugin

    number_type = NUMBER_TYPES.get(value.GetType().GetUnqualifiedType().GetName())
    if number_type is None:
        return None
    names = plugin().names(number_type.kind, number_type.field)
    return words_of_number(names, number_type.is_flags, int(value.GetValueAsUnsigned()))


def _kind_of(value_type: lldb.SBType) -> Optional[str]:
    """The kind of object of a handle type; None: not a handle."""
    target = value_type.GetCanonicalType().GetPointeeType().GetUnqualifiedType()
    name = target.GetName() if target.IsValid() else None
    return KINDS.get(name.rpartition(" ")[2]) if name else None


def add(debugger: lldb.SBDebugger) -> None:
    """Register the summaries."""
    category = debugger.CreateCategory(_CATEGORY)
    # A pointer to a handle has no summary.
    options = lldb.eTypeOptionCascade | lldb.eTypeOptionSkipPointers
    for structure in KINDS:
        for name in (handle_type(structure), structure + " *"):
            _add(category, name, "handle_summary", options)
    for name in NUMBER_TYPES:
        _add(category, name, "number_summary", options)
    category.SetEnabled(True)


def _add(category: lldb.SBTypeCategory, name: str, function: str, options: int) -> None:
    summary = lldb.SBTypeSummary.CreateWithFunctionName("%s.%s" % (__name__, function), options)
    category.AddTypeSummary(lldb.SBTypeNameSpecifier(name), summary)
