#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program `embree` runs each of its scenarios to the end, where Embree has returned all memory,
and knows all of its objects."""

from __future__ import annotations

import unittest
from typing import Any, Dict

from embree import embree_started, library, run_to_end
from harness import main, read_truth, work_folder

# The stops of each scenario that is correct.
STOPS = {
    "devices": ["main", "end"],
    "leaks": ["main", "end"],
    "subdivision": ["main", "end"],
    "dynamic": ["main", "end"],
    "qualities": ["main", "end"],
    "bvh": ["main", "end"],
    "cancel": ["cancelled", "main", "end"],
    "building": ["building", "end"],
    "in-monitor": ["main", "end"],
    "correct-monitor-code": ["main", "end"],
    "correct-monitor-data": ["main", "end"],
    "correct-shared-freed": ["main", "end"],
    "correct-shared-short": ["main", "end"],
    "correct-shared-size": ["main", "end"],
    "correct-shared-unmapped": ["main", "end"],
    "correct-device-released": ["main", "end"],
    "correct-error-unread": ["main", "end"],
}
# One with a mistake ends at its stop.
MISTAKES = [name.replace("correct", "mistake") for name in STOPS if name.startswith("correct")]
KINDS = ("devices", "scenes", "geometries", "buffers")


class ProgramCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)

    def folder(self, scenario: str) -> str:
        """A folder for a scenario."""
        return work_folder("%s-%s" % (self.name, scenario))

    def test_correct(self) -> None:
        """Nothing is left in the end; before that the program knows whose each reference is."""
        for scenario, stops in STOPS.items():
            with self.subTest(scenario):
                folder = self.folder(scenario)
                self.assertEqual(run_to_end(folder, scenario, [self.library]), stops)
                for stop in stops[:-1]:
                    self.check(read_truth(folder, stop), scenario == "in-monitor")
                end = read_truth(folder, "end")
                leaked = [row for row in end["devices"] if row["leaked_references"]]
                self.assertEqual(end["devices"], leaked)
                self.assertEqual([end[kind] for kind in KINDS[1:]], [[], [], []])

    def test_arrays(self) -> None:
        """Embree 3 has no instance arrays."""
        if self.name != "embree3":
            folder = self.folder("arrays")
            self.assertEqual(run_to_end(folder, "arrays", [self.library]), ["main", "end"])
            self.check(read_truth(folder, "main"))

    def test_mistakes(self) -> None:
        for scenario in MISTAKES:
            with self.subTest(scenario):
                folder = self.folder(scenario)
                self.assertEqual(run_to_end(folder, scenario, [self.library]), ["main"])
                truth = read_truth(folder, "main")
                self.check(truth)
                self.assertIn("subject", truth)

    def test_six_devices(self) -> None:
        """Two were released, and a buffer keeps one of them alive."""
        with embree_started(self.folder("six"), "devices", self.library) as process:
            devices = process.wait_for("main")["devices"]
            self.assertEqual([row["name"] for row in devices], ["d0", "d1", "d2", "d3", "d5"])
            states = [row["state"] for row in devices]
            self.assertEqual(states, ["live"] * 4 + ["app-released"])
            process.go_on()
            self.assertEqual(process.wait_for("end")["devices"], [])

    def check(self, truth: Dict[str, Any], is_in_call: bool = False) -> None:
        """Each reference of a device is the program's or an object's.  Embree 4 has one more in
        each call of its functions."""
        self.assertGreater(len(truth["devices"]), 0)
        for row in truth["devices"]:
            objects = sum(row[kind] for kind in (*KINDS[1:], "bvhs"))
            owned = row["references"] + row["leaked_references"] + objects
            others = row["runtime_references"] - owned
            self.assertIn(others, (0, 1) if is_in_call else (0,), row)


class TestEmbree3(ProgramCase):
    name = "embree3"


class TestEmbree4(ProgramCase):
    name = "embree4"


class TestEmbreex(ProgramCase):
    name = "embreex"


del ProgramCase  # it is of no library


if __name__ == "__main__":
    main()
