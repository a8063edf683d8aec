# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exported symbols of an ELF file, from the hash table in the target's memory, as the dynamic
linker finds them.  The file is not needed."""

from __future__ import annotations

import struct
from typing import Dict, Optional, Tuple

from .elf_image import Image, Read

_DT_STRTAB = 5
_DT_SYMTAB = 6
_DT_GNU_HASH = 0x6FFFFEF5

_DYNAMIC_AT_MOST = 4096  # bytes of the dynamic section to read
_CHAIN_AT_MOST = 4096  # symbols of one bucket to compare


class _Reader:
    """Reads numbers from the target's memory."""

    def __init__(self, read: Read, image: Image) -> None:
        self._read = read
        self._order = image.order
        self.word = "Q" if image.word_size == 8 else "I"

    def numbers(self, address: int, letters: str) -> Optional[Tuple[int, ...]]:
        """The numbers at ADDRESS, in the format LETTERS of struct."""
        layout = self._order + letters
        data = self._read(address, struct.calcsize(layout))
        return None if data is None else struct.unpack(layout, data)

    def bytes(self, address: int, size: int) -> Optional[bytes]:
        """SIZE bytes at ADDRESS."""
        return self._read(address, size)


def exported_symbol(read: Read, image: Image, name: str) -> Optional[int]:
    """The address of NAME exported by IMAGE; None: not exported, or unreadable."""
    reader = _Reader(read, image)
    tables = _dynamic_entries(reader, image)
    needed = [tables.get(tag) for tag in (_DT_GNU_HASH, _DT_SYMTAB, _DT_STRTAB)]
    hashes, symbols, strings = (_in_memory(image, address) for address in needed)
    if hashes is None or symbols is None or strings is None:
        return None
    wanted = _gnu_hash(name)
    index = _first_of_bucket(reader, hashes, wanted)
    if index is None:
        return None
    number, chain = index
    for _step in range(_CHAIN_AT_MOST):
        found = reader.numbers(chain, "I")
        if found is None:
            return None
        if found[0] | 1 == wanted | 1:
            address = _defined_address(reader, image, symbols, strings, number, name)
            if address is not None:
                return address
        if found[0] & 1:
            return None
        number, chain = number + 1, chain + 4
    return None


def _dynamic_entries(reader: _Reader, image: Image) -> Dict[int, int]:
    """The first value of each tag of the dynamic section."""
    entries: Dict[int, int] = {}
    if image.dynamic is None:
        return entries
    size = 2 * image.word_size
    count = min(image.dynamic.memory_size, _DYNAMIC_AT_MOST) // size
    words = reader.numbers(image.bias + image.dynamic.address, "%d%s" % (2 * count, reader.word))
    for tag, value in zip((words or ())[::2], (words or ())[1::2]):
        if tag == 0:
            break
        entries.setdefault(tag, value)
    return entries


def _in_memory(image: Image, address: Optional[int]) -> Optional[int]:
    """The address of a table of the dynamic section.  On most machines the dynamic linker has added
    the load bias."""
    if address is None or image.start <= address < image.end:
        return address
    return image.bias + address


def _gnu_hash(name: str) -> int:
    value = 5381
    for letter in name.encode():
        value = (value * 33 + letter) & 0xFFFFFFFF
    return value


def _first_of_bucket(reader: _Reader, hashes: int, wanted: int) -> Optional[Tuple[int, int]]:
    """The first symbol that may have the hash WANTED, and the address of its hash."""
    head = reader.numbers(hashes, "4I")
    if head is None or head[0] == 0:
        return None
    bucket_count, first, filter_words, _shift = head
    word = 8 if reader.word == "Q" else 4
    buckets = hashes + 16 + filter_words * word
    bucket = reader.numbers(buckets + 4 * (wanted % bucket_count), "I")
    if bucket is None or bucket[0] < first:
        return None
    return bucket[0], buckets + 4 * bucket_count + 4 * (bucket[0] - first)


def _defined_address(
    reader: _Reader, image: Image, symbols: int, strings: int, number: int, name: str
) -> Optional[int]:
    """The address of symbol NUMBER, if it is NAME and defined here."""
    if reader.word == "Q":
        entry = reader.numbers(symbols + 24 * number, "IBBHQQ")
        offset, section, value = (entry[0], entry[3], entry[4]) if entry else (0, 0, 0)
    else:
        entry = reader.numbers(symbols + 16 * number, "IIIBBH")
        offset, section, value = (entry[0], entry[5], entry[1]) if entry else (0, 0, 0)
    text = name.encode() + b"\0"
    if section == 0 or reader.bytes(strings + offset, len(text)) != text:
        return None
    return image.bias + value
