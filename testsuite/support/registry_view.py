# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Find records in the recorder's registry inside a core, to damage them.

It was written from include/ompd-opencl-registry.h alone, so that it shares no bug with the library.
"""

from __future__ import annotations

from typing import Dict, Iterator

from core_editor import CoreEditor

# The first bytes of a little-endian registry.
MAGIC_BYTES = b"OMPD-CL\0\4\3\2\1"

CONTEXT = 1
MEMOBJ = 3
SVM = 8
SVM_FREE = 9
CALLBACK = 10
ADDRESS = 11
STACK = 12
THREAD = 14

# Field numbers.
HANDLE = 2
STATE = 5
HASH_NEXT = 17
CALLBACKS = 18
CALLBACK_COUNT = 19
SIZE = 24
NEXT = 39
RUN = 40
POINTERS = 44
POINTER_COUNT = 45
OBJECT = 37
DEPTH = 49
CHANGE = 1
PARENT = 11
ACTIVITY_COUNT = 60
ACTIVITIES = 61
USAGE = 62

# Offsets in struct ompd_cl_registry_root.
MAGIC = 0
BYTE_ORDER = 8
MAJOR = 12
MINOR = 14
ROOT_SIZE = 16
TABLE_COUNT = 36
BUCKETS = 48
BUCKET_COUNT = 56

# The recorder's counts end at 104, then field_count and loader_count, then the tables.
_COUNTS = 64
_COUNTS_SIZE = 40
FIELD_COUNT = _COUNTS + _COUNTS_SIZE
TABLES = FIELD_COUNT + 8
TABLE_SIZE = 32
FIELDS = TABLES + 16 * TABLE_SIZE
_FIELD_SIZE = 8

# Offsets in struct ompd_cl_registry_table.
TABLE_RECORD_SIZE = 4
TABLE_RECORDS_PER_CHUNK = 8
TABLE_CHUNK_COUNT = 12
TABLE_DIRECTORY = 16
TABLE_ENTRY_SIZE = 24
TABLE_FIELD_COUNT = 30

CHUNK_USED = 8


class RegistryView:
    """The registry whose root is at ADDRESS."""

    def __init__(self, core: CoreEditor, address: int) -> None:
        self.core = core
        self.root = address
        if core.read(address, 8) != b"OMPD-CL\0":
            raise AssertionError("no registry at %#x" % address)

    def number(self, offset: int, size: int) -> int:
        """A number of the root."""
        return self.core.read_number(self.root + offset, size)

    def table(self, table_id: int) -> int:
        """The address of a table's description."""
        for index in range(self.number(TABLE_COUNT, 4)):
            address = self.root + TABLES + index * TABLE_SIZE
            if self.core.read_number(address, 4) == table_id:
                return address
        raise KeyError(table_id)

    def fields(self, table_id: int) -> Dict[int, int]:
        """The offset of each field in the table's records."""
        table = self.table(table_id)
        first = self.core.read_number(table + 28, 2)
        count = self.core.read_number(table + TABLE_FIELD_COUNT, 2)
        result = {}
        for index in range(first, first + count):
            place = self.root + FIELDS + index * _FIELD_SIZE
            result[self.core.read_number(place, 2)] = self.core.read_number(place + 2, 2)
        return result

    def chunk(self, table_id: int, index: int) -> int:
        """The address of a chunk's description."""
        table = self.table(table_id)
        size = self.core.read_number(table + TABLE_ENTRY_SIZE, 4)
        return self.core.read_number(table + TABLE_DIRECTORY, 8) + index * size

    def record(self, table_id: int, index: int) -> int:
        """The address of a record."""
        table = self.table(table_id)
        per_chunk = self.core.read_number(table + TABLE_RECORDS_PER_CHUNK, 4)
        size = self.core.read_number(table + TABLE_RECORD_SIZE, 4)
        chunk = self.core.read_number(self.chunk(table_id, index // per_chunk), 8)
        return chunk + index % per_chunk * size

    def records(self, table_id: int) -> Iterator[int]:
        """The addresses of all records that have ever been used."""
        table = self.table(table_id)
        per_chunk = self.core.read_number(table + TABLE_RECORDS_PER_CHUNK, 4)
        for number in range(self.core.read_number(table + TABLE_CHUNK_COUNT, 4)):
            used = self.core.read_number(self.chunk(table_id, number) + CHUNK_USED, 4)
            for index in range(used):
                yield self.record(table_id, number * per_chunk + index)

    def find(self, table_id: int, handle: int) -> int:
        """The address of the record of a cl handle."""
        offsets = self.fields(table_id)
        for record in self.records(table_id):
            state = self.core.read_number(record + offsets[STATE], 1)
            if state and self.core.read_number(record + offsets[HANDLE], 8) == handle:
                return record
        raise KeyError("%#x" % handle)
