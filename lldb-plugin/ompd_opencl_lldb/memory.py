# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory as LLDB reads it."""

from __future__ import annotations

import lldb

from ompd_opencl.errors import UnreadableMemory


def read_memory(process: lldb.SBProcess, address: int, size: int) -> bytes:
    """SIZE bytes at ADDRESS, without breakpoints; raises UnreadableMemory.

    Of a core LLDB says success of fewer bytes, where what it saved ends.
    """
    if size == 0:
        return b""
    error = lldb.SBError()
    data = process.ReadMemory(address, size, error)
    if not error.Success() or data is None or len(data) != size:
        raise UnreadableMemory()
    return bytes(data)


def read_file(process: lldb.SBProcess, address: int, size: int) -> bytes:
    """SIZE bytes at ADDRESS of what a module's file has there and the program cannot write to, as a
    core leaves that out; raises UnreadableMemory."""
    target = process.GetTarget()
    section = target.ResolveLoadAddress(address).GetSection()
    while section.GetParent().IsValid():
        section = section.GetParent()  # all that is loaded with it: sections have gaps
    if not section.IsValid() or section.GetPermissions() & lldb.ePermissionsWritable:
        raise UnreadableMemory()
    place = lldb.SBAddress(section, address - int(section.GetLoadAddress(target)))
    # LLDB sets the error of a read that succeeds, too.
    data = target.ReadMemory(place, size, lldb.SBError())
    if data is None or len(data) != size:
        raise UnreadableMemory()
    return bytes(data)
