#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layout of a test runtime is that of made-icd.c; and how learning survives its
failures."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from typing import Dict

from learning import INCOMPLETE, OK, folder_of, learn_text, learned_in
from learning import parse, run, variables_for
from command import COMMAND
from harness import main, program
from json_page import Page

MADE = program("learn/.libs/libmade-icd.so")

MAGIC = "0x7a11c0de0000000%d"

# What struct made is like, from its member `table` on.
BUFFER = [
    "rule 8 8 %s %s" % (MAGIC % 3, MAGIC % 3),
    "rule -4 4 1 0xffffff",
    "dying -4 4",
    "field references -4 4",
    "field context 16 8",
    "field size 40 8",
    "field flags 32 8",
    "field host_pointer 56 8",
    "unless 104 8 0x8000000000000000 0x8000000000000000",
    "field parent 24 8",
    "when 104 8 0x8000000000000000 0x8000000000000000",
    "field origin 48 8",
    "holds context 1",
    "holds buffer 1",
    "dying-holds context 1",
    "dying-holds buffer 1",
    "list destructors range 64 72 16 oldest-first",
    "element function 0 8",
    "element user_data 8 8",
]


class TestLearnMade(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        learn_text("made", variables_for("first", {"made": MADE}))

    def setUp(self) -> None:
        self.variables = variables_for("made", {"made": MADE})

    def test_truth(self) -> None:
        layout = parse(learn_text("made", self.variables))
        self.assertEqual(layout.head["runtime"], "Made 7")
        self.assertEqual(
            sorted(layout.objects), ["buffer", "context", "program", "queue", "sampler"]
        )
        for line in BUFFER:
            self.assertIn(line, layout.objects["buffer"])
        self.assertIn("field properties 32 8", layout.objects["queue"])
        self.assertIn("internal 96 1 0x1", layout.objects["queue"])
        self.assertIn("field context 16 8", layout.objects["sampler"])

    def test_unwritten_bytes(self) -> None:
        """What the runtime leaves unwritten is no number of a class, and the OpenCL context's own
        is found where it alone has it."""
        rules = [
            line
            for line in parse(learn_text("made", self.variables)).objects["context"]
            if line.startswith("rule")
        ]
        self.assertEqual(
            rules, ["rule 32 8 0x7a11c0de01000001 0x7a11c0de01000001", "rule -4 4 1 0xffffff"]
        )

    def test_number_in_half_a_word(self) -> None:
        """What makes an address of the number of a class by chance changes nothing."""
        layout = parse(learn_text("made", dict(self.variables, MADE_ICD="halves")))
        for kind, digit in (("queue", 2), ("buffer", 3), ("sampler", 4), ("program", 5)):
            self.assertIn("rule 8 4 0xec4cf00%d 0xec4cf00%d" % (digit, digit), layout.objects[kind])

    def test_no_more_than_truth(self) -> None:
        """Nothing is in the layout but the members of the struct."""
        for kind, lines in parse(learn_text("made", self.variables)).objects.items():
            for line in lines:
                word, _, rest = line.partition(" ")
                if word == "field":
                    self.assertIn(rest.split()[1], ("-4", "16", "24", "32", "40", "48", "56"), kind)

    def test_written_to_home(self) -> None:
        """Without --output the layout lies in the user's folder, called for its build-id."""
        answer = run(["learn", "made"], self.variables)
        self.assertEqual(answer.code, OK, answer)
        [path] = learned_in(self.variables["HOME"])
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(os.path.basename(path), parse(text).head["build-id"] + ".layout")
        self.assertEqual(answer.output, "Made 7: %s\n" % path)
        self.assertEqual(text, learn_text("made", self.variables))

    def test_json(self) -> None:
        answer = run(["learn", "--json"], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        [row] = answer.objects()
        Page().check_answer("layout", [row])
        self.assertEqual((row["installed"], row["runtime"]), ("made", "Made 7"))
        self.assertEqual([row["path"]], learned_in(self.variables["HOME"]))
        self.assertIn("context: no list devices", row["left_out"])

    def test_what_it_does_not_survive(self) -> None:
        """A call that hangs or crashes costs what it is about, and no more."""
        whole = learn_text("made", self.variables)
        for behaviour, why in (("hang", "did not answer"), ("crash", "crashed")):
            with self.subTest(behaviour):
                answer = run(
                    ["learn", "--time-limit", "5", "--output", "-", "made"],
                    dict(self.variables, MADE_ICD=behaviour + " in images"),
                )
                self.assertEqual(answer.code, OK, answer)
                self.assertIn("images: skipped because the runtime %s\n" % why, answer.errors)
                self.assertEqual(answer.output, whole)

    def test_step_that_others_need(self) -> None:
        """What a runtime does not survive costs nothing of what was made before."""
        whole = parse(learn_text("made", self.variables)).objects
        rest = {kind: lines for kind, lines in whole.items() if kind != "buffer"}
        answer = run(
            ["learn", "--output", "-", "made"], dict(self.variables, MADE_ICD="crash in buffers")
        )
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("buffers: skipped because the runtime crashed\n", answer.errors)
        self.assertEqual(parse(answer.output).objects, rest)
        answer = run(
            ["learn", "--output", "-", "made"],
            dict(self.variables, MADE_ICD="crash in host pointers"),
        )
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("host pointers: skipped because the runtime crashed\n", answer.errors)
        # With its condition.
        about = ("field host_pointer", "unless")
        rest["buffer"] = [line for line in whole["buffer"] if not line.startswith(about)]
        self.assertEqual(parse(answer.output).objects, rest)

    def test_devices(self) -> None:
        """A runtime that has one device, and takes it twice for once, keeps more when it is given
        others; what it does not survive costs the devices alone."""
        whole = parse(learn_text("made", self.variables)).objects
        expected = list(whole["context"])
        variables = dict(self.variables, MADE_ICD="devices")
        told = parse(learn_text("made", variables)).objects["context"]
        lines = ["field device_count 120 4", "list devices array 112 120 8 oldest-first"]
        for line in [*lines, "element device 0 8 16"]:
            self.assertIn(line, told)
            told.remove(line)
        self.assertEqual(told, expected)
        answer = run(
            ["learn", "--output", "-", "made"],
            dict(self.variables, MADE_ICD="crash in device copies"),
        )
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("device copies: skipped because the runtime crashed\n", answer.errors)
        self.assertEqual(parse(answer.output).objects, whole)

    def test_callbacks_later(self) -> None:
        """What an object holds is seen though a thread of the runtime's lets go of it, after the
        callbacks."""
        whole = learn_text("made", self.variables)
        variables = dict(self.variables, MADE_ICD="callbacks later")
        self.assertEqual(learn_text("made", variables), whole)

    def test_files_that_it_leaves(self) -> None:
        """What a runtime writes where it works is nowhere afterwards."""
        here, temporary = folder_of("made-here"), folder_of("made-temporary")
        variables = dict(self.variables, MADE_ICD="leave a file", TMPDIR=temporary)
        done = subprocess.run(
            [COMMAND, "learn", "--output", "-", "made"],
            cwd=here,
            env=variables,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        )
        self.assertIn("object buffer\n", done.stdout)
        self.assertEqual((os.listdir(here), os.listdir(temporary)), ([], []))

    def test_no_folder_to_work_in(self) -> None:
        """Where there is no room for what a runtime writes it is not run: it would write where the
        user is."""
        variables = dict(self.variables, MADE_ICD="leave a file", TMPDIR="/proc/nowhere")
        here = folder_of("made-nowhere")
        done = subprocess.run(
            [COMMAND, "learn", "--output", "-", "made"],
            cwd=here,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            check=False,
        )
        sentence = "cannot create a work folder in /proc/nowhere: No such file or directory; "
        sentence += "set TMPDIR"
        self.assertEqual((done.returncode, done.stdout), (INCOMPLETE, ""))
        self.assertEqual(done.stderr, "ompd-opencl: made: cannot learn the layout: %s\n" % sentence)
        self.assertEqual(os.listdir(here), [])

    def test_home_that_is_not_there(self) -> None:
        """What a runtime keeps of its own has a place, whatever the user's home is."""
        variables = dict(self.variables, MADE_ICD="keep something", HOME="/proc/nowhere")
        variables.pop("XDG_CACHE_HOME", None)
        answer = run(["learn", "--output", "-", "made"], variables)
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("object buffer\n", answer.output)

    def test_name_of_an_icd_file(self) -> None:
        """With its suffix, it is that of what is installed."""
        for name in ("made", "made.icd"):
            answer = run(["learn", "--output", "-", name], self.variables)
            self.assertEqual(answer.code, OK, answer)
            self.assertIn("object buffer\n", answer.output)

    def test_simulated_device(self) -> None:
        """A runtime called as Intel's NEO is asked for the device that NEO simulates, when it has
        none."""
        library = os.path.join(folder_of("made-neo"), "libigdrcl.so")
        shutil.copy(MADE, library)
        variables = dict(variables_for("neo", {"neo": library}), MADE_ICD="simulated device")
        answer = run(["learn", "--output", "-", "neo"], variables)
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("neo: no device was found; learned with a simulated one\n", answer.errors)
        self.assertIn("object buffer\n", answer.output)
        variables["MADE_ICD"] = ""
        self.assertNotIn("simulates", run(["learn", "--output", "-", "neo"], variables).errors)


if __name__ == "__main__":
    main()
