#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embree in GDB: the commands `embree …`, and printers of handles, live and on a core."""

import json
import os
import re
import unittest
from typing import Dict, List

from embree import library
from embree_debuggers import debugger_environment
from harness import Session, ask, main, program, run_gdb, work_folder

PROGRAM = "programs/embree-accounts"
STOP = "break embree-accounts.c:step if name[0] == '%s' && name[1] == '%s'"
BYTES = 2626716  # of the first device with its scene, as its monitor has added them up
BOUND = "(?:at least )?"  # memory that a core may lack
OWN = r", 1 reference \(presumed\)>$"
VALUES = {  # of the scenario `alone`
    "devices[0]": "^0x[0-9a-f]+ <Embree device, BOUND%d B .* in use, memory monitor count at .*"
    % BYTES
    + OWN,
    "devices[1]": "^0x[0-9a-f]+ <Embree device, BOUND0 B in use, memory monitor count .*" + OWN,
    "scene": r"^0x[0-9a-f]+ <Embree scene, committed, BOUND1 geometry, 1906688 B .*" + OWN,
    "geometry": r"^0x[0-9a-f]+ <Embree geometry, triangle, 30000 primitives, 0 references "
    r"\(presumed\), app-released \(presumed\)>$",
    "(RTCBuffer) 0": "^0x0$",
    "(RTCScene) devices[0]": "^0x[0-9a-f]+ <no object: never created, or destroyed>$",
}
LISTS = ("devices", "scenes", "geometries", "buffers")
FULL_CORE = ("embree3",)  # the libraries whose cores of GDB are complete


def printing(stop: str) -> List[str]:
    """The commands that print the values, and keep nothing in GDB's history."""
    return [ask("%s %s" % (stop, each), "output " + each) for each in VALUES]


class ValuesCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)

    def _run(self, commands: List[str], scenario: str = "", core: str = "") -> Session:
        arguments = ["set width 0", "set args %s %s" % (self.library, scenario)]
        words = [program(PROGRAM), *([core] if core else [])]
        return run_gdb(words, [*arguments, *commands], debugger_environment(), name="embree-values")

    def check_values(self, session: Session, stop: str, bound: str = "") -> None:
        """Check what is printed."""
        for each, words in VALUES.items():
            answer = session.answer("%s %s" % (stop, each))
            self.assertIsNone(answer.error, each)
            output = answer.output
            if "no object" in words and bound:
                words = r"^0x[0-9a-f]+( <no object: never created, or destroyed>)?$"
            self.assertRegex(output, words.replace("BOUND", bound))

    def test_values(self) -> None:
        """Handles of each kind, live and on a core."""
        core = os.path.join(work_folder("core-" + self.name), "core")
        commands = [STOP % ("b", "u"), "run", *printing("live"), ask("live", "embree")]
        session = self._run([*commands, "gcore " + core, "kill"], "alone")
        self.check_values(session, "live")
        told = session.answer("live").output
        self.assertRegex(
            told, r"(?m)^Embree device 0x[0-9a-f]+: %d B .* count at .*<first>" % BYTES
        )
        self.assertRegex(told, r"(?m)^  1 scene, 1 geometry, 2 buffers$")
        dead = self._run([*printing("core"), ask("core", "embree")], core=core)
        self.check_values(dead, "core", "" if self.name in FULL_CORE else BOUND)
        if self.name in FULL_CORE:
            self.assertEqual(dead.answer("core").output, told)

    def test_buffers(self) -> None:
        """A buffer, one that was released, and the monitor's sum at this stop."""
        commands = [STOP % ("r", "e"), "run"]
        commands += [ask(each, "output " + each) for each in ("large", "kept", "first.bytes")]
        commands += [ask("device", "embree device devices[0] -json")]
        commands += ["python from ompd_opencl_gdb import session"]
        filters = ("", "device=gdb.parse_and_eval('devices[0]')", "min_size='40K'", "state='app'")
        for each in filters:
            count = "print([row.bytes for row in session().embree_buffers(%s)])" % each
            commands += [ask("buffers " + each, "python " + count)]
        devices = "print([row.buffers for row in session().embree_devices()])"
        commands += [ask("devices", "python " + devices)]
        # An editor shows these below the handle.
        fields = "{name: str(getattr(value, 'type', '')) for name, value in children_of(row)}"
        commands += ["python from ompd_opencl_gdb.children import children_of"]
        commands += ["python row = session().embree_buffer(gdb.parse_and_eval('large'))"]
        commands += [ask("children", "python print(%s['device'])" % fields)]
        session = self._run([*commands, "kill"])
        self.assertEqual(session.answer("children").output, "RTCDevice\n")
        found = [session.answer("buffers " + each).output for each in filters]
        self.assertEqual(found, ["[50000, 20000]\n", "[50000]\n", "[50000]\n", "[]\n"])
        self.assertEqual(session.answer("devices").output, "[1, 1]\n")
        words = r"^0x[0-9a-f]+ <Embree buffer, owned, 50000 B .* at 0x[0-9a-f]+"
        self.assertRegex(session.answer("large").output, words + OWN)
        words = r"^0x[0-9a-f]+ <no object: never created, or destroyed>$"
        self.assertRegex(session.answer("kept").output, words)
        self.assertEqual(session.answer("first.bytes").output, "50000")
        self.assertEqual(session.answer("device").rows()[0]["bytes"], 50000)

    def test_questions(self) -> None:
        """Leaks, places with a handle, and findings of a program that uses Embree alone."""
        folder = work_folder("leaks-" + self.name)
        commands = ["break embree_stop", "run %s leaks %s" % (folder, self.library)]
        asked = ["embree leaks", "opencl leaks", "embree check", "embree buffers -sort bytes"]
        asked.append("embree holders embree-buffers#8")
        commands += [ask(each, each) for each in asked]
        session = run_gdb(
            [program("programs/embree")],
            ["set width 0", *commands, "kill"],
            debugger_environment(),
            name="embree-questions",
        )
        leaks = session.answer("embree leaks").output
        self.assertRegex(leaks, r"^Presumably leaked: .*1 Embree buffer \(4 KiB\)")
        self.assertEqual(session.answer("opencl leaks").output, leaks)
        self.assertRegex(session.answer("embree check").output, "(?m)^No findings.$")
        held = session.answer("embree holders embree-buffers#8").output
        self.assertRegex(held, r"^Embree buffer 0x[0-9a-f]+, owned, 8192 B .*: held at 1 place\.")
        self.assertIn("held by the variable `objects+", held)

    def test_commands(self) -> None:
        """`embree …` is `opencl embree-…`; what is refused, completion and help."""
        pairs = {"embree": "opencl embree", "embree -json": "opencl embree -json"}
        for name in LISTS:
            pairs["embree " + name] = "opencl embree-" + name
            pairs["embree %s -json" % name] = "opencl embree %s -json" % name
        pairs["embree device devices[0]"] = "opencl embree-device devices[0]"
        pairs["embree buffers -device devices[0]"] = "opencl embree-buffers -device devices[0]"
        commands = [STOP % ("b", "u"), "run"]
        commands += [ask(each, each) for pair in pairs.items() for each in pair]
        others = ["embree foo", "embree buffer", "complete embree geom", "help embree scenes"]
        others += ["complete embree scenes -col", "help embree", "opencl memobjs", "opencl"]
        commands += [ask(each, each) for each in others]
        session = self._run([*commands, "kill"], "alone")
        rows: Dict[str, int] = {}
        for ours, theirs in pairs.items():
            self.assertEqual(session.answer(ours).output, session.answer(theirs).output)
            self.assertIsNone(session.answer(ours).error, ours)
            if ours.endswith("-json"):
                rows[ours.split()[1]] = len(json.loads(session.answer(ours).output))
        self.assertEqual(
            rows, {"-json": 2, "devices": 2, "scenes": 1, "geometries": 1, "buffers": 2}
        )
        self.assertRegex(session.answer("embree foo").error or "", "^Unknown verb 'embree foo'")
        self.assertIn("embree-buffer", session.answer("embree buffer").error or "")
        completed = "embree geometries\nembree geometry\n"
        self.assertEqual(session.answer("complete embree geom").output, completed)
        completed = "embree scenes -columns\n"
        self.assertEqual(session.answer("complete embree scenes -col").output, completed)
        self.assertIn("List Embree scenes.", session.answer("help embree scenes").output)
        listed = re.findall(r"(?m)^embree ([\w-]+) -- ", session.answer("help embree").output)
        self.assertLessEqual({*LISTS, "catch", "tcatch", "check", "device", "leaks"}, {*listed})
        no_opencl = "There is no OpenCL recorder and no OpenCL runtime in this process."
        self.assertEqual(session.answer("opencl memobjs").error, no_opencl)
        self.assertIn("2 devices", session.answer("opencl").output)


class TestEmbree3(ValuesCase):
    name = "embree3"


class TestEmbree4(ValuesCase):
    name = "embree4"


class TestEmbreex(ValuesCase):
    name = "embreex"


del ValuesCase  # it is of no library


if __name__ == "__main__":
    main()
