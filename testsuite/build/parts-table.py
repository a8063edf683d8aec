#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of check-long's parts is complete, and due parts follow from it and from git's
history."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from typing import List, Set

import git_changes
from due_parts import Part, Pass, base_commit, is_due, is_in_room, last_passes, read_table
from due_parts import touched_rooms
from source_tree import ROOMS, SOURCE, source_files


def parts_of_build() -> Set[str]:
    """The parts of `make check-long`, as this build is configured."""
    variables = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in variables}
    command = [os.environ["MAKE"], "-s", "-C", os.environ["TOP_BUILDDIR"], "list-parts"]
    printed = subprocess.check_output(command, env=environment, text=True)
    # Before that line make may report that it updates the Makefile.
    return set(printed.splitlines()[-1].split())


def rooms_of_tree() -> List[str]:
    """Folders with sources: the rooms, and in place of testsuite those below it."""
    folders = {os.path.dirname(path) for path in source_files()}
    tests = {"/".join(path.split("/")[:2]) for path in folders if path.startswith("testsuite/")}
    return sorted(tests | set(ROOMS) - {"testsuite"})


class TableTest(unittest.TestCase):
    """The file parts.ini."""

    def test_has_every_part(self) -> None:
        """One section a part, and none of a part that no makefile has."""
        parts = parts_of_build()
        table = set(read_table())
        self.assertGreater(len(parts), 10)
        self.assertEqual(parts - table, set(), "parts without a section")
        makefiles = ""
        for path in source_files(".am"):
            with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                makefiles += file.read()
        listed = re.findall(
            r"^(?:CHECK_LONG_PARTS \+?=|long_parts =)(.*)$", makefiles, re.MULTILINE
        )
        self.assertEqual(table - set(" ".join(listed).split()), set(), "sections without a part")

    def test_is_complete(self) -> None:
        """Each part has a cost, rooms that are there, and a sentence."""
        files = source_files()
        for name, part in read_table().items():
            self.assertRegex(part.minutes, r"^~?[1-9][0-9]*$", name)
            self.assertRegex(part.proves, r"^[A-Z0-9`].*\.$", name)
            self.assertNotIn("\n", part.proves, name)
            for room in part.rooms:
                is_there = os.path.exists(os.path.join(SOURCE, room))
                is_there = is_there or any(is_in_room(path, room) for path in files)
                self.assertTrue(is_there, (name, room))

    def test_names_every_room(self) -> None:
        """A change of any room makes another part due than the one that all changes do."""
        named = {room for part in read_table().values() for room in part.rooms} - {"*"}
        rooms = rooms_of_tree()
        self.assertGreater(len(rooms), 30)
        for room in rooms:
            found = [one for one in named if is_in_room(room, one) or one.startswith(room + "/")]
            self.assertTrue(found, room)


class DueTest(unittest.TestCase):
    """What makes a part due."""

    def test_rooms(self) -> None:
        """A folder has what is below it, not what has a longer name."""
        self.assertTrue(is_in_room("view/row.c", "view"))
        self.assertFalse(is_in_room("viewer/row.c", "view"))
        self.assertTrue(is_in_room("bootstrap", "bootstrap"))
        self.assertTrue(is_in_room("view/room.am", "*room.am"))
        self.assertFalse(is_in_room("view/row.c", "*room.am"))
        self.assertEqual(touched_rooms(["view", "host", "*"], {"host/core.c"}), ["host", "*"])

    def test_passes(self) -> None:
        """The last run counts, if it tested a commit; a skipped one changes nothing."""
        lines = [
            "2026-11-01 10:00 UTC one passed in 3 s 111111111111",
            "2026-11-02 10:00 UTC one passed in 3 s 222222222222",
            "2026-11-03 10:00 UTC one passed in 3 s 333333333333-dirty",
            "2026-11-03 11:00 UTC one skipped in 0 s 444444444444",
            "2026-11-01 10:00 UTC two passed in 3 s 111111111111",
            "2026-11-02 10:00 UTC two failed in 3 s 222222222222",
            "2026-11-01 10:00 UTC three passed in 3 s release",
            "2026-11-01 10:00 UTC four-4 passed in 3 s v0.1-12-g111111111111",
            "a line that a later version may write",
        ]
        expected = {
            "one": Pass("2026-11-02", "222222222222"),
            "four-4": Pass("2026-11-01", "v0.1-12-g111111111111"),
        }
        self.assertEqual(last_passes("\n".join(lines) + "\n"), expected)


class HistoryTest(unittest.TestCase):
    """What git says, of a repository that is made up."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        patched = unittest.mock.patch.object(git_changes, "SOURCE", self.folder)
        patched.start()
        self.addCleanup(patched.stop)
        self.git("init", "-q", "-b", "main")
        for room in ("view", "host"):
            os.mkdir(os.path.join(self.folder, room))
            self.write(f"{room}/old.c")
        self.begin = self.commit()
        self.part = Part("1", ["view"], "It passes.")

    def git(self, *arguments: str) -> str:
        """Run git in the repository as an anonymous user."""
        command = ["git", "-c", "user.name=test", "-c", "user.email=test", *arguments]
        return subprocess.check_output(command, cwd=self.folder, text=True).strip()

    def write(self, path: str) -> None:
        """Add a line to a file."""
        with open(os.path.join(self.folder, path), "a", encoding="utf-8") as file:
            file.write("line\n")

    def commit(self) -> str:
        """Commit all that there is."""
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Change")
        return self.git("rev-parse", "--short=12", "HEAD")

    def is_due(self, version: str) -> bool:
        """Whether the part that needs view/ is due, if it passed on that version."""
        return is_due(self.part, Pass("2026-11-29", version))

    def test_due(self) -> None:
        """A change of its room makes a part due: of a commit, of a file, and a new file."""
        self.assertTrue(is_due(self.part, None))
        self.assertFalse(self.is_due(self.begin))
        self.write("host/old.c")
        self.write("host/new.c")
        self.assertFalse(self.is_due(self.begin))
        self.write("view/new.c")
        self.assertTrue(self.is_due(self.begin))
        changed = self.commit()
        self.assertTrue(self.is_due(self.begin))
        self.assertFalse(self.is_due(changed))
        self.write("view/old.c")
        self.assertTrue(self.is_due(changed))
        self.git("checkout", "-q", ".")
        self.git("mv", "view/old.c", "host/moved.c")
        self.assertTrue(self.is_due(changed))

    def test_unknown(self) -> None:
        """Without the commit, or without a history, nothing is known to be unchanged."""
        self.assertTrue(self.is_due("0123456789ab"))
        shutil.rmtree(os.path.join(self.folder, ".git"))
        self.assertTrue(self.is_due(self.begin))
        self.assertIsNone(git_changes.changed_since("HEAD"))

    def test_inside_another(self) -> None:
        """A release that is unpacked inside a checkout is no part of it."""
        with unittest.mock.patch.object(git_changes, "SOURCE", os.path.join(self.folder, "view")):
            self.assertIsNone(git_changes.changed_since("HEAD"))

    def test_base(self) -> None:
        """The change begins where the branch left another, or where the user says."""
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("CHECK_SINCE", None)
            self.assertEqual(base_commit(), "HEAD")
            self.git("checkout", "-q", "-b", "work", "--track", "main")
            self.write("view/new.c")
            self.commit()
            base = base_commit()
            self.assertEqual(base[:12], self.begin)
            self.assertEqual(git_changes.changed_since(base), {"view/new.c"})
            os.environ["CHECK_SINCE"] = "HEAD~0"
            self.assertEqual(base_commit(), "HEAD~0")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
