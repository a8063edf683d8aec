# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read and damage the memory in a core file (64-bit little-endian ELF)."""

from __future__ import annotations

import contextlib
import glob
import shutil
import struct
from typing import Iterator, List, NamedTuple

_PT_LOAD = 1
_PT_NOTE = 4
_NT_FILE = 0x46494C45
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")


_KEPT = ".failed"  # behind the name of a core that is kept, with a number


def kept_cores(path: str) -> List[str]:
    """The copies of the core PATH that keeping() has made."""
    return sorted(glob.glob(path + _KEPT + "*"))


@contextlib.contextmanager
def keeping(path: str) -> Iterator[None]:
    """Copy the core PATH if a test of it fails, because the next process of the test has other
    addresses."""
    try:
        yield
    except AssertionError:
        kept = "%s%s-%d" % (path, _KEPT, len(kept_cores(path)))
        shutil.copy(path, kept)
        print("kept: %s" % kept)
        raise


class Segment(NamedTuple):
    """The position of its header in the file, and its contents."""

    header: int
    offset: int
    address: int
    file_size: int
    memory_size: int


class CoreEditor:
    """A core file held in memory until save()."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        self.segments = self._segments()

    def save(self, path: str) -> str:
        """Write the damaged core, and return PATH."""
        with open(path, "wb") as file:
            file.write(self.data)
        return path

    def forget_files(self) -> None:
        """Take away the note that lists the mapped files."""
        for notes in self._segments(_PT_NOTE):
            place, end = notes.offset, notes.offset + notes.file_size
            while place < end:
                name_size, size, kind = struct.unpack_from("<III", self.data, place)
                if kind == _NT_FILE:
                    struct.pack_into("<I", self.data, place + 8, 0)
                place += 12 + (name_size + 3 & ~3) + (size + 3 & ~3)

    def forget_headers(self) -> None:
        """Take away the first pages of files, and with them their headers and build-ids."""
        for segment in self.segments:
            if self.data[segment.offset : segment.offset + 4] == b"\x7fELF" and segment.file_size:
                self.cut(segment.address)

    def _segments(self, wanted: int = _PT_LOAD) -> List[Segment]:
        header = _HEADER.unpack_from(self.data)
        table, size, count = header[5], header[9], header[10]
        found = []
        for index in range(count):
            place = table + index * size
            kind, _, offset, address, _, file_size, memory_size, _ = _SEGMENT.unpack_from(
                self.data, place
            )
            if kind == wanted:
                found.append(Segment(place, offset, address, file_size, memory_size))
        return found

    def _segment_at(self, address: int, size: int) -> Segment:
        for segment in self.segments:
            if segment.address <= address and address + size <= segment.address + segment.file_size:
                return segment
        raise KeyError("%#x is not in the core" % address)

    def read(self, address: int, size: int) -> bytes:
        """SIZE bytes of the target at ADDRESS."""
        segment = self._segment_at(address, size)
        start = segment.offset + address - segment.address
        return bytes(self.data[start : start + size])

    def write(self, address: int, data: bytes) -> None:
        """Change the target's memory at ADDRESS."""
        segment = self._segment_at(address, len(data))
        start = segment.offset + address - segment.address
        self.data[start : start + len(data)] = data

    def read_number(self, address: int, size: int) -> int:
        """An unsigned number of the target."""
        return int.from_bytes(self.read(address, size), "little")

    def write_number(self, address: int, size: int, value: int) -> None:
        """Change an unsigned number of the target."""
        self.write(address, value.to_bytes(size, "little"))

    def cut(self, address: int) -> None:
        """Remove the contents of the segment that has ADDRESS."""
        segment = self._segment_at(address, 1)
        # p_filesz follows type, flags, offset, vaddr and paddr.
        struct.pack_into("<Q", self.data, segment.header + 32, 0)
        self.segments = self._segments()

    def truncate(self, address: int) -> None:
        """End the file where the byte of the target at ADDRESS would be."""
        segment = self._segment_at(address, 1)
        del self.data[segment.offset + address - segment.address :]
