#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of schema/ have unique numbers and known names, and generated files are up to date.

The C compiler checks that a field is a member of its struct and has the right type.
"""

import collections
import os
import subprocess
import sys
import unittest
from typing import Dict, List, Set

import generate
from source_tree import SOURCE

KINDS = "schema/kinds.def"
REGISTRY = "schema/registry.def"


def fields_of_records() -> Dict[str, Set[str]]:
    """The fields that the record of each table has."""
    found: Dict[str, Set[str]] = collections.defaultdict(set)
    for line in generate.table(REGISTRY):
        if line.macro in ("MEMBER", "ARRAY", "TAIL", "PART"):
            found[line.arguments[0]].add(line.arguments[-1 if line.macro == "PART" else 2])
    return found


class TablesTest(unittest.TestCase):
    """What the tables say of each other."""

    def assert_none(self, faults: List[str]) -> None:
        """Fail with one fault a line."""
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_numbers(self) -> None:
        """A number, and a name, is of one kind, table or field."""
        for path, macro, least in (
            (KINDS, "KIND_BEGIN", 30),
            (REGISTRY, "REGISTRY_TABLE", 20),
            (REGISTRY, "REGISTRY_FIELD", 100),
        ):
            lines = [line.arguments[:2] for line in generate.table(path) if line.macro == macro]
            self.assertGreater(len(lines), least, macro)
            for place in (0, 1):
                counts = collections.Counter(line[place] for line in lines)
                self.assert_none([f"{macro}: {one}" for one in counts if counts[one] > 1])

    def test_recorded(self) -> None:
        """A field that is recorded is in the record that makes the row, under its kind."""
        records = fields_of_records()
        self.assertGreater(len(records["memobj"]), 20)
        faults = []
        seen = 0
        table_of: Dict[str, str] = {}
        members: Dict[str, Set[str]] = collections.defaultdict(set)
        for line in generate.table(KINDS):
            kind = line.arguments[0]
            if line.macro == "RECORDS":
                table_of[kind] = line.arguments[1]
            elif line.macro in ("FIELD", "NAMED"):
                members[kind].add(line.arguments[1])
            elif line.macro in ("FIELD_AT", "NAMED_AT"):
                members[kind].add(line.arguments[2])
            elif line.macro in ("RECORDED", "LAYOUT", "LAYOUT_OF_IMAGE"):
                seen += 1
                member, field = line.arguments[1:3]
                if member not in members[kind]:
                    faults.append(f"{line.macro}: {kind}.{member} is no field")
                if line.macro == "RECORDED" and field not in records[table_of.get(kind, "")]:
                    faults.append(f"{kind}.{member}: its record has no {field}")
        self.assertGreater(seen, 200)
        self.assert_none(faults)

    def test_registry(self) -> None:
        """Each table has a record, and all fields of records have a number."""
        lines = generate.table(REGISTRY)
        numbered = {line.arguments[1] for line in lines if line.macro == "REGISTRY_FIELD"}
        tables = {line.arguments[1] for line in lines if line.macro == "REGISTRY_TABLE"}
        records = fields_of_records()
        self.assertEqual(tables, set(records))
        unknown = set().union(*records.values()) - numbered
        self.assertFalse(unknown)

    def test_written(self) -> None:
        """The header and the module that are written from the tables are what these say."""
        script = os.path.join(SOURCE, "schema", "generate.py")
        done = subprocess.run(
            [sys.executable, "-B", script, "--check"],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
