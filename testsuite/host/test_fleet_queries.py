#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The queries of fleet/ count the results of `ompd-opencl triage --json`, in SQLite and, if it is
installed, in DuckDB."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import sqlite3
import unittest
from typing import Any, Dict, List, Tuple

from command import run
from harness import SOURCE, environment, main, work_folder
from json_page import Page

FLEET = os.path.join(SOURCE, "fleet")
DAY = 86400
APP = "/srv/app"


def query(name: str) -> str:
    """The text of a file."""
    with open(os.path.join(FLEET, name + ".sql"), encoding="utf-8") as file:
        return file.read()


def verdict(core: str, time: int, host: str, build: str, coarse: str) -> str:
    """A line for a core."""
    row = dict(schema=1, core=core, program=APP, build_id=build, host=host, pid=7, time=time)
    row.update(signal="SIGSEGV", signature=coarse + build, signature_version="1.5f3a9c02")
    row.update(signature_text=coarse, signature_coarse=coarse, findings=[], seconds=0.125)
    row.update(unit=host + ".service", package="app", package_version=build)
    row["class"] = "crash"
    return json.dumps(row)


def group(coarse: str) -> str:
    """What cores with such a signature are counted by."""
    return coarse + " (1.5f3a9c02)"


class TestQueries(unittest.TestCase):
    lines: List[str] = []

    @classmethod
    def setUpClass(cls) -> None:
        late = 10 * DAY
        again = verdict("d", late, "one", "new", "other")
        cls.lines = [
            verdict("a", 1000, "one", "old", "usual"),
            verdict("b", 2000, "two", "old", "usual"),
            verdict("c", late, "one", "new", "usual"),
            again,
            again,
            again[:-9],
        ]
        missing = os.path.join(work_folder("fleet-queries"), "none")
        answer = run(["triage", "--json", missing], environment("icd"))
        cls.lines += answer.output.splitlines()

    def check(self, database: Any) -> None:
        """Each query gives what is in the lines."""
        database.executemany(
            "INSERT INTO verdict_line VALUES (?)", [(line,) for line in self.lines]
        )

        def ask(name: str) -> List[Tuple[Any, ...]]:
            rows: List[Tuple[Any, ...]] = database.execute(query(name)).fetchall()
            return rows

        late, usual, other = 10 * DAY, group("usual"), group("other")
        self.assertEqual(
            ask("top-groups"),
            [
                (APP, usual, "crash", 3, 2, 2, 2, 1000, late, "a"),
                (APP, other, "crash", 1, 1, 1, 1, late, late, "d"),
            ],
        )
        self.assertEqual(
            ask("hosts"),
            [
                ("one", APP, usual, 2, late),
                ("one", APP, other, 1, late),
                ("two", APP, usual, 1, 2000),
            ],
        )
        self.assertEqual(
            ask("builds"),
            [
                (APP, "old", "app old", usual, 2, 1000, 2000),
                (APP, "new", "app new", other, 1, late, late),
                (APP, "new", "app new", usual, 1, late, late),
            ],
        )
        self.assertEqual(
            ask("units"),
            [
                ("one.service", APP, usual, 2, 1, 1000, late, "a"),
                ("one.service", APP, other, 1, 1, late, late, "d"),
                ("two.service", APP, usual, 1, 1, 2000, 2000, "b"),
            ],
        )
        self.assertEqual(ask("new-groups"), [(APP, other, "crash", 1, late, "d")])
        self.assertEqual(ask("regressions"), [(APP, "new", other, 1, late, "d")])
        read, *others = ask("unreadable")
        self.assertEqual(read, ("read", 4, "a"))
        self.assertEqual({row[1] for row in others}, {1})
        self.assertTrue(any("No such file" in row[0] for row in others), others)
        self.assertIn(("no whole line", 1, None), others)

    def test_queries(self) -> None:
        engines: Dict[str, Any] = {"SQLite": sqlite3.connect(":memory:")}
        with contextlib.suppress(ImportError):
            engines["DuckDB"] = importlib.import_module("duckdb").connect()
        for name, database in engines.items():
            with self.subTest(name):
                for statement in query("schema").split(";\n"):
                    database.execute(statement)
                self.check(database)
            database.close()

    def test_keys(self) -> None:
        """What the schema takes from a line is documented."""
        keys: Dict[str, str] = Page().objects["verdict"]
        taken = set(re.findall(r"'\$\.(\w+)'", query("schema")))
        self.assertGreater(len(taken), 10)
        self.assertEqual(taken - set(keys), set())
        other = re.findall(r"JSONExtract\w*\(json, '(\w+)'", query("schema-clickhouse"))
        self.assertEqual(set(other), taken)


if __name__ == "__main__":
    main()
