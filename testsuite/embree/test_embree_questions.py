#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""leaks, holders, graph, diff and report on a program that uses Embree and no OpenCL."""

from __future__ import annotations

import os
import unittest
from typing import List, Set, Tuple

from command import FINDINGS, OK, Answer, run
from embree import embree_core, embree_environment, embree_started, library
from harness import SOURCE, Row, main, read_truth, work_folder
from json_page import Page

# Correct programs, which lose no handle.
CORRECT = ("devices", "subdivision", "dynamic", "qualities", "bvh", "building", "in-monitor")


def ask(target: List[str], *words: str) -> Answer:
    """The command's answer about a target."""
    layouts = os.path.join(SOURCE, "layouts")
    return run([*target, *words], dict(embree_environment(), OMPD_OPENCL_LAYOUT_PATH=layouts))


def edges_of(rows: List[Row]) -> Set[Tuple[str, str, str]]:
    """The edges of a graph between handles."""
    handles = {row["node"]: row["handle"] for row in rows if "node" in row}
    return {
        (handles[row["from"]], row["relation"], handles[row["to"]]) for row in rows if "from" in row
    }


class QuestionCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)

    def test_json(self) -> None:
        """The keys of all answers are those of the manual."""
        page = Page()
        folder = work_folder(self.name + "-json")
        with embree_started(folder, "devices", self.library) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            scene, geometry = truth["scenes"][0]["handle"], truth["geometries"][0]["handle"]
            words = [[verb] for verb in page.verbs if verb.endswith("s") and "embree" in verb]
            words += [["embree-scene", scene], ["embree-geometry", geometry], ["embree"]]
            for question in words:
                rows = ask(target, *question, "--json").objects()
                self.assertNotEqual(rows, [], question)
                page.check_answer(page.verbs[question[0]], rows)
            page.check_answer("overview", ask(target, "overview", "--json").objects())
        for key in ("scene attached_geometries", "geometry bound_buffers", "device released"):
            self.assertIn("embree_" + key, page.seen)

    def test_leaks(self) -> None:
        """What is reported is lost.  Of two objects each word is known."""
        folder = work_folder(self.name + "-leaks")
        with embree_started(folder, "leaks", self.library) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            answer = ask(target, "leaks", "--json")
            text = ask(target, "embree", "leaks")
            scenes = [row["handle"] for row in truth["scenes"] if not row["is_lost"]]
            sites = [ask(target, "holders", scene, "--json").objects() for scene in scenes]
            held = [ask(target, "holders", row["handle"]) for row in truth["devices"]]
        found = {row["handle"] for row in answer.objects()}
        rows = [row for kind in ("scenes", "geometries", "buffers") for row in truth[kind]]
        lost = {row["handle"] for row in rows if row["is_lost"] and row["references"]}
        alone = {
            row["handle"]
            for row in rows
            if row["handle"] in lost and row["runtime_references"] == row["references"]
        }
        all_scenes = {row["handle"] for row in truth["scenes"]}
        self.assertEqual(found - lost, set())
        self.assertEqual(alone - all_scenes - found, set())
        self.assertGreater(len(found), 1)
        self.assertEqual((answer.code, text.code), (FINDINGS, FINDINGS))
        self.assertIn("lost: not found in the program's memory", text.output)
        self.assertIn("Embree geometry", text.output)
        # Hierarchies, which begin with a virtual table, have the handle of their scene.
        owners = [row["owner"] for rows in sites for row in rows if row["storage"] == "heap"]
        self.assertEqual(set(owners), {"runtime"})
        # The device is in a variable of the program, and in objects of Embree.
        for one in held:
            self.assertIn("held by the variable `objects", one.output)
            self.assertRegex(one.output, r"Also at \d+ places in Embree's own memory")

    def test_correct(self) -> None:
        for scenario in CORRECT:
            folder = work_folder("%s-%s" % (self.name, scenario))
            with self.subTest(scenario), embree_started(folder, scenario, self.library) as process:
                process.await_stop("building" if scenario == "building" else "main")
                answer = ask(["--pid", str(process.pid)], "leaks")
                self.assertEqual(answer.output.splitlines()[0], "No leaks.")
                self.assertEqual(answer.code, OK)

    def test_kept(self) -> None:
        """A buffer keeps a device alive that the program has released."""
        folder = work_folder(self.name + "-kept")
        with embree_started(folder, "devices", self.library) as process:
            truth = process.wait_for("main")
            answer = ask(["--pid", str(process.pid)], "leaks")
        (device,) = [row["handle"] for row in truth["devices"] if row["state"] != "live"]
        (buffer,) = [row["handle"] for row in truth["buffers"] if row["device"] == device]
        wanted = "  Embree device %s: Embree buffer %s keeps it alive" % (device, buffer)
        self.assertIn(wanted, answer.output.splitlines())

    def test_graph(self) -> None:
        """Devices have scenes, scenes geometries, and geometries buffers."""
        folder = work_folder(self.name + "-graph")
        with embree_started(folder, "devices", self.library) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            edges = edges_of(ask(target, "graph", "--json").objects())
            dot = ask(target, "embree", "graph").output
            page = os.path.join(folder, "page.html")
            report = ask(target, "report", page)
        for row in truth["scenes"]:
            self.assertIn((row["device"], "has", row["handle"]), edges)
        shows = [edge for edge in edges if edge[1] == "shows"]
        self.assertGreater(len(shows), 0)
        self.assertIn('digraph "Embree"', dot)
        self.assertEqual(report.code, OK, report)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("<title>Embree in ", text)
        for row in [*truth["devices"], *truth["scenes"]]:
            self.assertIn(row["handle"], text)

    def test_diff(self) -> None:
        """The objects of a core and of a process are counted, by kind."""
        folder = work_folder(self.name + "-before")
        core = embree_core(folder, "dynamic", self.library)
        before = read_truth(folder, "main")
        folder = work_folder(self.name + "-after")
        with embree_started(folder, "devices", self.library) as process:
            after = process.wait_for("main")
            answer = ask(["--pid", str(process.pid)], "diff", core, "--json")
        self.assertEqual(answer.code, FINDINGS, answer)
        (totals,) = [row["totals"] for row in answer.objects() if "totals" in row]
        for total in totals:
            key = {"embree_device": "devices", "embree_scene": "scenes"}.get(total["kind"])
            if key is not None:
                wanted = (len(before[key]), len(after[key]))
                self.assertEqual((total["before"], total["after"]), wanted)
        self.assertEqual(len(totals), 4)


class TestEmbree3(QuestionCase):
    name = "embree3"


class TestEmbree4(QuestionCase):
    name = "embree4"


class TestEmbreex(QuestionCase):
    name = "embreex"


del QuestionCase  # it is of no library


if __name__ == "__main__":
    main()
