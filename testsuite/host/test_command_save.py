#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl save`: a snapshot gives the same answers as the process, has no buffer contents, and
is a core for GDB.  No file is overwritten or left incomplete.  snapshots.py tests the rest."""

from __future__ import annotations

import os

from command import UNREADABLE, run
from harness import main
from saved_snapshots import SnapshotsCase, waiting
from unprepared import tool_environment

# Of each kind of answer one.
FEW = ("overview", "memobjs", "svm", "events", "check", "waits", "leaks", "threads")


class TestSave(SnapshotsCase):
    def test_process(self) -> None:
        with waiting(self.folder, True) as process:
            snapshot = self.check_target(["--pid", str(process.pid)], FEW)
            self.check_in_gdb(snapshot, FEW)

    def test_refusals(self) -> None:
        """A file that is there stays as it is, and none is begun that cannot be written."""
        with waiting(self.folder, True) as process:
            target = ["--pid", str(process.pid)]
            snapshot = self.save(target)
            with open(snapshot, "rb") as file:
                before = file.read()
            missing = os.path.join(self.folder, "no-folder", "snapshot")
            for words, sentence in (
                (
                    [*target, "save", snapshot],
                    "already exists; existing files are never overwritten",
                ),
                (
                    ["--core", snapshot, "save", snapshot],
                    "already exists; existing files are never overwritten",
                ),
                ([*target, "--no-stop", "save", snapshot + "-2"], "is running"),
                ([*target, "save", missing], "cannot write '"),
            ):
                with self.subTest(words=words):
                    answer = run(words, tool_environment())
                    self.assertEqual(answer.code, UNREADABLE)
                    self.assertTrue(answer.is_refusal(), answer.errors)
                    self.assertIn(sentence, answer.errors)
            with open(snapshot, "rb") as file:
                self.assertEqual(file.read(), before)
        self.assertEqual(
            [name for name in os.listdir(self.folder) if "snapshot" in name], ["snapshot-1"]
        )


if __name__ == "__main__":
    main()
