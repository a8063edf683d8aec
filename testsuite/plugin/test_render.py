#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How rows are shown: each type of field, and what is known of it, in tables and in JSON."""

import ctypes
import json
import os
import struct
import sys
import unittest
from typing import Any, Dict, List, Tuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plugin_modules  # noqa: E402

from ompd_opencl import fields  # noqa: E402
from ompd_opencl.fields import Field, Kind, Row  # noqa: E402
from ompd_opencl.json_rows import JsonArray, JsonWriter  # noqa: E402
from ompd_opencl.library import Library  # noqa: E402
from ompd_opencl.render import Renderer  # noqa: E402
from ompd_opencl.symbols import CodePlace  # noqa: E402
from ompd_opencl.table import Column, Table, empty_columns  # noqa: E402

KNOWN = CodePlace("d2", 0, "/src/app.c", 9, "/bin/app", 0x1139)
NAMED = CodePlace("d2", 4, None, 0, "/lib/libapp.so", 0x1139)
NAMELESS = CodePlace(None, 0, None, 0, "/lib/libapp.so", 0x1139)
NOWHERE = CodePlace(None, 0, None, 0, None, None)


class FakeSymbols:
    """Knows four functions and one variable."""

    places = {0x1000: KNOWN, 0x2000: NAMED, 0x3000: NAMELESS, 0x4000: NOWHERE}

    def function(self, address: int) -> CodePlace:
        """See symbols.Symbols."""
        return self.places[address]

    caller = function

    def data(self, address: int) -> str:
        """See symbols.Symbols."""
        return "host" if address == 0x5000 else ""


class FakeThreads:
    """Knows one thread."""

    def describe(self, lwp: int) -> str:
        """See threads.Threads."""
        return "LWP 7 (thread 1)" if lwp == 7 else "LWP %d" % lwp


class FakeStyle:
    """No colour."""

    def paint(self, text: str, _style: str) -> str:
        """See style.Style."""
        return text


def make_kind(types: Dict[str, int]) -> Kind:
    """A kind with one field of each type named."""
    described: List[Field] = []
    offset = 16
    names = ((1, "one"), (2, "two"), (4, "four"))
    for name, number in types.items():
        unit = "B" if number == fields.TYPE_BYTES else ""
        described.append(Field(name, name, "", unit, number, offset, True, names))
        offset += 128 if number == fields.TYPE_TEXT else 16
    return Kind(fields.MEMOBJ, "memobj", offset, described)


def make_row(kind: Kind, values: Dict[str, Tuple[int, int, int]]) -> Row:
    """A row with value, status and LWP of each field."""
    content = bytearray(kind.size)
    for field in kind.fields:
        value, status, lwp = values[field.name]
        struct.pack_into("=QHHI", content, field.offset, value, status, 1, lwp)
    buffer = (ctypes.c_char * kind.size).from_buffer(content)
    return kind.decode(buffer, 0)


def renderer() -> Renderer:
    """A renderer that asks the fakes."""
    symbols: Any = FakeSymbols()
    threads: Any = FakeThreads()
    return Renderer(symbols, threads)


