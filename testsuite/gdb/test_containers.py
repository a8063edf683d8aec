#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB on the host, and a process in a container: at the paths of its program and its recorder the
host has nothing, or other files."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import unittest
from typing import Iterator, List

from harness import RECORDER, ask, environment, main, program, run_gdb, work_folder
from process_states import children, of_threads

FOLDERS = ("inside", "outside", "root")

EXPECTED = [(size, "recorder") for size in (64, 128, 192, 256)]

# The program and the recorder appear at their paths below another root, which GDB does not enter.
START = (
    'mount --rbind / "$3" && mount --bind "$1" "$3$2" && root=$3 && shift 3 && '
    'exec chroot "$root" "$@"'
)

NAMESPACES = {
    "mount": ["--mount"],
    "pid": ["--mount", "--pid"],
    "user": ["--mount", "--pid", "--user", "--map-root-user"],
}


class TestContainers(unittest.TestCase):
    @contextlib.contextmanager
    def _container(self, words: List[str], folder: str) -> Iterator[int]:
        """The process of a program that has the files of FOLDER's `inside` at `outside`."""
        inside, outside, root = (os.path.join(folder, part) for part in FOLDERS)
        start = ["unshare", "--fork", *words, "sh", "-c", START, "sh", inside, outside, root]
        if subprocess.run([*start, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("namespaces are not permitted")
        recorder = os.path.join(outside, "rec.so")
        with subprocess.Popen(
            [*start, os.path.join(outside, "prog")],
            env=dict(environment("icd"), OPENCL_LAYERS=recorder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin and process.stdout
            self.assertEqual(process.stdout.readline(), "main\n")
            yield children(process.pid)[0]
            process.stdin.close()
        self.assertEqual(process.returncode, 0)

    def _check(self, name: str, has_others: bool) -> None:
        folder = work_folder("%s-%s" % (name, "others" if has_others else "nothing"))
        for part in FOLDERS:
            os.mkdir(os.path.join(folder, part))
        inside, outside = (os.path.join(folder, part) for part in FOLDERS[:2])
        shutil.copy(program("programs/confined"), os.path.join(inside, "prog"))
        shutil.copy(RECORDER, os.path.join(inside, "rec.so"))
        if has_others:
            for file in ("prog", "rec.so"):
                shutil.copy("/bin/true", os.path.join(outside, file))
        with self._container(NAMESPACES[name], folder) as pid:
            lwps = set(of_threads(pid, "status"))
            for reader in ("host", "gdb"):
                with self.subTest(namespaces=name, others=has_others, reader=reader):
                    self._check_in_gdb(pid, lwps, reader)

    def _check_in_gdb(self, pid: int, lwps: "set[int]", reader: str) -> None:
        commands = [
            "set opencl reader " + reader,
            ask("overview", "opencl"),
            ask("text", "opencl threads"),
            ask("threads", "opencl threads -json"),
            ask("memobjs", "opencl memobjs -json"),
            "detach",
        ]
        session = run_gdb(["-p", str(pid)], commands, environment("icd"), name="container")
        first = session.answer("overview").output.splitlines()[0]
        self.assertTrue(first.startswith("OpenCL in process %d: " % pid), first)
        # GDB cannot read the files of all modules there; a row says so.
        rows = [row for row in session.answer("memobjs").rows() if "handle" in row]
        self.assertEqual([(row["size"], row["source"]) for row in rows], EXPECTED)
        self.assertEqual({row["lwp"] for row in session.answer("threads").rows()}, lwps)
        self.assertNotIn("Not seen in OpenCL", session.answer("text").output)

    def test_nothing(self) -> None:
        """The host has no files at these paths."""
        for name in NAMESPACES:
            self._check(name, has_others=False)

    def test_others(self) -> None:
        """The host has other files at these paths."""
        for name in NAMESPACES:
            self._check(name, has_others=True)


if __name__ == "__main__":
    main()
