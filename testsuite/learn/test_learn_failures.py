#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot be learned is refused with one sentence, and no file is written."""

from __future__ import annotations

import os
import unittest
from typing import Dict, List

from learning import INCOMPLETE, OK, folder_of, run, variables_for
from learning import learn_text, learned_in
from command import UNREADABLE, USAGE
from harness import main, program

MADE = program("learn/.libs/libmade-icd.so")
NAMELESS = program("learn/.libs/libnameless-icd.so")

NO_ICD = "libm.so.6"


class TestFailures(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        learn_text("made", variables_for("first", {"made": MADE}))

    def refuse(self, libraries: Dict[str, str], words: List[str], behaviour: str = "") -> str:
        """Learn nothing; returns what was said, which must be one line, about `broken`."""
        variables = variables_for("failures", libraries)
        answer = run(["learn", *words], dict(variables, MADE_ICD=behaviour))
        self.assertEqual((answer.code, answer.output), (INCOMPLETE, ""), answer)
        self.assertEqual(answer.errors.count("\n"), 1, answer.errors)
        self.assertEqual(learned_in(variables["HOME"]), [])
        head = "ompd-opencl: broken: cannot learn the layout: "
        self.assertTrue(answer.errors.startswith(head), answer.errors)
        return answer.errors[len(head) :].strip()

    def test_no_icd(self) -> None:
        self.assertEqual(
            self.refuse({"broken": NO_ICD}, []), "it is not an OpenCL runtime, or has no platform"
        )

    def test_no_library(self) -> None:
        self.assertIn("libnowhere.so", self.refuse({"broken": "libnowhere.so"}, ["broken"]))

    def test_no_platform(self) -> None:
        self.assertIn("no platform", self.refuse({"broken": MADE}, [], "no platform"))

    def test_no_device(self) -> None:
        self.assertEqual(self.refuse({"broken": MADE}, [], "no device"), "it finds no device")

    def test_no_build_id(self) -> None:
        self.assertIn("no build-id", self.refuse({"broken": NAMELESS}, []))

    def test_hang(self) -> None:
        self.assertEqual(
            self.refuse({"broken": MADE}, ["--time-limit", "1"], "hang"),
            "the runtime did not answer within 1 s (step load)",
        )

    def test_crash(self) -> None:
        self.assertIn("the runtime crashed: Aborted", self.refuse({"broken": MADE}, [], "crash"))

    def test_leave(self) -> None:
        self.assertIn("the runtime ended the process", self.refuse({"broken": MADE}, [], "leave"))

    def test_others_are_learned(self) -> None:
        """One that fails does not keep the others from being learned."""
        variables = variables_for("some", {"broken": NO_ICD, "made": MADE})
        answer = run(["learn"], variables)
        self.assertEqual(answer.code, INCOMPLETE)
        self.assertIn("broken: cannot learn the layout: ", answer.errors)
        self.assertEqual(len(learned_in(variables["HOME"])), 1)
        rows = run(["learn", "--json"], variables).objects()
        self.assertEqual([row["installed"] for row in rows], ["broken", "made"])
        self.assertIn("not an OpenCL runtime", rows[0]["error"])
        self.assertNotIn("error", rows[1])

    def test_none_installed(self) -> None:
        for folder in (folder_of("nothing"), "/nowhere/vendors/"):
            variables = dict(variables_for("none", {}), OCL_ICD_VENDORS=folder)
            answer = run(["learn"], variables)
            if folder.startswith("/nowhere"):
                self.assertEqual(answer.code, INCOMPLETE, answer)
                self.assertIn("cannot learn the layout", answer.errors)
            else:
                self.assertEqual(answer.code, UNREADABLE, answer)
                self.assertTrue(answer.is_refusal(), answer)
                self.assertIn("no OpenCL runtime is installed", answer.errors)

    def test_unknown_name(self) -> None:
        answer = run(["learn", "nosuch"], variables_for("unknown", {"made": MADE}))
        self.assertEqual(answer.code, USAGE)
        self.assertTrue(answer.is_refusal(), answer)
        self.assertIn("unknown OpenCL runtime 'nosuch'; use made, or a library", answer.errors)

    def test_output_of_several(self) -> None:
        answer = run(
            ["learn", "--output", "-"], variables_for("several", {"one": MADE, "two": MADE})
        )
        self.assertEqual(answer.code, USAGE)
        self.assertTrue(answer.is_refusal(), answer)

    def test_folder_cannot_be_made(self) -> None:
        """A data folder that is a file, and a read-only home, are reported before the runtime,
        which would never end, is run."""
        variables = dict(variables_for("read-only", {"made": MADE}), MADE_ICD="hang")
        blocked = os.path.join(variables["HOME"], "file")
        with open(blocked, "w", encoding="utf-8"):
            pass
        for folder in (blocked, "/proc/nowhere"):
            with self.subTest(folder):
                words = ["learn", "--time-limit", "86400"]
                answer = run(words, dict(variables, XDG_DATA_HOME=folder))
                self.assertEqual((answer.code, answer.output), (INCOMPLETE, ""))
                self.assertRegex(answer.errors, "cannot create folder %s/.*: " % folder)
                self.assertTrue(answer.is_refusal(), answer)

    def test_file_cannot_be_written(self) -> None:
        """What was there before stays, and nothing half written lies beside it."""
        variables = variables_for("unwritable", {"made": MADE})
        self.assertEqual(run(["learn"], variables).code, OK)
        [path] = learned_in(variables["HOME"])
        os.unlink(path)
        os.mkdir(path)
        answer = run(["learn"], variables)
        self.assertEqual((answer.code, answer.output), (INCOMPLETE, ""))
        self.assertIn("cannot write %s: " % path, answer.errors)
        self.assertEqual(learned_in(variables["HOME"]), [path])

    def test_time_limit(self) -> None:
        for word in ("0", "-1", "soon", "99999999"):
            answer = run(["learn", "--time-limit", word], variables_for("limit", {"made": MADE}))
            self.assertEqual(answer.code, USAGE)
            self.assertTrue(answer.is_refusal(), answer)


if __name__ == "__main__":
    main()
