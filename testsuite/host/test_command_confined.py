#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with fewer rights than others, or more than their parent: how the recorder behaves in
them, and what `ompd-opencl --pid` shows of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import unittest
from typing import Any, Dict, Iterator, List

from command import OK, run
from harness import ask, environment, main, program, run_gdb
from process_states import children, of_threads

NOBODY = 65534
GRAIN = 64
SIZES = [GRAIN, 2 * GRAIN, 3 * GRAIN, 4 * GRAIN]  # the last one is made by another thread

WITHOUT_PROC = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0"']
OTHER_PIDS = ["unshare", "--pid", "--fork", "--mount-proc"]


class TestConfined(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")

    @contextlib.contextmanager
    def _running(self, words: List[str], **options: Any) -> Iterator[int]:
        """The process of the program, started by WORDS; it ends well."""
        with subprocess.Popen(
            words,
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            **options,
        ) as process:
            assert process.stdin and process.stdout
            try:
                self.assertEqual(process.stdout.readline(), "main\n")
                yield process.pid
            finally:
                process.stdin.close()
        self.assertEqual(process.returncode, 0)

    def _check(self, pid: int) -> None:
        """The recorder has recorded everything, with the LWPs that the threads have here."""
        target = ["--pid", str(pid)]
        rows = self._rows([*target, "memobjs"])
        self.assertEqual([row["size"] for row in rows], SIZES)
        self.assertEqual({row["source"] for row in rows}, {"recorder"})
        # In the order of their own namespace: outside, numbers may have wrapped between the two.
        lwps = [
            lwp
            for _own, lwp in sorted(
                (int(text.split("NSpid:")[1].splitlines()[0].split()[-1]), int(lwp))
                for lwp, text in of_threads(pid, "status").items()
            )
        ]
        self.assertEqual([row["lwp"] for row in rows], [lwps[0]] * 3 + [lwps[1]])
        self.assertEqual([row["lwp"] for row in self._rows([*target, "threads"])], lwps)
        overview = run([*target, "overview"], self.variables)
        self.assertEqual(overview.output.split(":")[0], "OpenCL in process %d" % pid)
        said = run([*target, "threads"], self.variables)
        self.assertEqual((said.code, said.errors), (OK, ""))
        self.assertNotIn("Not seen in OpenCL", said.output)
        waits = run([*target, "waits"], self.variables)
        self.assertEqual((waits.code, waits.errors), (OK, ""))

    def _rows(self, words: List[str]) -> "List[Dict[str, object]]":
        answer = run([*words, "--json"], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        return answer.objects()

    def test_sealed(self) -> None:
        """The recorder opens no file, makes no socket and starts no program."""
        with self._running([program("programs/confined"), "sealed"]) as pid:
            self._check(pid)

    def _unshared(self, words: List[str]) -> List[str]:
        if subprocess.run([*words, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("namespaces are not permitted")
        return [*words, program("programs/confined")]

    def test_without_proc(self) -> None:
        with self._running(self._unshared(WITHOUT_PROC)) as pid:
            self._check(pid)

    def test_other_pids(self) -> None:
        """In a PID namespace of its own, as in a container, seen from outside."""
        with self._running(self._unshared(OTHER_PIDS)) as pid:
            inside = children(pid)
            self.assertEqual(len(inside), 1)
            self._check(inside[0])
            self._check_in_gdb(inside[0])

    def _check_in_gdb(self, pid: int) -> None:
        """GDB, which is outside as well, names the process and its threads as the command does."""
        for reader in ("host", "gdb"):
            commands = ["set opencl reader " + reader, ask("overview", "opencl")]
            commands += [
                ask("text", "opencl threads"),
                ask("rows", "opencl threads -json"),
                "detach",
            ]
            session = run_gdb(["-p", str(pid)], commands, self.variables, name="other-pids")
            with self.subTest(reader=reader):
                text = session.answer("overview").output
                self.assertEqual(text.split(":")[0], "OpenCL in process %d" % pid)
                self.assertNotIn("Not seen in OpenCL", session.answer("text").output)
                lwps = {row["lwp"] for row in session.answer("rows").rows()}
                self.assertEqual(lwps, set(of_threads(pid, "status")))

    def test_setuid(self) -> None:
        """Nothing is recorded in a program that has other privileges than who started it."""
        if os.geteuid() != 0:
            self.skipTest("only root can make a program of another user's")
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            for name in ("OPENCL_LAYERS", "OCL_ICD_VENDORS"):
                self._copy_for_all(name, folder)
            path = shutil.copy(program("programs/confined"), folder)
            for mode, is_recorded in ((0o755, True), (0o4755, False)):
                os.chmod(path, mode)
                with self.subTest(mode=mode), self._running([path], user=NOBODY) as pid:
                    self._check_setuid(pid, is_recorded)

    def _check_setuid(self, pid: int, is_recorded: bool) -> None:
        with open("/proc/%d/maps" % pid, encoding="utf-8") as maps:
            is_loaded = "libompd-opencl-recorder" in maps.read()
        with open("/proc/%d/status" % pid, encoding="utf-8") as status:
            has_more = status.read().split("Uid:")[1].split()[1] == "0"
        if has_more == is_recorded:
            self.skipTest("setuid programs are not permitted")
        if is_recorded:
            self.assertTrue(is_loaded)
            self._check(pid)
        else:
            answer = run(["--pid", str(pid), "memobjs", "--json"], self.variables)
            self.assertTrue(answer.is_refusal(), answer)
            self.assertIn("recorder", answer.errors)

    def _copy_for_all(self, name: str, folder: str) -> None:
        """Let the variable NAME name a copy that every user may read."""
        before = self.variables[name]
        copy = os.path.join(folder, os.path.basename(before))
        self.addCleanup(self.variables.__setitem__, name, before)
        if not os.path.isdir(before):
            self.variables[name] = shutil.copy(before, copy)
            return
        os.mkdir(copy)
        for vendor in os.listdir(before):
            with open(os.path.join(before, vendor), encoding="utf-8") as file:
                library = shutil.copy(file.read().strip(), copy)
            with open(os.path.join(copy, vendor), "w", encoding="utf-8") as file:
                file.write(library + "\n")
        self.variables[name] = copy


if __name__ == "__main__":
    main()
