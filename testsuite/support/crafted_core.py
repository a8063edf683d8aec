# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores that no kernel writes, whose headers claim much memory and repeat the same few bytes."""

from __future__ import annotations

import os
import struct
from typing import List, NamedTuple, Sequence, Tuple

PAGE = 4096
_ELF_HEADER = 64  # bytes, of a file of 64 bits
_PROGRAM_HEADER = 56
_PT_LOAD, _PT_NOTE = 1, 4
_ET_DYN, _ET_CORE = 3, 4
_NT_PRSTATUS, _NT_PRPSINFO, _NT_AUXV, _NT_FILE = 1, 3, 6, 0x46494C45
_AT_ENTRY = 9
_REGISTERS = 112  # bytes into prstatus, where an x86-64's begin
_RIP, _RSP = 16, 19
READ_EXECUTE, READ_WRITE = 5, 6


class Load(NamedTuple):
    """A segment of memory: SIZE bytes at ADDRESS, which are at OFFSET of the file."""

    address: int
    offset: int
    size: int
    flags: int = READ_EXECUTE


class File(NamedTuple):
    """A file that the process has mapped."""

    start: int
    end: int
    page: int  # of the file
    path: str


def note(kind: int, contents: bytes) -> bytes:
    """A note of the kernel."""
    padding = bytes(-len(contents) % 4)
    return struct.pack("<III", 5, len(contents), kind) + b"CORE\0\0\0\0" + contents + padding


def thread(lwp: int, instruction: int = 0, stack: int = 0) -> bytes:
    """A thread that got SIGSEGV."""
    status = bytearray(336)
    struct.pack_into("<i", status, 0, 11)
    struct.pack_into("<h", status, 12, 11)
    struct.pack_into("<i", status, 32, lwp)
    struct.pack_into("<Q", status, _REGISTERS + 8 * _RIP, instruction)
    struct.pack_into("<Q", status, _REGISTERS + 8 * _RSP, stack)
    return note(_NT_PRSTATUS, bytes(status))


def process(pid: int) -> bytes:
    """The note about the process."""
    info = bytearray(136)
    struct.pack_into("<i", info, 24, pid)
    info[40:47] = b"crafted"
    return note(_NT_PRPSINFO, bytes(info))


def auxiliary(entry: int) -> bytes:
    """The auxiliary vector."""
    return note(_NT_AUXV, struct.pack("<QQQQ", _AT_ENTRY, entry, 0, 0))


def mapped(files: Sequence[File]) -> bytes:
    """The list of mapped files."""
    contents = struct.pack("<QQ", len(files), PAGE)
    for file in files:
        contents += struct.pack("<QQQ", file.start, file.end, file.page)
    return note(_NT_FILE, contents + b"".join(file.path.encode() + b"\0" for file in files))


def _header(kind: int, count: int) -> bytes:
    identity = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    fields = (kind, 62, 1, 0, _ELF_HEADER, 0, 0, _ELF_HEADER, _PROGRAM_HEADER, count, 64, 0, 0)
    return identity + struct.pack("<HHIQQQIHHHHHH", *fields)


def _segment(kind: int, flags: int, offset: int, address: int, size: int, memory: int = 0) -> bytes:
    alignment = 4 if kind == _PT_NOTE else PAGE
    fields = (kind, flags, offset, address, 0, size, memory or size, alignment)
    return struct.pack("<IIQQQQQQ", *fields)


def module(loads: Sequence[Tuple[int, int]]) -> bytes:
    """The first pages of a library that loads SIZE bytes at each ADDRESS: first its own, from their
    start, then zeros."""
    address, size = loads[0]
    segments = [_segment(_PT_LOAD, READ_EXECUTE, 0, address, size)]
    segments += [_segment(_PT_LOAD, 4, 0, at, 0, memory) for at, memory in loads[1:]]
    image = _header(_ET_DYN, len(segments)) + b"".join(segments)
    return image + bytes(-len(image) % PAGE)


def loaded(library: bytes) -> bytes:
    """The memory of a loaded library."""
    image = bytearray()
    start, count = (
        struct.unpack_from("<Q", library, 32)[0],
        struct.unpack_from("<H", library, 56)[0],
    )
    for index in range(count):
        kind, _, offset, address, _, size = struct.unpack_from(
            "<IIQQQQ", library, start + 56 * index
        )
        if kind == _PT_LOAD:
            image = image.ljust(address, b"\0")
            image[address : address + size] = library[offset : offset + size]
    return bytes(image) + bytes(-len(image) % PAGE)


def data_offset(notes: bytes, loads: int, note_headers: int = 1) -> int:
    """Where in the file that write_core() makes of as many headers its data begins."""
    size = _ELF_HEADER + _PROGRAM_HEADER * (loads + note_headers) + len(notes)
    return size + -size % PAGE


def write_core(
    path: str, notes: bytes, loads: List[Load], data: bytes, note_headers: int = 1, hole: int = 0
) -> None:
    """Write a core whose loads have DATA, followed by HOLE missing bytes.  Its notes are named
    NOTE_HEADERS times."""
    count = len(loads) + note_headers
    start = _ELF_HEADER + _PROGRAM_HEADER * count
    headers = [_segment(_PT_NOTE, 0, start, 0, len(notes))] * note_headers
    headers += [
        _segment(_PT_LOAD, load.flags, load.offset, load.address, load.size) for load in loads
    ]
    begin = data_offset(notes, len(loads), note_headers)
    with open(path, "wb") as file:
        file.write((_header(_ET_CORE, count) + b"".join(headers) + notes).ljust(begin, b"\0"))
        file.write(data)
    os.truncate(path, begin + len(data) + hole)


def add_hole(path: str, loads: Sequence[Tuple[int, int]]) -> None:
    """Append a hole to a core, which claims all of LOADS, each an ADDRESS and a SIZE.  The program
    headers follow the previous end of the file."""
    with open(path, "r+b") as file:
        header = bytearray(file.read(_ELF_HEADER))
        (table,), (count,) = struct.unpack_from("<Q", header, 32), struct.unpack_from(
            "<H", header, 56
        )
        file.seek(table)
        segments = bytearray(file.read(_PROGRAM_HEADER * count))
        end = file.seek(0, os.SEEK_END)
        begin = end + len(segments) + _PROGRAM_HEADER * len(loads)
        begin += -begin % PAGE
        for address, size in loads:
            segments += _segment(_PT_LOAD, READ_WRITE, begin, address, size)
        file.write(segments)
        struct.pack_into("<Q", header, 32, end)
        struct.pack_into("<H", header, 56, count + len(loads))
        file.seek(0)
        file.write(header)
    os.truncate(path, begin + max(size for _, size in loads))
