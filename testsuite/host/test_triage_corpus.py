#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small part of `make bench-triage`: cores of the same known bug have the same keys in all
builds, and those of other bugs have others."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import unittest
from typing import Dict, List, Optional, Set

import b_cubed
import seeded_cores
from b_cubed import Item
from harness import Row, main, work_folder
from kernel_core import skip_without_cores
from seeded_bugs import BUGS
from seeded_variants import Variant

KEYS = ("signature", "signature_coarse")
HOLDS = """
import seeded_cores, signal, sys
with seeded_cores.Folder(sys.argv[1]) as folder:
    open(folder + "/core", "w").write("a core")
    print(folder, flush=True)
    signal.pause()
"""


class TestFigures(unittest.TestCase):
    """The figures themselves."""

    def test_perfect(self) -> None:
        items = [Item("a", "1"), Item("a", "1"), Item("b", "2")]
        self.assertEqual(b_cubed.measure(items), (1, 1))
        self.assertEqual((b_cubed.merged(items), b_cubed.split(items)), ([], []))

    def test_merged_and_split(self) -> None:
        """Of a class of three and one of one: two and the stranger under one key, one without."""
        items = [
            Item("a", "1", "x"),
            Item("a", "1", "y"),
            Item("a", None, "z"),
            Item("b", "1", "x"),
        ]
        figures = b_cubed.measure(items)
        self.assertAlmostEqual(figures.precision, (2 / 3 + 2 / 3 + 1 + 1 / 3) / 4)
        self.assertAlmostEqual(figures.recall, (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4)
        self.assertAlmostEqual(figures.score(), 2 / 3)
        self.assertEqual(b_cubed.merged(items), [("1", {"a": 2, "b": 1})])
        self.assertEqual(b_cubed.split(items), [("a", [("1", {"x", "y"}), ("none", {"z"})])])

    def test_without(self) -> None:
        """What has no key is in no group with others that have none."""
        items = [Item("a", None), Item("b", None)]
        self.assertEqual(b_cubed.measure(items), (1, 1))


class TestFolder(unittest.TestCase):
    """What holds cores goes when the process does."""

    def test_killed(self) -> None:
        parent = work_folder("corpus-killed")
        with subprocess.Popen(
            [sys.executable, "-B", "-c", HOLDS, parent], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            path = process.stdout.readline().decode().strip()
            self.assertEqual(os.listdir(path), ["core"])
            process.kill()
            # What removes the folder has this open until it ends.
            self.assertEqual(process.stdout.read(), b"")
        self.assertEqual(os.listdir(parent), [])

    def test_stale(self) -> None:
        """What lost power is removed by the next, unless another one is at work in it."""
        parent = work_folder("corpus-stale")
        for name in ("cores-stale", "cores-held"):
            os.mkdir(os.path.join(parent, name))
        held = os.open(os.path.join(parent, "cores-held"), os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        with seeded_cores.Folder(parent) as path:
            self.assertEqual(set(os.listdir(parent)), {"cores-held", os.path.basename(path)})
        os.close(held)
        self.assertEqual(os.listdir(parent), ["cores-held"])


class TestCorpus(unittest.TestCase):
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = work_folder("corpus")

    def judge(self, bugs: List[str], variants: Dict[str, Variant]) -> List[Row]:
        """The rows of these, of each of which there is a core."""
        with seeded_cores.Folder(self.folder) as folder:
            rows = [
                seeded_cores.judge(BUGS[bug], name, variant, self.folder, folder, False)
                for bug in bugs
                for name, variant in variants.items()
            ]
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual([row.get("why") for row in rows], [None] * len(rows))
        return rows

    def keys(self, rows: List[Row], key: str) -> Dict[str, Set[Optional[str]]]:
        """Those of each class, of which no two have one in common."""
        items = [Item(row["truth"], row[key], row["variant"]) for row in rows]
        self.assertEqual(b_cubed.merged(items), [])
        self.assertEqual(b_cubed.measure(items).precision, 1)
        keys: Dict[str, Set[Optional[str]]] = {}
        for item in items:
            keys.setdefault(item.truth, set()).add(item.key)
        return keys

    def test_deaths(self) -> None:
        """Inlining and whole-program optimisation change no key.  Without names main still has one.
        Cores without a stack have no key, unless registers show it."""
        skip_without_cores(self)
        variants = {
            "as built": Variant("", "icd"),
            "lto": Variant("lto", "icd"),
            "no recorder": Variant("", "icd", recorder=False),
            "stripped": Variant("stripped", "icd"),
            "truncated": Variant("", "icd", kept="part"),
        }
        rows = self.judge(["leave segv", "leave abort", "leave call", "leave call-data"], variants)
        for key in KEYS:
            keys = self.keys(rows, key)
            # Where main itself dies registers tell it; of what calls no code only names do.
            counts = {truth: len(found) for truth, found in keys.items()}
            self.assertEqual(counts, {"leave segv": 1, "leave abort": 2, "leave call": 3}, keys)
            without = [(row["bug"], row["variant"]) for row in rows if row[key] is None]
            cut = [(bug, "truncated") for bug in ("leave abort", "leave call", "leave call-data")]
            self.assertEqual(without, cut)

    def test_hangs(self) -> None:
        """Who waits is known by the stack where the recorder has not seen the call."""
        variants = {"as built": Variant(""), "no recorder": Variant("", recorder=False)}
        rows = self.judge(["waiting user-events", "waiting user-read"], variants)
        for key in KEYS:
            counts = [len(found) for found in self.keys(rows, key).values()]
            self.assertEqual(counts, [1, 1])


if __name__ == "__main__":
    main()
