#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress of long work is shown only on a terminal, erased at the end, and never mixed with JSON.
unit/command-progress.c tests its frequency, with a clock of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import unittest
from typing import Any, Callable, Dict, List

from command import COMMAND, write_core
from harness import TIME_LIMIT, environment, main, work_folder

# A gzip that waits until it may: for a line of the pipe beside it.
SLOW = """#!/bin/sh
read -r line < "$(dirname "$0")/go"
PATH=/usr/bin:/bin exec gzip "$@"
"""
LINE = "\rUnpacking the core ["
ERASED = "\r\033[K"
WAKES = 15
PAUSE = 0.02  # seconds, in which they are not counted


class TestProgress(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    core = ""
    output = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = dict(environment("icd"), TERM="xterm")
        cls.folder = work_folder("command-progress")
        core = os.path.join(cls.folder, "core")
        write_core("programs/truth-program", [cls.folder], core, cls.variables)
        subprocess.run(["gzip", "-1", core], check=True)
        cls.core = core + ".gz"
        tools = os.path.join(cls.folder, "tools")
        os.mkdir(tools)
        os.mkfifo(os.path.join(tools, "go"))
        with open(os.path.join(tools, "gzip"), "w", encoding="ascii") as file:
            file.write(SLOW)
        os.chmod(os.path.join(tools, "gzip"), 0o755)
        cls.variables["PATH"] = tools + ":" + cls.variables["PATH"]

    def show(self, verb: List[str], variables: Dict[str, str], **options: Any) -> str:
        """The errors of the command on a terminal until it has reported progress, or could have;
        the core is unpacked then."""
        master, slave = pty.openpty()
        done = subprocess.Popen(
            [COMMAND, *verb, "--core", self.core],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=slave if options.get("is_on_terminal") else subprocess.PIPE,
            stderr=slave,
        )
        os.close(slave)
        # Opened when the tool that unpacks is there.
        with open(os.path.join(self.folder, "tools", "go"), "w", encoding="ascii") as pipe:
            if options.get("tells"):
                shown = os.read(master, 65536)
            else:
                shown = b""
                await_wakes(done.pid, master)
            pipe.write("go\n")
        if done.stdout is not None:
            self.output = done.stdout.read().decode()
            done.stdout.close()
        shown += read_all(master)
        self.assertEqual(done.wait(TIME_LIMIT), 0)
        return shown.decode().replace("\r\n", "\n")

    def test_terminal(self) -> None:
        for verb in (["memobjs"], ["memobjs", "--json"]):
            shown = self.show(verb, self.variables, tells=True)
            self.assertIn("CL_MEM_READ_ONLY", self.output)
            self.assertNotIn("Unpacking", self.output)
            self.assertTrue(shown.startswith(LINE), repr(shown))
            self.assertTrue(shown.endswith(ERASED), repr(shown))

    def test_interrupted(self) -> None:
        """Ctrl-C, and what else ends the command, leaves no line behind."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Tests that run in the background, or under nohup, are started with it ignored.
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
            for send in (os.kill, os.killpg):
                self.assertEqual(self.interrupt(number, send), -number)

    def interrupt(self, number: int, send: Callable[[int, int], None]) -> int:
        """The end of the command, which alone gets a signal, or together with what it has started,
        as from the terminal that shows its line."""
        master, slave = pty.openpty()
        done = subprocess.Popen(
            [COMMAND, "memobjs", "--core", self.core],
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        with open(os.path.join(self.folder, "tools", "go"), "w", encoding="ascii"):
            shown = os.read(master, 65536)
            send(done.pid, number)
            done.wait(TIME_LIMIT)
            shown += read_all(master)
        self.assertTrue(shown.decode().startswith(LINE), repr(shown))
        self.assertTrue(shown.decode().endswith(ERASED), repr(shown))
        return done.returncode

    def test_table_on_the_same_terminal(self) -> None:
        shown = self.show(["memobjs"], self.variables, tells=True, is_on_terminal=True)
        line, _, table = shown.rpartition(ERASED)
        self.assertTrue(line.startswith(LINE), repr(line))
        self.assertIn("CL_MEM_READ_ONLY", table)

    def test_terminal_that_cannot_erase(self) -> None:
        self.assertEqual(self.show(["memobjs"], dict(self.variables, TERM="dumb")), "")
        self.assertIn("CL_MEM_READ_ONLY", self.output)

    def test_json_on_the_same_terminal(self) -> None:
        shown = self.show(["memobjs", "--json"], self.variables, is_on_terminal=True)
        for line in shown.splitlines():
            json.loads(line)
        self.assertIn("CL_MEM_READ_ONLY", shown)


def await_wakes(pid: int, terminal: int) -> None:
    """Wait until a process has polled often enough to have reported progress on the TERMINAL: each
    tenth of a second."""
    first = wakes(pid)
    while wakes(pid) < first + WAKES:
        select.select([terminal], [], [], PAUSE)


def wakes(pid: int) -> int:
    """How often a process has slept."""
    with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as file:
        found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.MULTILINE)
    assert found is not None
    return int(found.group(1))


def read_all(master: int) -> bytes:
    """The remaining output of a terminal without writers."""
    data = b""
    try:
        while True:
            part = os.read(master, 65536)
            if not part:
                return data
            data += part
    except OSError:
        return data
    finally:
        os.close(master)


if __name__ == "__main__":
    main()
