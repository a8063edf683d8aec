# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Save snapshots of a program with a secret in its buffers, and compare their answers with those of
the process or core."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import unittest
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from command import OK, run
from fitting import fitting_layout
from harness import ask, environment, program, run_gdb, work_folder
from kernel_core import allow_core
from stopped import stopped
from unprepared import tool_environment

HELD = program("programs/secret")
VERBS = (
    "overview platforms devices contexts queues memobjs destructors svm svm-frees commands events "
    "kernels programs samplers gone errors calls ledger check waits leaks threads memory "
    "runtimes graph"
).split()
# Verbs about an object by its handle.
LISTS = ("contexts", "queues", "memobjs", "svm", "events")
SECRET = b"The secret is in the buffer. "
LARGEST = 40 << 20  # bytes: the cores have hundreds of megabytes

Answers = Dict[str, Tuple[int, List[Any], str]]


def without_own(verb: str, rows: List[Any]) -> List[Any]:
    """ROWS without the library's own memory."""
    if verb == "memory":
        for row in rows:
            row.pop("library", None)
    return rows


def answers(target: List[str], verbs: Sequence[str] = VERBS) -> Answers:
    """The answers of VERBS about TARGET, and the holders of the first and last object of each
    kind."""
    result: Answers = {}
    handles = []
    for verb in verbs:
        answer = run([*target, verb, "--json"], tool_environment())
        rows = without_own(verb, answer.objects())
        result[verb] = (answer.code, rows, answer.errors)
        names = [row.get("handle", row.get("pointer")) for row in rows if verb in LISTS]
        handles += [name for name in names[:1] + names[-1:] if name]
    for handle in handles:
        answer = run([*target, "holders", handle, "--json"], tool_environment())
        result["holders " + handle] = (answer.code, answer.objects(), answer.errors)
    return result


@contextlib.contextmanager
def waiting(folder: str, recorder: bool) -> Iterator["subprocess.Popen[str]"]:
    """The program with the secret, at its stop."""
    variables = environment("pocl", recorder)
    with stopped([HELD], variables, cwd=folder, preexec_fn=allow_core) as started:
        if started.line != "ready\n":
            raise AssertionError("the program did not come to its stop")
        yield started.process


class SnapshotsCase(unittest.TestCase):
    """Save and compare snapshots."""

    @classmethod
    def setUpClass(cls) -> None:
        fitting_layout("pocl")

    def setUp(self) -> None:
        self.folder = work_folder("save-" + type(self).__name__)
        self.snapshots = 0

    def save(self, target: List[str]) -> str:
        """Save TARGET; returns the file, which has no secret and is small."""
        self.snapshots += 1
        path = os.path.join(self.folder, "snapshot-%d" % self.snapshots)
        answer = run([*target, "save", path, "--json"], tool_environment())
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        (row,) = answer.objects()
        self.assertEqual((row["file"], row["bytes"]), (path, os.path.getsize(path)))
        self.check_file(path)
        return path

    def check_file(self, path: str) -> None:
        with open(path, "rb") as file:
            contents = file.read()
        self.assertNotIn(SECRET, contents)
        self.assertLess(len(contents), LARGEST)

    def check_target(self, target: List[str], verbs: Sequence[str] = VERBS) -> str:
        """A snapshot of TARGET, and a snapshot of that, give the same answers as TARGET."""
        whole = answers(target, verbs)
        snapshot = self.save(target)
        for path in (snapshot, self.save(["--core", snapshot])):
            shown = answers(["--core", path], verbs)
            self.assertEqual(list(whole), list(shown))
            for question, answer in whole.items():
                with self.subTest(question=question, target=target[0], path=path):
                    self.assertEqual(answer, shown[question])
        return snapshot

    def check_in_gdb(self, core: str, verbs: Sequence[str] = VERBS) -> None:
        """GDB has the threads, the stacks and the same answers for a snapshot, and saves the same
        one."""
        saved = os.path.join(self.folder, "by-gdb")
        commands = [
            ask("stack", "bt"),
            ask("list", "opencl memobjs -json"),
            ask("save", "opencl save " + saved),
            ask("again", "opencl save " + saved),
        ]
        session = run_gdb([HELD, core], commands, tool_environment(), name="save")
        self.assertIn(" main (", session.answer("stack").output)
        rows = json.loads(session.answer("list").output)
        of_command = run(["--core", core, "memobjs", "--json"], tool_environment()).objects()
        self.assertEqual([row["handle"] for row in rows], [row["handle"] for row in of_command])
        self.assertRegex(
            session.answer("save").output, r"^Snapshot saved to \S+: .*\s+buffer\s+contents\.\n$"
        )
        self.assertIn("already exists", session.answer("again").error or "")
        self.check_file(saved)
        whole = answers(["--core", core], verbs)
        self.assertEqual(answers(["--core", saved], verbs), whole)
        os.unlink(saved)

    def check_process_in_gdb(self, pid: int) -> None:
        """GDB saves a process that it has attached to."""
        saved = os.path.join(self.folder, "attached")
        commands = ["attach %d" % pid, ask("save", "opencl save " + saved), "detach"]
        session = run_gdb([HELD], commands, tool_environment(), name="save")
        self.assertIsNone(session.answer("save").error)
        self.check_file(saved)
        live = answers(["--pid", str(pid)])
        self.assertEqual(answers(["--core", saved]), live)
