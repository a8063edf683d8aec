# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory in a core file: its PT_LOAD segments, clipped to the file."""

from __future__ import annotations

import bisect
import os
import struct
from typing import BinaryIO, Iterable, List, NamedTuple, Optional, Tuple

_ET_CORE = 4
_PT_LOAD = 1
_PT_NOTE = 4
_LOOK_NOTE = b"OMPD-OPENCL\0"  # in a saved snapshot: the process's memory regions
_LOOK_REGIONS = 1
_MANY_SEGMENTS = 0xFFFF  # PN_XNUM: section header 0 has the number of segments


# Bits of ompd_cl_permission_t.
_KNOWN = 1  # the other bits are valid only with this one
_READ = 2
_WRITE = 4
_EXECUTE = 8
_UNTOUCHED = 16
_ZERO = 32
_SEARCHED = 64
_UNSEARCHED = 128

_MOST_PARTS = 1 << 16  # into which holes of a file split its segments
_LEAST_HOLE = 256 << 10  # bytes; smaller holes are read like other bytes


def permissions_of(is_readable: bool, is_writable: bool, is_executable: bool) -> int:
    """Permissions as ompd_cl_permission_t."""
    return _KNOWN | _READ * is_readable | _WRITE * is_writable | _EXECUTE * is_executable


class Range(NamedTuple):
    """Target addresses [start, end)."""

    start: int
    end: int
    is_saved: bool
    permissions: int  # of permissions_of; 0: unknown
    whole_start: int = 0  # start of the mapping that contains this part
    whole_end: int = 0

    def is_writable(self) -> bool:
        """Whether it is known to be writable."""
        return self.permissions & _WRITE != 0

    def is_executable(self) -> bool:
        """Whether it is known to be code."""
        return self.permissions & _EXECUTE != 0

    def is_data(self) -> bool:
        """Whether it is known to be readable and writable."""
        return self.permissions & (_READ | _WRITE) == _READ | _WRITE

    def is_left_out(self) -> bool:
        """Whether it is data of a segment that the core left out entirely."""
        return self.permissions & _UNTOUCHED != 0

    def is_searched(self) -> bool:
        """Whether a search reads it: it may have pages."""
        return self.permissions & (_ZERO | _UNSEARCHED) == 0

    def untouched(self) -> "Range":
        """The same range, with unreadable memory presumed untouched."""
        return self._replace(permissions=self.permissions | _UNTOUCHED)

    def touched(self) -> "Range":
        """The same range, with nothing presumed."""
        return self._replace(permissions=self.permissions & ~_UNTOUCHED)


class _Header(NamedTuple):
    order: str
    is_64_bit: bool
    segments: int
    sections: int
    segment_size: int
    segment_count: int


def _read_header(file: BinaryIO) -> Optional[_Header]:
    """The ELF header of a core; None: not a core."""
    start = file.read(64)
    if len(start) < 52 or start[:4] != b"\x7fELF":
        return None
    is_64_bit = start[4] == 2
    order = "<" if start[5] == 1 else ">"
    if struct.unpack_from(order + "H", start, 16)[0] != _ET_CORE:
        return None
    if is_64_bit:
        if len(start) < 64:
            return None
        segments, sections = struct.unpack_from(order + "QQ", start, 32)
        segment_size, segment_count = struct.unpack_from(order + "HH", start, 54)
    else:
        segments, sections = struct.unpack_from(order + "II", start, 28)
        segment_size, segment_count = struct.unpack_from(order + "HH", start, 42)
    return _Header(order, is_64_bit, segments, sections, segment_size, segment_count)


def _count_segments(file: BinaryIO, header: _Header) -> int:
    if header.segment_count != _MANY_SEGMENTS:
        return header.segment_count
    file.seek(header.sections + (44 if header.is_64_bit else 28))  # sh_info
    data = file.read(4)
    count: int = struct.unpack(header.order + "I", data)[0] if len(data) == 4 else 0
    return count


def is_core_file(path: str) -> bool:
    """Whether PATH can be read and is a core file."""
    try:
        with open(path, "rb") as file:
            return _read_header(file) is not None
    except OSError:
        return False


def core_ranges(path: str) -> Optional[List[Range]]:
    """The memory ranges of the core file PATH, sorted; None: not a core."""
    with open(path, "rb") as file:
        header = _read_header(file)
        if header is None:
            return None
        count = _count_segments(file, header)
        file_size = os.fstat(file.fileno()).st_size
        file.seek(header.segments)
        table = file.read(header.segment_size * count)
        look = _look_ranges(file, header, table)
        ranges: List[Range] = []
        step = header.segment_size
        for start in range(0, len(table) - step + 1, step) if step else ():
            entry = table[start : start + step]
            holes = _Holes(file.fileno(), _MOST_PARTS - len(ranges))
            ranges.extend(_segment_ranges(header, entry, file_size, holes))
    ranges.sort()
    return with_missing(ranges, look)


