#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""backtrace: OpenCL's own frames are one line, and a callback shows its object."""

import os
import re
import unittest
from typing import Dict, List

from harness import Session, ask, environment, main, program, run_gdb, work_folder

EDGES = "programs/demo/edges"
IMAGE = "destructor callback of image2d 0x%s, 4915200 B"
FRAME = re.compile(r"^#(\d+) +(?:0x\w+ in )?(\S+)(?: \[(.*)\])? \(", re.MULTILINE)


def frames(session: Session, name: str) -> Dict[str, List[str]]:
    """Of each function of a stack its number, and what is said of it."""
    answer = session.answer(name)
    if answer.error is not None:
        raise AssertionError(answer.error)
    return {match[2]: [match[1], match[3] or ""] for match in FRAME.finditer(answer.output)}


class TestFrames(unittest.TestCase):
    def _run(self, runtime: str, recorder: bool, path: str, commands: List[str]) -> Session:
        variables = environment(runtime, recorder)
        words = ["set width 0", *commands]
        return run_gdb([program(path)], words, variables, name="frames", all_symbols=True)

    def _check(self, session: Session, name: str, whose: str) -> None:
        """Of the stack in a destructor callback, which PoCL 7 calls in a thread of its own."""
        found = frames(session, name)
        self.assertEqual(list(found)[:2], ["stop_here", "smooth_report"])
        self.assertRegex(found["smooth_report"][1], "^%s$" % IMAGE % r"\w+")
        inside, outside = list(found)[2:4]
        last = int(found[inside][0])
        if "main" in found:
            self.assertEqual((inside, outside), ("clReleaseMemObject", "main"), found)
        else:
            self.assertIn("start_thread", found)
            self.assertIn(inside, ("OpenCL", "??", "???"), found)
        if "main" in found or last > 2:
            self.assertRegex(found[inside][1], "in %s$" % whose)
        self.assertEqual(found[outside], [str(last + 1), ""])
        if last > 2:
            self.assertIn("#2 to #%d, " % last, found[inside][1])

    def test_recorder(self) -> None:
        """Live, and on a core; all frames where that is wished for."""
        folder = work_folder("frames")
        core = os.path.join(folder, "core")
        commands = [
            "break stop_here",
            "run > /dev/null",
            ask("folded", "backtrace"),
            ask("whole", "backtrace -no-filters"),
            ask("locals", "backtrace -full"),
            "opencl tcatch svm-free",
            "gcore " + core,
            "disable frame-filter global ompd-opencl",
            ask("disabled", "backtrace"),
            "enable frame-filter global ompd-opencl",
            "continue",
            ask("freed", "backtrace"),
            "kill",
            "core-file " + core,
            ask("core", "backtrace"),
        ]
        session = self._run("pocl", True, EDGES, commands)
        os.unlink(core)
        for name in ("folded", "locals", "core"):
            self._check(session, name, "the recorder and the runtime")
        for name in ("whole", "disabled"):
            self.assertIn("recorder_callback_run", session.answer(name).output)
            self.assertNotIn("[", session.answer(name).output.split("smooth=")[0])
        self.assertRegex(
            frames(session, "freed")["frame_free"][1], r"^SVM-free callback in command queue 0x\w+$"
        )
        outermost = [list(frames(session, name).items())[-1] for name in ("whole", "folded")]
        self.assertEqual(outermost[0], outermost[1])

    def test_alone(self) -> None:
        """Without the recorder."""
        commands = ["break stop_here", "run > /dev/null", ask("folded", "backtrace")]
        commands += ["opencl tcatch svm-free", "continue", ask("freed", "backtrace"), "kill"]
        session = self._run("pocl", False, EDGES, commands)
        self._check(session, "folded", "the runtime")
        freed = session.answer("freed").output
        self.assertRegex(freed, r"frame_free \[SVM-free callback in command queue 0x\w+\] \(")
        self.assertRegex(
            freed, r"(?m)^#2 .* in OpenCL \[#1 to #2, in the runtime\] \(\) at libpocl-"
        )

    def test_events(self) -> None:
        """The callback of an event, in a thread that waits within it."""
        truth = os.path.join(work_folder("frames-events"), "truth")
        commands = ["break truth_stop", "run " + truth, ask("events", "opencl events -json")]
        commands += [ask("stacks", "thread apply all backtrace"), "kill"]
        session = self._run("pocl", True, "programs/callbacks", commands)
        handles = [row["handle"] for row in session.answer("events").rows()]
        stacks = session.answer("stacks").output
        told = re.findall(r"\[event callback of event (0x\w+)\]", stacks)
        self.assertEqual(len(told), 1, stacks)
        self.assertIn(told[0], handles)
        self.assertRegex(stacks, r"(?m)^#\d+ .*built \[build callback of program 0x\w+\]")
        self.assertRegex(stacks, r"(?m)^#\d+ .* in clBuildProgram \[#\d+ to #\d+, in the rec")


if __name__ == "__main__":
    main()