class TestTypes(unittest.TestCase):
    """Known values of each type."""

    def check(self, number: int, value: int, text: str, in_json: Any) -> None:
        """VALUE of a field of type NUMBER is shown as TEXT, and as IN_JSON."""
        kind = make_kind({"it": number})
        row = make_row(kind, {"it": (value, fields.STATUS_VALUE, 0)})
        self.assertEqual(renderer().cell(kind.fields[0], row), text)
        symbols: Any = FakeSymbols()
        written = JsonWriter(symbols, lambda key: [0x1000]).row(row)
        self.assertEqual(written.pop("schema"), 1)
        self.assertEqual(written, in_json)

    def test_numbers(self) -> None:
        self.check(fields.TYPE_HANDLE, 0xABC, "0xabc", {"it": "0xabc"})
        self.check(fields.TYPE_ADDRESS, 0x5000, "0x5000 <host>", {"it": "0x5000"})
        self.check(fields.TYPE_BYTES, 4096, "4096 B", {"it": 4096})
        self.check(fields.TYPE_COUNT, 3, "3", {"it": 3})
        self.check(fields.TYPE_COUNT, (1 << 64) - 1, "-1", {"it": -1})
        self.check(fields.TYPE_BOOLEAN, 1, "yes", {"it": True})
        self.check(fields.TYPE_LWP, 7, "LWP 7 (thread 1)", {"it": 7})

    def test_names(self) -> None:
        self.check(fields.TYPE_NAME, 2, "two", {"it": "two"})
        self.check(fields.TYPE_STATE, 9, "it 9", {"it": "9"})
        self.check(fields.TYPE_FLAGS, 5, "one|four", {"it": ["one", "four"], "it_value": 5})
        self.check(fields.TYPE_FLAGS, 24, "0x18", {"it": ["0x18"], "it_value": 24})
        self.check(fields.TYPE_FLAGS, 0, "none", {"it": [], "it_value": 0})

    def test_code(self) -> None:
        place = {"symbol": "d2", "file": "/src/app.c", "line": 9}
        self.check(fields.TYPE_FUNCTION, 0x1000, "d2 at app.c:9", {"it": "0x1000", **place})
        place = {"symbol": "d2", "symbol_offset": 4}
        place.update({"module": "/lib/libapp.so", "module_offset": "0x1139"})
        self.check(fields.TYPE_FUNCTION, 0x2000, "d2+4 in libapp.so", {"it": "0x2000", **place})
        self.check(fields.TYPE_CALLER, 0x3000, "libapp.so+0x1139", {"it": "0x3000"})
        self.check(fields.TYPE_CALLER, 0x4000, "0x4000", {"it": "0x4000"})
        frame = {"address": "0x1000", "symbol": "d2", "file": "/src/app.c", "line": 9}
        kind = make_kind({"stack": fields.TYPE_STACK})
        row = make_row(kind, {"stack": (1, fields.STATUS_VALUE, 0)})
        symbols: Any = FakeSymbols()
        self.assertEqual(JsonWriter(symbols, lambda key: [0x1000]).row(row)["stack"], [frame])

    def test_text(self) -> None:
        """A text reaches the terminal without controls, and JSON as characters."""
        kind = make_kind({"name": fields.TYPE_TEXT})
        for data, text, in_json in (
            (b"a\x1b[m\n\xc2\x9b\x7f", "a\\x1b[m\\n\\xc2\\x9b\\x7f", "a\x1b[m\n\x9b\x7f"),
            (b"\xc3\xa9\xff\xe2\x82", "\u00e9\\xff\\xe2\\x82", "\u00e9\ufffd\ufffd\ufffd"),
            (b"C:\\n", "C:\\\\n", "C:\\n"),
        ):
            content = bytearray(kind.size)
            struct.pack_into("=HHI112s", content, 16, fields.STATUS_VALUE, 1, 0, data)
            row = kind.decode((ctypes.c_char * kind.size).from_buffer(content), 0)
            self.assertEqual(renderer().cell(kind.fields[0], row), text)
            symbols: Any = FakeSymbols()
            written: List[str] = []
            JsonArray(written.append).add(JsonWriter(symbols, lambda key: []).row(row))
            self.assertEqual(json.loads("".join(written) + "]")[0]["name"], in_json)


class TestStatus(unittest.TestCase):
    """What is not a plain value never looks like one."""

    def test_all(self) -> None:
        kind = make_kind({"size": fields.TYPE_BYTES})
        for status, text, note, reason in (
            (fields.STATUS_NONE, "-", "", None),
            (fields.STATUS_NOT_APPLICABLE, "-", "", None),
            (fields.STATUS_PRESUMED, "64 B~", "presumed, not proved", None),
            (fields.STATUS_UNKNOWN, "?", "not observed", "not observed"),
            (fields.STATUS_NOT_SAVED, "?", "not saved in the core", "not saved in the core"),
            (fields.STATUS_UNREADABLE, "?", "unreadable", "unreadable"),
            (fields.STATUS_CHANGING, "?", "being changed by LWP 7", "being changed by LWP 7"),
            (fields.STATUS_CORRUPT, "?", "corrupt", "corrupt"),
            (99, "?", "unknown", "unknown"),
        ):
            with self.subTest(status=status):
                value = 64 if status == fields.STATUS_PRESUMED else 0
                row = make_row(kind, {"size": (value, status, 7)})
                painter = renderer()
                self.assertEqual(painter.cell(kind.fields[0], row), text)
                notes = painter.footnotes()
                self.assertIn(note, " ".join(notes))
                self.assertEqual(bool(notes), bool(note))
                self.assertEqual(painter.footnotes(), [])
                self._check_json(row, text, reason)

    def _check_json(self, row: Row, text: str, reason: Any) -> None:
        symbols: Any = FakeSymbols()
        written = JsonWriter(symbols, lambda key: []).row(row)
        if reason is not None:
            self.assertIsNone(written["size"])
            self.assertEqual(written["unknown"], {"size": reason})
        elif text == "-":
            self.assertEqual(written, {"schema": 1})
        else:
            self.assertEqual(written, {"schema": 1, "size": 64, "presumed": ["size"]})


