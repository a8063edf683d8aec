#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl layouts` lists known, useless and missing layouts."""

from __future__ import annotations

import os
import unittest
from typing import Any, Dict, List

from learning import OK, folder_of, learn_text, learned_in, parse, run
from learning import shipped, variables_for
from command import Answer
from harness import SOURCE, main, program
from json_page import Page

MADE = program("learn/.libs/libmade-icd.so")

FINDINGS = 1


def write(folder: str, name: str, text: str) -> str:
    """Write a file of a folder; returns its path."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class TestLayouts(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        learn_text("made", variables_for("first", {"made": MADE}))

    def setUp(self) -> None:
        self.variables = variables_for("layouts", {"made": MADE})

    def listed(self, **variables: str) -> List[Dict[str, Any]]:
        """The rows of JSON Lines."""
        rows = self.answer("--json", **variables).objects()
        Page().check_answer("layout", rows)
        return rows

    def answer(self, *words: str, **variables: str) -> Answer:
        """What the command says."""
        return run(["layouts", *words], dict(self.variables, **variables))

    def test_missing(self) -> None:
        """An installed runtime without a layout is listed with what to do."""
        folder = folder_of("empty")
        answer = self.answer(OMPD_OPENCL_LAYOUT_PATH=folder)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertEqual(
            answer.output, "made (%s) has no layout: run `ompd-opencl learn made`.\n" % MADE
        )
        [row] = self.listed(OMPD_OPENCL_LAYOUT_PATH=folder)
        self.assertEqual((row["installed"], row["module"]), ("made", "libmade-icd.so"))

    def test_learned(self) -> None:
        """What was learned is found in the user's folder and fits."""
        self.assertEqual(run(["learn"], self.variables).code, OK)
        [path] = learned_in(self.variables["HOME"])
        rows = [row for row in self.listed() if row.get("path") == path]
        self.assertEqual(len(rows), 1)
        build_id = parse(learn_text("made", self.variables)).head["build-id"]
        self.assertEqual(
            (rows[0]["runtime"], rows[0]["build_id"], rows[0]["installed"], rows[0]["machine"] > 0),
            ("Made 7", build_id, "made", True),
        )
        output = self.answer().output
        self.assertIn(path, output)
        self.assertIn("matches the installed runtime made (%s)" % MADE, output)
        self.assertNotIn("ompd-opencl learn", output)

    def test_shipped(self) -> None:
        """The layouts of the source tree, of which none fits what is installed here."""
        rows = self.listed(OMPD_OPENCL_LAYOUT_PATH=os.path.join(SOURCE, "layouts"))
        runtimes = [row["runtime"] for row in rows if "path" in row]
        expected = ["AMD Accelerated Parallel Processing 3590.0 (HSA,LC) [Offline]"]
        expected += ["Embree 3.13.5", "Embree 4.3.3", "Embree 4.4.0"]
        expected += ["Intel(R) OpenCL HD Graphics 22.43.24595"]
        expected += ["Oclgrind 21.10"] * 2
        expected += ["Portable Computing Language %s+debian" % each for each in (3.1, 6.0, 7.1)]
        expected += ["rusticl 22.3.6", "rusticl 25.0.7-2+deb13u1", "rusticl 26.2.6-1"]
        self.assertEqual(runtimes, expected)
        self.assertEqual([row["installed"] for row in rows if "installed" in row], ["made"])

    def test_path(self) -> None:
        """Folders count in the order of the path; one that is not there is no matter."""
        first = folder_of("first")
        second = folder_of("second")
        one = write(first, "one.layout", shipped("pocl-3.1.layout"))
        two = write(second, "two.layout", shipped("rusticl-22.3.6.layout"))
        write(first, "three.txt", shipped("pocl-3.1.layout"))
        path = "%s:/nowhere:%s:" % (second, first)
        rows = self.listed(OMPD_OPENCL_LAYOUT_PATH=path)
        self.assertEqual([row["path"] for row in rows if "path" in row], [two, one])

    def test_no_layout(self) -> None:
        """An invalid file is listed with its fault, and the others are listed, too."""
        folder = folder_of("faults")
        text = shipped("pocl-3.1.layout")
        bad = write(folder, "bad.layout", text.replace("object queue", "object quue"))
        good = write(folder, "good.layout", text)
        huge = write(folder, "huge.layout", text + "#\n" * 65536)
        newer = write(folder, "newer.layout", text.replace("layout 1.0", "layout 2.0", 1))
        answer = self.answer(OMPD_OPENCL_LAYOUT_PATH=folder)
        self.assertEqual(answer.code, FINDINGS)
        for path in (bad, huge, newer):
            self.assertIn("%s cannot be used: " % path, answer.output)
        self.assertNotIn("%s cannot be used" % good, answer.output)
        line = text.splitlines().index("object queue") + 1
        self.assertRegex(answer.output, r"bad.layout cannot be used: .*\b%d\b" % line)
        errors = {
            row["path"]: row["error"]
            for row in self.listed(OMPD_OPENCL_LAYOUT_PATH=folder)
            if "error" in row
        }
        self.assertEqual(sorted(errors), [bad, huge, newer])

    def test_unusable_runtime(self) -> None:
        """A runtime that hangs is reported within the time limit."""
        answer = self.answer("--time-limit", "1", MADE_ICD="hang")
        self.assertIn(
            "made (%s) cannot be used: the runtime did not answer within 1 s" % MADE, answer.output
        )


if __name__ == "__main__":
    main()
