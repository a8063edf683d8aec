#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl triage` reads a core once even if it is named a thousand times, and counts it as
often.  If it is unsure, it reads again."""

from __future__ import annotations

import json
import os
import shutil
import unittest
from typing import Any, Dict, List

from command import FINDINGS, OK, run
from fleet_runs import write_program
from harness import environment, main, work_folder
from journal import core_entry
from opens import Opens
from test_command_triage import abort_at, require_cores

MANY = 1000
LARGE = (16 << 20) + 1


class TestSame(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    core = ""

    @classmethod
    def setUpClass(cls) -> None:
        require_cores()
        cls.variables = environment("icd")
        work = work_folder("command-same")
        cls.folder = os.path.join(work, "cores")
        os.mkdir(cls.folder)
        core = abort_at("main", os.path.join(work, "dies"), cls.variables)
        cls.core = os.path.join(work, "core")
        answer = run(["--core", core, "save", cls.core], cls.variables)
        assert answer.code == OK, answer.errors
        os.unlink(core)

    def setUp(self) -> None:
        shutil.rmtree(self.folder)
        os.mkdir(self.folder)
        self.opens = Opens(self.folder)
        self.addCleanup(self.opens.close)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def copy(self, name: str, more: bytes = b"") -> str:
        """Another file with the core, and more behind it."""
        shutil.copy(self.core, self.path(name))
        with open(self.path(name), "ab") as file:
            file.write(more)
        self.opens.take()
        return self.path(name)

    def rows(self, *cores: str) -> List[Dict[str, Any]]:
        """A row for each of the cores, in their order, alike but for the path."""
        answer = run(["triage", "--json", *cores], self.variables)
        self.assertEqual((answer.code, answer.errors), (FINDINGS, ""))
        rows = answer.objects()
        self.assertEqual([row.pop("core") for row in rows], list(cores))
        return rows

    def counts(self, *cores: str) -> List[int]:
        """How many are in each group."""
        rows = run(["triage", "--group", "--json", *cores], self.variables).objects()
        return [row["cores"] for row in rows]

    def looks(self) -> int:
        """How often cores were opened."""
        return sum(self.opens.take().values())

    def test_links(self) -> None:
        """A thousand names of one file: one look, and a thousand lines."""
        core = self.copy("core")
        cores = [core]
        for number in range(1, MANY):
            cores.append(self.path('"%d\n\\' % number))
            if number % 2:
                os.link(core, cores[-1])
            else:
                os.symlink(core, cores[-1])
        rows = self.rows(*cores)
        self.assertEqual(self.looks(), 1)
        self.assertEqual(len({json.dumps(row) for row in rows}), 1)
        lines = run(["triage", *cores], self.variables).output.splitlines()
        self.assertEqual(self.looks(), 1)
        self.assertEqual(len(lines), MANY)
        self.assertEqual(lines[1], lines[0].replace(core, self.path('"1\\n\\\\')))
        self.assertEqual(len({line[len(self.folder) :].split(": ")[1] for line in lines}), 1)
        self.assertEqual(self.counts(*cores), [MANY])
        self.assertEqual(self.looks(), 1)

    def test_twice(self) -> None:
        """The same path, with another core between."""
        one, other = self.copy("one"), self.copy("other")
        self.assertEqual(len(self.rows(one, other, one)), 3)
        self.assertEqual(self.opens.take(), {"one": 1, "other": 1})
        for option in ("--no-sandbox", "--memory-limit=1G"):
            output = run(["triage", option, one, one], self.variables).output
            self.assertEqual(len(set(output.splitlines())), 1)
            self.assertEqual(self.looks(), 1)

    def test_copies(self) -> None:
        """Copies have a line each, because each has a time, but are read once."""
        cores = [self.copy("%d" % number) for number in range(5)][::-1]
        os.utime(cores[1], (1000, 1000))
        self.assertEqual(self.rows(*cores)[1]["time"], 1000)
        self.assertEqual(self.looks(), len(cores))
        self.assertEqual(self.counts(*cores), [5])
        opens = self.opens.take()
        # A copy is opened to be compared, the first is compared with each and looked at.
        self.assertEqual(sum(opens.values()), 2 * (len(cores) - 1) + 1, opens)
        output = run(["triage", "--group", *cores], self.variables).output
        self.assertIn("; e.g. %s\n" % cores[0], output)

    def test_not_sure(self) -> None:
        """Files that differ in their last byte, and large files, are read."""
        differing = [self.copy("a", b"a"), self.copy("b", b"b")]
        self.assertEqual(self.counts(*differing), [2])
        self.assertEqual(self.opens.take(), {"a": 2, "b": 2})
        large = [self.copy("large"), self.copy("copy")]
        for core in large:
            os.truncate(core, LARGE)
        self.opens.take()
        self.assertEqual(self.counts(*large), [2])
        self.assertEqual(self.opens.take(), {"large": 1, "copy": 1})

    def test_failures(self) -> None:
        """What failed once is tried again, and each line names its own core."""
        bad = self.copy("bad")
        os.truncate(bad, 100)
        os.link(bad, self.path("worse"))
        self.opens.take()
        lines = run(["triage", bad, self.path("worse")], self.variables).output.splitlines()
        self.assertEqual(self.looks(), 2)
        self.assertNotIn("bad", lines[1])

    def test_journal(self) -> None:
        """Two names of one file with different journal entries are reported with these."""
        names = [self.copy("one"), self.path("two")]
        os.link(*names)
        self.opens.take()
        output = os.path.join(self.folder, os.pardir, "output")
        with open(output, "wb") as file:
            for number, name in enumerate(names):
                fields = [("COREDUMP_FILENAME", name), ("COREDUMP_UNIT", "unit-%d" % number)]
                file.write(core_entry(number, list(fields)))
        folder = os.path.dirname(self.folder)
        write_program(os.path.join(folder, "bin"), "journalctl", "cat '%s'" % output)
        path = os.path.join(folder, "bin") + ":" + self.variables["PATH"]
        variables = dict(self.variables, PATH=path)
        rows = run(["triage", "--json", "--journal", *names, names[0]], variables).objects()
        self.assertEqual([row["unit"] for row in rows], ["unit-0", "unit-1", "unit-0"])
        self.assertEqual(self.looks(), 2)


if __name__ == "__main__":
    main()
