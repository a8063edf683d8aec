#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that `ompd-opencl triage` gives to causes of death, on cores of the kernel."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import unittest
from typing import List, Optional, Tuple

from command import run
from harness import environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores
from test_command_triage import LEAVE, die


def let_quit() -> None:
    """In the program to be: whoever runs the tests may ignore the signal."""
    allow_core()
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


class TestClasses(unittest.TestCase):
    """What the end of a process is called, that another one has ended."""

    # A case of waiting, and how; what it is, and whether that is presumed; what is found.
    CASES: Tuple[Tuple[str, str, Optional[str], bool, List[str]], ...] = (
        ("user-finish", "wrong", "hang", False, ["user-event"]),
        ("event-cycle", "wrong", "hang", False, ["user-event"]),
        ("user-set-later", "right", None, False, []),
        ("in-exit", "wrong", "hang at exit", False, ["user-event"]),
        ("after-fork", "wrong", "forked child", False, ["call-after-fork", "user-event"]),
        ("unflushed", "right", None, False, []),
    )

    def quit(self, case: str, how: str, folder: str) -> str:
        """Have the process quit when it has come to its stop; the kernel's core."""
        os.makedirs(folder)
        with subprocess.Popen(
            [program("programs/waiting"), case, how, "stay"],
            cwd=folder,
            env=environment("pocl"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=let_quit,
        ) as process:
            assert process.stdout is not None
            try:
                pid = json.loads(process.stdout.readline())["lwp"]
                # LLVM, which is in PoCL, takes the first one for itself.
                while os.path.exists("/proc/%d" % pid) and process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGQUIT)
            finally:
                process.kill()
        (name,) = os.listdir(folder)
        return os.path.join(folder, name)

    def test_classes(self) -> None:
        skip_without_cores(self)
        folder = work_folder("command-classes")
        for case, how, name, is_presumed, findings in self.CASES:
            core = self.quit(case, how, os.path.join(folder, case))
            (row,) = run(["triage", "--json", core], environment("pocl")).objects()
            self.assertEqual((row["signal"], row["class"]), ("SIGQUIT", name), case)
            self.assertEqual("class" in row.get("presumed", []), is_presumed, case)
            self.assertEqual(row["findings"], findings, case)
            reason = "why another process ended it is unknown" if name is None else None
            self.assertEqual(row.get("unknown", {}).get("class"), reason, case)
            os.unlink(core)

    def test_handler(self) -> None:
        """Where a handler of a signal may set an event that is waited for, it is no mistake."""
        with subprocess.Popen(
            [program("programs/signalled")], env=environment("pocl"), stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            try:
                process.stdout.readline()
                while self.state_of(process.pid) != "S":
                    os.sched_yield()
                answer = run(["--pid", str(process.pid), "waits"], environment("pocl"))
                # LLVM, which is in PoCL, takes the first one for itself.
                while process.poll() is None:
                    os.kill(process.pid, signal.SIGUSR1)
            finally:
                process.kill()
        words = "   End: it has not been set yet; a signal handler may do so."
        self.assertEqual((answer.code, answer.output.splitlines()[4]), (0, words))
        self.assertEqual(process.returncode, 0)

    @staticmethod
    def state_of(pid: int) -> str:
        """What the first thread of a process does, as Linux says."""
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]

    def test_no_memory(self) -> None:
        """A program aborts when an operator new throws, because no code catches that."""
        skip_without_cores(self)
        folder = work_folder("command-no-memory")
        core = die([LEAVE, "no-memory"], signal.SIGABRT, folder + "/core", environment("icd"))
        (row,) = run(["triage", "--json", core], environment("icd")).objects()
        self.assertEqual((row["class"], row["signal"]), ("out of memory", "SIGABRT"))
        words = "SIGABRT | __cxa_throw | operator new | main"
        self.assertEqual(row["signature_text"], words)


if __name__ == "__main__":
    main()