def _look_ranges(file: BinaryIO, header: _Header, table: bytes) -> List[Range]:
    """The memory ranges in the note of a saved snapshot, of which only the segments are saved;
    empty for other cores."""
    step = header.segment_size
    form = header.order + ("IIQQQQ" if header.is_64_bit else "IIIIII")
    for start in range(0, len(table) - step + 1, step) if step else ():
        values = struct.unpack_from(form, table, start)
        offset, size = (values[2], values[5]) if header.is_64_bit else (values[1], values[4])
        if values[0] != _PT_NOTE:
            continue
        file.seek(offset)
        contents = _look_note(file.read(size), header.order)
        if contents is not None:
            # They follow a number that says which searches have covered them.
            numbers = struct.iter_unpack(header.order + "QQQ", contents[8:])
            return [
                Range(first, last, False, permissions & ~_SEARCHED)
                for first, last, permissions in numbers
            ]
    return []


def _look_note(notes: bytes, order: str) -> Optional[bytes]:
    """The contents of this note, among NOTES."""
    position = 0
    while position + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from(order + "III", notes, position)
        name = position + 12
        contents = name + (name_size + 3 & ~3)
        if kind == _LOOK_REGIONS and notes[name : name + name_size] == _LOOK_NOTE:
            found = notes[contents : contents + size]
            return found if len(found) == size and size % 24 == 8 else None
        position = contents + (size + 3 & ~3)
    return None


def with_missing(ranges: List[Range], others: Iterable[Range]) -> List[Range]:
    """The sorted RANGES, and the parts of OTHERS that they do not cover."""
    parts = [part for other in others for part in _parts_outside(other, ranges)]
    return sorted(ranges + parts)


def _parts_outside(whole: Range, ranges: List[Range]) -> List[Range]:
    """The parts of WHOLE that none of RANGES covers."""
    parts = []
    position = whole.start
    first = max(bisect.bisect_left(ranges, whole) - 1, 0)
    for index in range(first, len(ranges)):
        part = ranges[index]
        if part.end <= position:
            continue
        if part.start >= whole.end:
            break
        if position < part.start:
            parts.append(whole._replace(start=position, end=part.start))
        position = part.end
    if position < whole.end:
        parts.append(whole._replace(start=position))
    return parts


def _segment_ranges(header: _Header, entry: bytes, file_size: int, holes: "_Holes") -> List[Range]:
    """The saved and the unsaved part of one segment."""
    form = "IIQQQQQQ" if header.is_64_bit else "IIIIIIII"
    if len(entry) < struct.calcsize(header.order + form):
        return []
    values = struct.unpack_from(header.order + form, entry)
    if header.is_64_bit:
        kind, flags, offset, address, _physical, in_file, in_memory, _align = values
    else:
        kind, offset, address, _physical, in_file, in_memory, flags, _align = values
    if kind != _PT_LOAD or in_memory == 0:
        return []
    saved = max(0, min(in_file, in_memory, file_size - offset))
    permissions = permissions_of(bool(flags & 4), bool(flags & 2), bool(flags & 1))
    parts = [
        Range(address, address + saved, True, permissions),
        Range(address + saved, address + in_memory, False, permissions),
    ]
    if in_file == 0 and parts[1].is_data():
        parts[1] = parts[1].untouched()
    parts[:1] = holes.part(parts[0], offset)
    return [part for part in parts if part.start < part.end]


class _Holes(NamedTuple):
    """Holes of a core file, which read as zeros."""

    descriptor: int
    room: int  # maximum number of parts of one segment

    def part(self, saved: Range, offset: int) -> List[Range]:
        """SAVED, at OFFSET of the file, split at holes."""
        parts: List[Range] = []
        rest = saved
        while rest.start < rest.end and len(parts) < self.room:
            at = offset + rest.start - saved.start
            hole, data = self._next(at, at + rest.end - rest.start)
            middle, start = saved.start + hole - offset, saved.start + data - offset
            parts.append(rest._replace(end=middle))
            zeros = rest._replace(start=middle, permissions=rest.permissions | _ZERO)
            parts.append(zeros._replace(end=start))
            rest = rest._replace(start=start)
        return [*parts, rest]

    def _next(self, start: int, end: int) -> Tuple[int, int]:
        """The beginning and end of the next large hole in [START, END); END twice: none."""
        while end - start >= _LEAST_HOLE:
            try:
                hole = os.lseek(self.descriptor, start, os.SEEK_HOLE)
            except OSError:
                break
            if hole >= end:
                break
            try:
                start = min(os.lseek(self.descriptor, hole, os.SEEK_DATA), end)
            except OSError:
                start = end  # the file ends here
            if start - hole >= _LEAST_HOLE:
                return hole, start
        return end, end
