#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""100,000 buffers, or half as many in make check, are all listed with their expected values, in
constant memory."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import unittest
from typing import Dict, Iterator, List, Tuple

from command import BUILT_COMMAND, COMMAND, OK, run, start_held_up
from harness import THOROUGH, TIME_LIMIT, environment, main, program, run_gdb, work_folder

FEW = 10000
MANY = 100000 if THOROUGH else 50000
GROWTH = 1024  # KiB that MANY rows may take more than FEW, which is far less than the rows are
BUFFER_SIZE = 64
LOOKS = 5
LAST_ROWS = 500  # many more than the pipe and the command's own buffer take up


def peak_of(pid: int) -> int:
    """The most memory that a process has had since it runs its program, in KiB."""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(file.read().split("VmHWM:")[1].split()[0])


class TestMany(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.folder = work_folder("command-many")

    @contextlib.contextmanager
    def buffers(self, count: int) -> Iterator[Tuple[int, List[str]]]:
        """A process with so many buffers, and their handles."""
        truth = os.path.join(self.folder, "truth")
        with subprocess.Popen(
            [program("programs/many-buffers"), str(count), "0", truth],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdout is not None
            try:
                self.assertEqual(process.stdout.readline(), "main\n")
                with open(truth, encoding="ascii") as file:
                    handles = file.read().split()
                self.assertEqual(len(set(handles)), count)
                yield process.pid, handles
                process.communicate("\n", timeout=TIME_LIMIT)
            except BaseException:
                process.kill()
                raise
        self.assertEqual(process.returncode, 0)

    def ask(self, count: int, *words: str) -> Tuple[List[str], int]:
        """The lines of an answer with COUNT rows, and the peak of the command's memory in KiB just
        before its end, at which a small pipe holds it up."""
        lines: List[str] = []
        peak = 0
        with start_held_up(words, self.variables) as command:
            assert command.stdout is not None
            for line in command.stdout:
                lines.append(line.decode())
                if len(lines) == count - LAST_ROWS:
                    peak = peak_of(command.pid)
        self.assertEqual(command.returncode, OK)
        self.assertGreater(peak, 0)
        return lines, peak

    def check_rows(self, lines: List[str], handles: List[str], pid: int) -> None:
        """Each row of JSON is that of the buffer made at its place, all of them by one call."""
        self.assertEqual(len(lines), len(handles))
        orders = []
        callers = set()
        for line, handle in zip(lines, handles):
            row = json.loads(line)
            told = (row["schema"], row["handle"], row["kind"], row["size"], row["state"])
            self.assertEqual(told, (1, handle, "buffer", BUFFER_SIZE, "live"))
            self.assertEqual((row["lwp"], row["destructors"]), (pid, []))
            callers.add(row["caller"])
            orders.append(row["order"])
        self.assertEqual(orders, sorted(set(orders)))
        self.assertEqual(len(callers), 1)

    def check_table(self, lines: List[str], handles: List[str]) -> None:
        """Each row has its number and handle.  What is the same in all is said above the heading,
        and again where numbers take another digit."""
        rows = [line for line in lines if re.match(r" *\d+  ", line)]
        self.assertEqual(len(rows), len(handles))
        for number, (line, handle) in enumerate(zip(rows, handles), start=1):
            self.assertEqual(line.split()[:2], [str(number), handle])
        said = [line for line in lines if line.startswith("In all rows ")]
        self.assertGreaterEqual(len(said), len(str(len(handles))) - 4)
        self.assertTrue(all(" kind buffer, size %d B" % BUFFER_SIZE in line for line in said), said)
        self.assertLessEqual(len(lines) - len(rows), 2 * len(said))

    def test_process(self) -> None:
        """A process is not mapped, so that the peak is what the command itself needs."""
        peaks: Dict[Tuple[int, str], int] = {}
        for count in (FEW, MANY):
            with self.buffers(count) as (pid, handles):
                target = ["--pid", str(pid)]
                lines, peaks[count, "rows"] = self.ask(count, *target, "memobjs", "--json")
                self.check_rows(lines, handles, pid)
                lines, peaks[count, "table"] = self.ask(count, *target, "memobjs")
                self.check_table(lines, handles)
                self.assertIn(
                    " %d memory objects " % count, run([*target, "overview"], self.variables).output
                )
        # Another one than that which was built may need memory for what it checks.
        for form in ("rows", "table") if COMMAND == BUILT_COMMAND else ():
            self.assertLess(peaks[MANY, form] - peaks[FEW, form], GROWTH)

    def test_core(self) -> None:
        """A core has the rows of its process."""
        core = os.path.join(self.folder, "core")
        with self.buffers(MANY) as (pid, handles):
            run_gdb(["-p", str(pid)], ["gcore " + core, "detach"], self.variables, plugin=False)
        lines, _peak = self.ask(MANY, "--core", core, "memobjs", "--json")
        self.check_rows(lines, handles, pid)
        lines, _peak = self.ask(MANY, "--core", core, "memobjs")
        self.check_table(lines, handles)
        os.unlink(core)

    def test_every(self) -> None:
        """Asked again and again, until the process has ended, which is no failure."""
        with self.buffers(FEW) as (pid, handles):
            words = ["--pid", str(pid), "--every", "1ms", "overview", "--json"]
            once = run([*words[:2], *words[4:]], self.variables)
            command = subprocess.Popen(
                [COMMAND, *words],
                env=self.variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
            )
            assert command.stdout is not None
            rows = [json.loads(command.stdout.readline()) for _ in range(LOOKS)]
        output, errors = command.communicate(timeout=TIME_LIMIT)
        rows += [json.loads(line) for line in output.splitlines()]
        self.assertEqual((command.returncode, errors), (OK, ""))
        self.assertEqual(rows[0]["memory_objects"], len(handles))
        for row in rows[:LOOKS]:
            self.assertEqual([row], once.objects())


if __name__ == "__main__":
    main()