class TestLayoutRows(unittest.TestCase):
    """Rows that a layout tells, and what marks them."""

    def setUp(self) -> None:
        types = {"size": fields.TYPE_BYTES, "caller": fields.TYPE_CALLER, "order": 6}
        types.update({"source": 10, "confidence": 10, "doubt": 10})
        self.kind = make_kind(types)

    def row(self, confidence: int, doubt: int = 0, source: int = fields.SOURCE_LAYOUT) -> Row:
        """A row whose `caller` and `order` are not known."""
        known, unknown = fields.STATUS_VALUE, fields.STATUS_UNKNOWN
        values = {"size": (64, known, 0), "caller": (0, unknown, 0), "order": (0, unknown, 0)}
        values["source"] = (source, known, 0)
        values["confidence"] = (confidence, known, 0)
        values["doubt"] = (doubt, known if doubt else fields.STATUS_NOT_APPLICABLE, 0)
        return make_row(self.kind, values)

    def test_numbers(self) -> None:
        """A mark stands at the number of what is not certain, and a note below says why."""
        painter = renderer()
        rows = [self.row(fields.CONFIDENCE_CERTAIN), self.row(fields.CONFIDENCE_PRESUMED)]
        rows += [self.row(fields.CONFIDENCE_DOUBTFUL, 1)] * 2
        shown = [painter.number(number, row) for number, row in enumerate(rows, 1)]
        self.assertEqual(shown, ["1", "~2", "!3", "!4"])
        notes = ["!  2 memory objects: doubtful: one", "~  1 memory object: presumed, not proved"]
        self.assertEqual(painter.footnotes(), notes)
        self.assertEqual(painter.footnotes(), [])

    def test_doubts(self) -> None:
        """Each doubt that the library has is a sentence."""
        library = Library(plugin_modules.LIBRARY)
        kind = fields.read_kinds(library)[fields.MEMOBJ]
        doubts = kind.field("doubt")
        assert doubts is not None
        self.assertGreaterEqual(len(doubts.names), 5)
        values = {field.name: (0, fields.STATUS_UNKNOWN, 0) for field in kind.fields}
        for number, name in doubts.names:
            values["doubt"] = (number, fields.STATUS_VALUE, 0)
            doubt = renderer().doubt(make_row(kind, values))
            self.assertRegex(doubt, r"\w+ \w+ \w+")
            self.assertNotIn(name + " ", doubt.split()[0] + " " if "-" in name else "")

    def test_unrecorded(self) -> None:
        """What only the recorder would know is said to be that, of the rows of layouts alone."""
        painter = renderer()
        for source, reason in (
            (fields.SOURCE_LAYOUT, "not known without the recorder"),
            (fields.SOURCE_RECORDER, "not observed"),
        ):
            row = self.row(fields.CONFIDENCE_CERTAIN, source=source)
            caller = self.kind.fields[1]
            self.assertEqual(
                [painter.cell(field, row) for field in self.kind.fields[1:3]], ["?"] * 2
            )
            self.assertEqual(painter.footnotes(), ["?  caller, order of 1 row: " + reason])
            self.assertEqual(painter.detail(caller, row), "? (%s)" % reason)

    def test_notes(self) -> None:
        """Fields share a line when it says the same of them."""
        painter = renderer()
        row = self.row(fields.CONFIDENCE_CERTAIN)
        for number in (1, 1, 2):
            painter.cell(self.kind.fields[number], row)
        reason = "not known without the recorder"
        notes = ["?  caller of 2 rows: " + reason, "?  order of 1 row: " + reason]
        self.assertEqual(painter.footnotes(), notes)


class TestTable(unittest.TestCase):
    """Columns stand under their headings."""

    def test_alignment(self) -> None:
        style: Any = FakeStyle()
        table = Table(
            [Column("#", True, ""), Column("name", False, ""), Column("n", True, "")], style
        )
        lines = [["1", "a", "5"], ["10", "abcdef", "12345"]]
        table.fit(lines)
        shown = [table.heading()] + [table.line(cells) for cells in lines]
        self.assertEqual(shown, [" #  name        n", " 1  a           5", "10  abcdef  12345"])

    def test_empty_columns(self) -> None:
        self.assertEqual(empty_columns([["-", "a", "-"], ["-", "-", "b"]], "-"), [0])
        self.assertEqual(empty_columns([], "-"), [])

    def test_json_array(self) -> None:
        written: List[str] = []
        JsonArray(written.append).end()
        output = JsonArray(written.append)
        output.add({"a": 1})
        output.add({"b": None})
        output.end()
        self.assertEqual("".join(written), '[]\n[{"a": 1},\n {"b": null}]\n')


if __name__ == "__main__":
    unittest.main(verbosity=2)
