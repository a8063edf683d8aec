#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the overview names the sources of a target, and what it says that they lack."""

import os
import sys
import unittest
from typing import Any, Dict, List, Optional
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plugin_modules  # noqa: E402,F401

from ompd_opencl import fields  # noqa: E402
from ompd_opencl import structures as c  # noqa: E402
from ompd_opencl.errors import LibraryError  # noqa: E402
from ompd_opencl.fields import Value  # noqa: E402
from ompd_opencl.sources import Sources  # noqa: E402

ABSENT = Value(0, fields.STATUS_NOT_APPLICABLE, 0, 0)


def number(value: int) -> Value:
    """A known number."""
    return Value(value, fields.STATUS_VALUE, 0, 0)


class FakeRow(Dict[str, Value]):
    """A row by the names of its fields."""

    def number(self, name: str) -> int:
        """See fields.Row."""
        return self[name].value


def runtime(module: str, build_id: str, layout: Optional[str], objects: Optional[int]) -> FakeRow:
    """A runtime, with a layout or without."""
    texts = {"module": module, "build_id": build_id, "layout": layout or ""}
    row = FakeRow({name: Value(0, fields.STATUS_VALUE, 0, 0, text) for name, text in texts.items()})
    if layout is None:
        row["layout"] = ABSENT
    row["objects"] = Value(objects or 0, fields.STATUS_PRESUMED, 0, 0)
    if objects is None:
        row["objects"] = Value(0, fields.STATUS_UNKNOWN, 0, 0)
    return row


def sources(runtimes: List[FakeRow], major: Value = ABSENT, code: int = c.RC_OK) -> Sources:
    """The sources of a session that has RUNTIMES; CODE: asking for them fails."""
    session: Any = mock.MagicMock(has_layouts=True)
    session.rows.return_value.__enter__.return_value = runtimes
    if code != c.RC_OK:
        session.rows.side_effect = LibraryError(code, "No.")
    overview: Any = FakeRow({"recorder_major": major, "recorder_minor": number(1)})
    return Sources(session, overview)


POCL = runtime("/usr/lib/libpocl.so.2.10.0", "4a4365a430d36fff", "PoCL 3.1", 5)
UNUSED = runtime("libother.so", "ab", "Other", 0)
UNFIT = runtime("/lib/lib\x1bnew.so", "1234567890", None, None)
IDLE = runtime("libidle.so", "cd", None, 0)


class TestSources(unittest.TestCase):
    """Sources."""

    def test_line(self) -> None:
        pocl = "layout libpocl.so.2.10.0 (build-id 4a4365a4)"
        self.assertEqual(sources([POCL, UNFIT]).line(), pocl)
        self.assertEqual(sources([POCL], number(1)).line(), "recorder 1.1, " + pocl)
        self.assertEqual(sources([], number(1)).line(), "recorder 1.1")
        self.assertEqual(sources([UNFIT]).line(), "none")

    def test_unreadable_recorder(self) -> None:
        """A recorder whose version cannot be read is there all the same."""
        unreadable = Value(0, fields.STATUS_UNREADABLE, 0, 0)
        self.assertEqual(sources([], unreadable).line(), "recorder ?")

    def test_platforms(self) -> None:
        """Those that are in use."""
        self.assertEqual(sources([POCL, UNUSED, UNFIT]).platforms(), ["PoCL 3.1"])

    def test_notes(self) -> None:
        """A runtime without a layout is missed where no recorder knows its objects."""
        (note,) = sources([POCL, UNFIT]).notes()
        self.assertIn("lib\\x1bnew.so (build-id 12345678)", note)
        self.assertIn("`ompd-opencl learn`", note)
        self.assertEqual(sources([POCL, UNFIT], number(1)).notes(), [])

    def test_no_objects(self) -> None:
        """Of a runtime without objects no layout is missed."""
        self.assertEqual(sources([POCL, IDLE]).notes(), [])
        self.assertEqual(len(sources([IDLE, UNFIT]).notes()), 1)

    def test_failures(self) -> None:
        """Runtimes that cannot be told are none; whatever else fails is told."""
        self.assertEqual(sources([POCL], number(1), c.RC_UNSUPPORTED).line(), "recorder 1.1")
        with self.assertRaises(LibraryError):
            sources([POCL], number(1), c.RC_NOMEM)


if __name__ == "__main__":
    unittest.main(verbosity=2)
