# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading memory through LLDB."""

from __future__ import annotations

import lldb

from ompd_opencl.errors import UnreadableMemory


def read_memory(process: lldb.SBProcess, address: int, size: int) -> bytes:
    """Read SIZE bytes at ADDRESS, without breakpoints; raises UnreadableMemory.

    At the end of a saved range of a core, LLDB reports success with fewer bytes.
    """
    if size == 0:
        return b""
    error = lldb.SBError()
    data = process.ReadMemory(address, size, error)
    if not error.Success() or data is None or len(data) != size:
        raise UnreadableMemory()
    return bytes(data)


def read_file(process: lldb.SBProcess, address: int, size: int) -> bytes:
    """Read SIZE bytes at ADDRESS from the read-only parts of a module's file, which cores leave
    out; raises UnreadableMemory."""
    target = process.GetTarget()
    section = target.ResolveLoadAddress(address).GetSection()
    while section.GetParent().IsValid():
        section = section.GetParent()  # everything loaded together: sections have gaps
    if not section.IsValid() or section.GetPermissions() & lldb.ePermissionsWritable:
        raise UnreadableMemory()
    place = lldb.SBAddress(section, address - int(section.GetLoadAddress(target)))
    # LLDB also sets the error of successful reads.
    data = target.ReadMemory(place, size, lldb.SBError())
    if data is None or len(data) != size:
        raise UnreadableMemory()
    return bytes(data)
