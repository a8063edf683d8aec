#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores without a list of mapped files, as QEMU writes them, and the kernel if the list is too
long: the dynamic linker's list in memory replaces it."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, List

from command import INCOMPLETE, KEYS, UNREADABLE, as_error, run
from command_rows import Rows, RowsCase, ask_all
from core_editor import CoreEditor
from harness import ask, ask_lists, environment, main, one_arena, program, run_gdb, work_folder

SENTENCE = (
    "Whether there is an OpenCL recorder is not known: the core does not list its modules, and not "
    "all were found; name the program (executable) and the folder of its libraries (sysroot)."
)
BY_GDB = (
    "Whether there is an OpenCL recorder is not known: GDB cannot tell which files it has mapped."
)


class TestLinkMap(RowsCase):
    folder = ""
    path = ""  # of the program, which is a copy
    core = ""
    variables: Dict[str, str] = {}
    whole: Rows = {}
    links: List[int] = []  # addresses of the entries of the list

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "2"  # none of the C library, which takes longest
        cls.folder = os.path.realpath(work_folder("command-link-map"))
        cls.path = os.path.join(cls.folder, "program")
        cls.core = os.path.join(cls.folder, "core")
        shutil.copy(program("programs/truth-program"), cls.path)
        commands = ["break truth_stop", "run %s > /dev/null" % cls.folder, "gcore " + cls.core]
        # struct r_debug of <link.h>: the first entry follows the version.
        commands += ['printf "link %lx\\n", *((long *) &_r_debug + 1)', "kill"]
        variables = one_arena(cls.variables)
        session = run_gdb([cls.path], commands, variables, plugin=False, name="link-map")
        cls.whole = ask_all(["--core", cls.core], cls.variables)
        found = re.search(r"^link (\w+)$", session.output, re.MULTILINE)
        assert found is not None, session
        link, editor = int(found.group(1), 16), CoreEditor(cls.core)
        while link:
            cls.links.append(link)
            link = editor.read_number(link + 24, 8)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def setUp(self) -> None:
        """The program is where it was when the core was written."""
        shutil.copy(program("programs/truth-program"), self.path)
        self.editor = CoreEditor(self.core)
        self.editor.forget_files()

    def _save(self) -> List[str]:
        return ["--core", self.editor.save(os.path.join(self.folder, "edited"))]

    def _refused(self, words: List[str]) -> None:
        for verb in KEYS:
            answer = run([*words, verb], self.variables)
            self.assertEqual(answer.code, UNREADABLE, answer)
            self.assertEqual(answer.errors, "ompd-opencl: %s\n" % as_error(SENTENCE))

    def test_no_list_of_files(self) -> None:
        """The paths are in the dynamic linker's list, the headers in memory."""
        self.assertGreater(len(self.links), 5)
        self.assertEqual(ask_all(self._save(), self.variables), self.whole)

    def test_no_headers(self) -> None:
        """The headers too are those of the files that the list names."""
        self.editor.forget_headers()
        self.assertEqual(ask_all(self._save(), self.variables), self.whole)

    def test_no_program(self) -> None:
        """Without the program's header the list cannot be located in the core, but by its file."""
        self.editor.forget_headers()
        words = self._save()
        os.unlink(self.path)
        self._refused(words)
        original = program("programs/truth-program")
        self.assertEqual(ask_all([*words, "--exe", original], self.variables), self.whole)

    def test_another_program(self) -> None:
        """A file with another dynamic section is not taken."""
        self.editor.forget_headers()
        words = self._save()
        shutil.copy(program("programs/churn"), self.path)
        self._refused(words)

    def test_another_library(self) -> None:
        """The libraries are looked for below the system root alone; another one there, where the
        core's is wanted, is not taken."""
        root = os.path.join(self.folder, "root")
        names = [name for name in map(self._path_of, self.links) if name.startswith("/")]
        for name in {*names, self.path}:
            os.makedirs(os.path.dirname(root + name), exist_ok=True)
            shutil.copy(name, root + name)
        self.editor.forget_headers()
        words = [*self._save(), "--sysroot", root]
        shown = ask_all(words, self.variables)
        self.assertEqual(*(list(each["memobjs"]) for each in (shown, self.whole)))
        library = next(name for name in names if os.path.basename(name) == "libc.so.6")
        shutil.copy(next(name for name in names if "libtest-icd" in name), root + library)
        answer = run([*words, "contexts"], self.variables)
        self.assertEqual(answer.code, INCOMPLETE, answer)
        self.assertIn("modules could be read", answer.output)

    def _path_of(self, link: int) -> str:
        """What an entry of the list calls its file."""
        address, path = self.editor.read_number(link + 8, 8), bytearray()
        while self.editor.read(address + len(path), 1) != b"\0":
            path += self.editor.read(address + len(path), 1)
        return path.decode()

    def test_circle(self) -> None:
        """A list that leads back into itself ends, and what was found by then is there."""
        self.editor.forget_headers()
        self.editor.write_number(self.links[-1] + 24, 8, self.links[1])
        answer = run([*self._save(), "memobjs", "--json"], self.variables)
        self.assertEqual(answer.code, INCOMPLETE, answer)
        handles = [row["handle"] for row in self.whole["memobjs"].values()]
        *rows, missing = answer.objects()
        self.assertEqual([row["handle"] for row in rows], handles)
        self.assertIn("modules could be read", missing["unknown"]["rows"])
        self.editor.write_number(self.links[1] + 24, 8, self.links[1])
        self._refused(self._save())

    def test_entry_left_out(self) -> None:
        """A list that passes over entries, the recorder's among them, is not all: that there is no
        recorder would be wrong."""
        recorder = next(
            i for i, link in enumerate(self.links) if "-recorder.so" in self._path_of(link)
        )
        self.assertLess(recorder, len(self.links) - 1)
        self.editor.forget_headers()
        self.editor.write_number(self.links[recorder - 1] + 24, 8, self.links[recorder + 1])
        self._refused(self._save())

    def test_lost_entries(self) -> None:
        """Entries that lead nowhere, or to other files."""
        self.editor.forget_headers()
        data = bytes(self.editor.data)
        for offset, value in ((0, 0x1234), (8, 1 << 47), (16, 0x10), (24, 1 << 63)):
            self.editor.data[:] = data
            for link in self.links[1:]:
                self.editor.write_number(link + offset, 8, value)
            self._refused(self._save())

    def test_in_gdb(self) -> None:
        """The host library finds more than GDB does, and GDB alone says what it lacks."""
        self.editor.forget_headers()
        commands = ["set opencl reader host", *ask_lists(), "set opencl reader gdb"]
        commands.append(ask("alone", "opencl memobjs"))
        words = ["-c", self._save()[1]]
        session = run_gdb([self.path, *words], commands, self.variables, name="link-map")
        shown = [row["handle"] for row in session.answer("memobjs").rows()]
        self.assertEqual(shown, [row["handle"] for row in self.whole["memobjs"].values()])
        self.assertEqual(session.answer("alone").error, BY_GDB)


if __name__ == "__main__":
    main()
