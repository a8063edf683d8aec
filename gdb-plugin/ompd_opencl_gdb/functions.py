# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions for expressions and conditions: `break upload if $opencl_refs(buffer) == 0`."""

from __future__ import annotations

from typing import Callable, Dict, Union

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.printable import printable
from ompd_opencl.rows import Row

from .expressions import handle_of
from .values import Values, kind_of

# $opencl_live accepts the fields of the overview.
_COUNTS = {
    "context": "contexts",
    "queue": "queues",
    "memobj": "memory_objects",
    "svm": "svm_allocations",
    "svm-free": "svm_frees",
    "event": "events",
    "kernel": "kernels",
    "program": "programs",
    "sampler": "samplers",
    "command-buffer": "command_buffers",
    "semaphore": "semaphores",
}


def _said(work: Callable[[], Union[int, str]]) -> Union[int, str]:
    """The result of WORK; any failure becomes one sentence."""
    try:
        return work()
    except OpenCLError as error:
        raise gdb.GdbError(printable(str(error))) from None


class _FieldFunction(gdb.Function):
    """A function that returns a field of an object."""

    name = ""
    field = ""

    def __init__(self, values: Values) -> None:
        super().__init__(self.name)
        self._values = values

    def invoke(self, value: gdb.Value) -> Union[int, str]:
        """Called by GDB."""
        return _said(lambda: self._get(value))

    def _get(self, value: gdb.Value) -> Union[int, str]:
        row = self._find(value)
        if self.field not in row.keys():
            raise OpenCLError("$%s: %r has none." % (self.name, row))
        known: Union[int, str, None] = row[self.field]
        if known is None:
            status = row.status(self.field).replace("_", " ")
            raise OpenCLError("$%s of %r is unknown: %s." % (self.name, row, status))
        return known

    def _find(self, value: gdb.Value) -> Row:
        handle = handle_of(value, "The argument of $" + self.name)
        kind = kind_of(value.type)
        if kind is not None:
            return self._values.find(kind, handle)
        found = self._values.find_any(handle)
        if found is not None:
            return found
        raise OpenCLError(
            "$%s: %#x is not an object; it was never created, or has been destroyed."
            % (self.name, handle)
        )


class _SizeFunction(_FieldFunction):
    """$opencl_size (OBJECT): the size in bytes of a memory object or SVM allocation."""

    name = "opencl_size"
    field = "size"


class _ReferencesFunction(_FieldFunction):
    """$opencl_refs (OBJECT): the number of references that the program holds."""

    name = "opencl_refs"
    field = "references"


class _StateFunction(_FieldFunction):
    """$opencl_state (OBJECT): a string such as "live", "app-released" or "destroying"."""

    name = "opencl_state"
    field = "state"


class _LiveFunction(gdb.Function):
    """$opencl_live (KIND): the number of live objects of KIND: "context", "queue",
    "memobj", "svm", "svm-free", "event", "kernel", "program", "sampler",
    "command-buffer" or "semaphore"."""

    def __init__(self, values: Values) -> None:
        super().__init__("opencl_live")
        self._values = values

    def invoke(self, kind: gdb.Value) -> Union[int, str]:
        """Called by GDB."""
        return _said(lambda: self._count(kind))

    def _count(self, kind: gdb.Value) -> int:
        try:
            name = kind.string()
        except gdb.error:
            name = ""
        field = _COUNTS.get(name)
        if field is None:
            kinds: Dict[str, str] = _COUNTS
            raise OpenCLError(
                "$opencl_live needs one of %s." % ", ".join('"%s"' % each for each in kinds)
            )
        count = self._values.session().overview()[field]
        if count is None:
            raise OpenCLError('$opencl_live("%s") is unknown.' % name)
        return int(count)


def install(values: Values) -> None:
    """Create the functions."""
    for function in (_SizeFunction, _ReferencesFunction, _StateFunction, _LiveFunction):
        function(values)
