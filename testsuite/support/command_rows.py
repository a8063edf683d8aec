# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the command's rows of an incomplete target with those of the complete one."""

from __future__ import annotations

import unittest
from typing import Any, Dict, List

from command import KEYS, OK, run
from comparing import OF_RUNTIME
from harness import Row

Rows = Dict[str, Dict[Any, Row]]  # of a verb, by key

# Parts of an address's description that need the file of its module.
PLACE = {
    *("symbol", "symbol_offset", "inlined_into", "inlined_at", "is_binding"),
    *("file", "line", "module", "module_offset"),
}

# Keys that the command adds to a row.
MARKS = {"schema", "unknown", "presumed"}


def ask_all(target: List[str], variables: Dict[str, str]) -> Rows:
    """Every list of a target that has all of them."""
    result: Rows = {}
    for verb, keys in KEYS.items():
        answer = run([*target, verb, "--json"], variables)
        if answer.code != OK:
            raise AssertionError("%s: exit code %d: %s" % (verb, answer.code, answer.errors))
        rows = answer.objects()
        result[verb] = {tuple(row[key] for key in keys): row for row in rows}
        if not rows or len(result[verb]) != len(rows):
            raise AssertionError("%s: %d rows" % (verb, len(rows)))
    return result


class RowsCase(unittest.TestCase):
    """Allowed and forbidden differences of rows."""

    def same_places(self, where: str, whole: Row, shown: Row) -> None:
        """The description of an address.  Without debug information the symbol is that of the
        function that others are inlined into."""
        if "symbol" in shown:
            names = [whole.get("symbol"), *whole.get("inlined_into", [])]
            self.assertIn(shown["symbol"], names, where)
        for key in ("file", "line", "module", "module_offset"):
            if key in shown and key in whole:
                self.assertEqual(shown[key], whole[key], where)

    def same_or_marked(self, where: str, whole: Any, shown: Any) -> None:
        """A value is the expected one, or null and listed as unknown."""
        if isinstance(whole, dict) and isinstance(shown, dict):
            marked = shown.get("unknown", {})
            for key in set(whole) | set(shown):
                if key in MARKS or key in marked or key in PLACE:
                    continue
                self.assertIn(key, shown, where)
                self.assertIn(key, whole, where)
                self.same_or_marked("%s %s" % (where, key), whole[key], shown[key])
            self.same_places(where, whole, shown)
        elif isinstance(whole, list) and isinstance(shown, list):
            self.assertEqual(len(whole), len(shown), where)
            for expected, value in zip(whole, shown):
                self.same_or_marked(where, expected, value)
        else:
            self.assertEqual(whole, shown, where)

    def all_but_places(self, whole: Rows, shown: Rows) -> int:
        """All rows are present, and only descriptions of addresses are unknown.  Returns the number
        of named symbols."""
        for verb, rows in whole.items():
            self.assertEqual(list(rows), list(shown[verb]))
            for key, row in rows.items():
                self.assertLessEqual(set(shown[verb][key].get("unknown", {})), OF_RUNTIME)
                self.same_or_marked("%s %s" % (verb, key), row, shown[verb][key])
        return str(shown).count("'symbol'")
