#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores that are compressed, or whose executable is missing or replaced, and files that are not
cores."""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import subprocess
from typing import Dict, List

from command import INCOMPLETE, KEYS, UNREADABLE, is_error, run
from command_rows import Rows, RowsCase, ask_all
from harness import environment, main, one_arena, program, run_gdb, some, work_folder

NOBODY = 65534
PACKERS = (["gzip", "-1"], ["xz", "-0"], ["zstd", "-1"], ["lz4", "-1"])


class TestCores(RowsCase):
    folder = ""
    core = ""
    target: List[str] = []
    path = ""  # of the program, which is a copy
    variables: Dict[str, str] = {}
    whole: Rows = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "2"  # none of the C library, which takes longest
        cls.folder = os.path.realpath(work_folder("command-cores"))  # as the core has it
        cls.core = os.path.join(cls.folder, "core")
        cls.path = os.path.join(cls.folder, "program")
        cls.target = ["--core", cls.core]
        shutil.copy(program("programs/truth-program"), cls.path)
        commands = ["break truth_stop", "run %s > /dev/null" % cls.folder, "gcore " + cls.core]
        variables = one_arena(cls.variables)
        run_gdb([cls.path], [*commands, "kill"], variables, plugin=False, name="command-cores")
        cls.whole = ask_all(cls.target, cls.variables)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def setUp(self) -> None:
        """The program is where it was when the core was written."""
        shutil.copy(program("programs/truth-program"), self.path)

    def refused(self, *words: str, **options: int) -> str:
        """The sentence with which everything is refused; the overview says before what the core
        is."""
        sentences = set()
        for verb in (*KEYS, "overview", "memory"):
            answer = run([*words, verb], self.variables, **options)
            self.assertEqual(answer.code, UNREADABLE, answer)
            if verb in KEYS:
                self.assertEqual(answer.output, "")
            self.assertTrue(is_error(answer.errors), answer.errors)
            sentences.add(answer.errors)
        self.assertEqual(len(sentences), 1, sentences)
        return sentences.pop()

    def symbols(self, rows: Rows) -> int:
        """How often a function or datum is named."""
        return str(rows).count("'symbol': ")

    def test_packed(self) -> None:
        """A packed core has the answers of the core."""
        for packer in some(PACKERS, 2):
            path = self.core + "." + packer[0]
            with self.subTest(packer[0]), open(path, "wb") as file:
                subprocess.run([*packer, "-c", self.core], stdout=file, check=True)
                self.assertEqual(ask_all(["--core", path], self.variables), self.whole)

    def test_packed_and_cut(self) -> None:
        """A packed core that is cut off has the answers of what can be unpacked of it; a few bytes
        of one are refused."""
        path = self.core + ".cut"
        unpacked = self.core + ".unpacked"
        with open(path, "wb") as file:
            subprocess.run(["gzip", "-1", "-c", self.core], stdout=file, check=True)
        os.truncate(path, os.path.getsize(path) // 2)
        with open(unpacked, "wb") as file:
            subprocess.run(["gzip", "-d", "-c", path], stdout=file, check=False)
        self.assertGreater(os.path.getsize(self.core), os.path.getsize(unpacked))
        self.assertGreater(os.path.getsize(unpacked), os.path.getsize(self.core) // 10)
        shutil.copystat(path, unpacked)  # the overview names the time
        codes = set()
        for verb in (*KEYS, "overview", "memory"):
            answer = run(["--core", path, verb], self.variables)
            expected = run(["--core", unpacked, verb], self.variables)
            self.assertEqual(answer.output, expected.output)
            self.assertEqual(answer.errors, expected.errors.replace(unpacked, path))
            self.assertEqual(answer.code, expected.code)
            codes.add(answer.code)
        self.assertTrue(codes & {INCOMPLETE, UNREADABLE}, codes)
        for size in (1000, 4):
            os.truncate(path, size)
            self.refused("--core", path)

    def write_report(self, compressed: List[bytes]) -> str:
        """A crash report as apport writes it: each part of the core is encoded by itself."""
        path = self.core + ".crash"
        lines = [b"ProblemType: Crash", b"Architecture: amd64", b"CoreFacts: CoreDump: base64"]
        if compressed:
            lines += [b"CoreDump: base64", *(b" " + base64.b64encode(part) for part in compressed)]
        lines += [b"ProcMaps:", b" CoreDump: base64", b" QUJD", b"Signal: 11"]
        with open(path, "wb") as file:
            file.write(b"\n".join(lines) + b"\n")
        return path

    def test_report(self) -> None:
        """A core in a crash report has the answers of the core."""
        with open(self.core, "rb") as file:
            packed = gzip.compress(file.read(), 1)
        parts = [packed[at : at + 100_001] for at in range(10, len(packed), 100_001)]
        path = self.write_report([packed[:10], *parts])
        self.assertEqual(ask_all(["--core", path], self.variables), self.whole)

    def test_other_files(self) -> None:
        """Files that have no core, or another kind of it."""
        path = self.write_report([])
        self.assertIn("'%s' is a crash report without a core" % path, self.refused("--core", path))
        path = self.write_report([b"no core at all"])
        self.assertIn("'%s' is not a core file" % path, self.refused("--core", path))
        with open(path, "wb") as file:
            file.write(b"MDMP\x93\xa7\0\0")
        self.assertIn(
            "'%s' is a minidump; convert it first: minidump-2-core" % path,
            self.refused("--core", path),
        )

    def test_no_executable(self) -> None:
        """Without its executable all of a core is there but the names of what is at addresses."""
        os.unlink(self.path)
        rows = ask_all(self.target, self.variables)
        self.all_but_places(self.whole, rows)
        self.assertLess(self.symbols(rows), self.symbols(self.whole))

    def test_executable_elsewhere(self) -> None:
        """The executable is found where --exe says, and below --sysroot, where the other files are
        not."""
        os.unlink(self.path)
        original = program("programs/truth-program")
        self.assertEqual(ask_all([*self.target, "--exe", original], self.variables), self.whole)
        root = os.path.join(self.folder, "root")
        copy = root + self.path
        os.makedirs(os.path.dirname(copy))
        shutil.copy(original, copy)
        rows = ask_all([*self.target, "--sysroot", root], self.variables)
        self.assertEqual(*(list(each["memobjs"]) for each in (rows, self.whole)))
        for key, row in self.whole["memobjs"].items():
            shown = rows["memobjs"][key]
            self.assertEqual((shown["size"], shown["stack"][0]), (row["size"], row["stack"][0]))

    def test_another_executable(self) -> None:
        """Another program at the executable's place is not taken for it; named, it is refused."""
        other = program("programs/churn")
        shutil.copy(other, self.path)
        rows = ask_all(self.target, self.variables)
        self.all_but_places(self.whole, rows)
        self.assertLess(self.symbols(rows), self.symbols(self.whole))
        self.assertIn(other, self.refused(*self.target, "--exe", other))

    def test_executable_that_is_none(self) -> None:
        for path in (self.folder, "/dev/null", self.core + ".not-there", "/proc/self/maps"):
            self.refused(*self.target, "--exe", path)

    def test_no_core(self) -> None:
        """What is no core is refused in one sentence that names it."""
        garbage = os.path.join(self.folder, "garbage")
        with open(garbage, "wb") as file:
            file.write(bytes(range(256)) * 64)
        bare = os.path.join(self.folder, "bare")
        with open(bare, "wb") as file, open(self.core, "rb") as core:
            file.write(core.read(16))
        empty = os.path.join(self.folder, "empty")
        with open(empty, "wb"):
            pass
        fifo = os.path.join(self.folder, "fifo")
        os.mkfifo(fifo)
        missing = os.path.join(self.folder, "missing")
        below = self.core + "/below"
        for path in (garbage, bare, empty, fifo, missing, below, self.folder, "/dev/null"):
            with self.subTest(path):
                self.assertIn(path, self.refused("--core", path))

    def test_no_core_but_elf(self) -> None:
        """Programs and libraries are ELF files, too."""
        for path in (self.path, self.variables["OMPD_OPENCL_LIBRARY"]):
            self.assertIn("not a core", self.refused("--core", path))

    def test_not_permitted(self) -> None:
        """A core of another user, of a kind that only that one may read."""
        secret = os.path.join(self.folder, "secret")
        with open(secret, "wb") as file:
            file.write(b"\x7fELF")
        os.chmod(secret, 0)
        options = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        self.assertIn("ermission", self.refused("--core", secret, **options))

    def test_no_opencl(self) -> None:
        """A core of a program without OpenCL."""
        core = os.path.join(self.folder, "core-without")
        commands = ["break truth_stop", "run", "gcore " + core, "kill"]
        path = program("programs/no-opencl")
        run_gdb([path], commands, self.variables, plugin=False, name="command-cores")
        self.assertIn("OpenCL", self.refused("--core", core))


if __name__ == "__main__":
    main()
