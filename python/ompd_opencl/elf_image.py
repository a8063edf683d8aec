# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An ELF file in a target's memory: its segments and build-id."""

from __future__ import annotations

import struct
from typing import Callable, Iterable, List, NamedTuple, Optional, Tuple

from .core_file import Range, permissions_of

_PAGE = 4096
_PT_LOAD = 1
_PT_DYNAMIC = 2
_PT_NOTE = 4
_NT_GNU_BUILD_ID = 3
_SEGMENTS_AT_MOST = 256
_NOTES_AT_MOST = 65536  # bytes of notes to read
_BUILD_ID_AT_MOST = 64  # bytes

# Bytes at an address, or None.
Read = Callable[[int, int], Optional[bytes]]


class Load(NamedTuple):
    """A PT_LOAD segment, with addresses of the file."""

    offset: int
    address: int
    file_size: int
    memory_size: int
    flags: int  # PF_ of <elf.h>

    def permissions(self) -> Tuple[bool, bool, bool]:
        """Whether it may be read, written, executed."""
        return bool(self.flags & 4), bool(self.flags & 2), bool(self.flags & 1)


class Image(NamedTuple):
    """A file loaded at `start`, up to `end`."""

    start: int
    end: int
    bias: int
    loads: List[Load]
    build_id: bytes
    dynamic: Optional[Load]  # the dynamic section; None: none
    order: str  # of bytes, in struct's notation
    word_size: int  # bytes

    def pages_of(self, load: Load) -> Tuple[int, int]:
        """The pages with the file contents of LOAD."""
        start = self.bias + load.address
        return _page_of(start), _page_of(start + load.file_size + _PAGE - 1)

    def pages_in_memory(self, load: Load) -> Tuple[int, int]:
        """The pages that LOAD occupies."""
        start = self.bias + load.address
        return _page_of(start), _page_of(start + load.memory_size + _PAGE - 1)


class Module(NamedTuple):
    """A module at [start, end).  Its build-id may be missing from the file or the core."""

    name: str
    build_id: bytes
    start: int
    end: int
    image: Optional[Image] = None  # None: the core lacks its header


def unwritten_ranges(modules: Iterable[Module]) -> List[Range]:
    """The read-only ranges of MODULES, which cores may leave out.  The dynamic linker makes some
    writable segments read-only after relocation."""
    return [
        Range(*image.pages_of(load), False, permissions_of(*load.permissions()))
        for module in modules
        for image in [module.image]
        if image is not None
        for load in image.loads
        if load.file_size != 0 and not load.permissions()[1]
    ]


class _Header(NamedTuple):
    order: str
    is_64_bit: bool
    segments: int
    segment_size: int
    segment_count: int


def read_image(read: Read, address: int) -> Optional[Image]:
    """The file whose header is at ADDRESS; None: no header, or an invalid one."""
    header = _read_header(read, address)
    if header is None:
        return None
    table = read(address + header.segments, header.segment_size * header.segment_count)
    if table is None:
        return None
    loads: List[Load] = []
    notes: List[Load] = []
    dynamic: Optional[Load] = None
    for start in range(0, len(table), header.segment_size):
        kind, segment = _decode(header, table[start : start + header.segment_size])
        if kind == _PT_LOAD:
            loads.append(segment)
        elif kind == _PT_NOTE:
            notes.append(segment)
        elif kind == _PT_DYNAMIC:
            dynamic = segment
    if not loads or loads[0].offset >= _PAGE or any(not _makes_sense(load) for load in loads):
        return None
    bias = address + loads[0].offset - loads[0].address
    end = bias + max(load.address + load.memory_size for load in loads)
    if _page_of(bias + loads[0].address) != address or not address < end < 1 << 64:
        return None
    build_id = _read_build_id(read, header.order, bias, notes)
    word_size = 8 if header.is_64_bit else 4
    past = _page_of(end + _PAGE - 1)
    return Image(address, past, bias, loads, build_id, dynamic, header.order, word_size)


def _page_of(address: int) -> int:
    return address & ~(_PAGE - 1)


def _makes_sense(load: Load) -> bool:
    return load.memory_size >= load.file_size


def _read_header(read: Read, address: int) -> Optional[_Header]:
    start = read(address, 64)
    if start is None or start[:4] != b"\x7fELF" or start[4] not in (1, 2):
        return None
    order = "<" if start[5] == 1 else ">"
    if start[4] == 2:
        (segments,) = struct.unpack_from(order + "Q", start, 32)
        size, count = struct.unpack_from(order + "HH", start, 54)
        header = _Header(order, True, segments, size, count)
    else:
        (segments,) = struct.unpack_from(order + "I", start, 28)
        size, count = struct.unpack_from(order + "HH", start, 42)
        header = _Header(order, False, segments, size, count)
    is_known = size == (56 if header.is_64_bit else 32)
    return header if is_known and 0 < count <= _SEGMENTS_AT_MOST else None


def _decode(header: _Header, entry: bytes) -> Tuple[int, Load]:
    """The kind of a program header, and the segment."""
    if header.is_64_bit:
        kind, flags, offset, address, _physical, in_file, in_memory, _align = struct.unpack(
            header.order + "IIQQQQQQ", entry
        )
    else:
        kind, offset, address, _physical, in_file, in_memory, flags, _align = struct.unpack(
            header.order + "IIIIIIII", entry
        )
    return kind, Load(offset, address, in_file, in_memory, flags)


def _read_build_id(read: Read, order: str, bias: int, segments: List[Load]) -> bytes:
    for segment in segments:
        notes = read(bias + segment.address, min(segment.file_size, _NOTES_AT_MOST))
        build_id = _find_build_id(order, notes or b"")
        if build_id:
            return build_id
    return b""


def _find_build_id(order: str, notes: bytes) -> bytes:
    position = 0
    while position + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from(order + "III", notes, position)
        contents = position + 12 + (name_size + 3 & ~3)
        name = notes[position + 12 : position + 12 + name_size]
        if size > len(notes) - contents:
            break
        if kind == _NT_GNU_BUILD_ID and name == b"GNU\0" and 0 < size <= _BUILD_ID_AT_MOST:
            return notes[contents : contents + size]
        position = contents + (size + 3 & ~3)
    return b""
