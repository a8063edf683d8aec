#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of a kernel, now and when its commands were enqueued, of a process and of its
snapshot, as JSON and as text, and without the recorder."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import unittest
from typing import Dict, Iterator, List

from command import OK, run
from harness import RECORDER, Row, ask, environment, main, program, run_gdb, work_folder

Told = Dict[str, List[List[str]]]


@contextlib.contextmanager
def started(variables: Dict[str, str]) -> Iterator[List[str]]:
    """The lines of the program, and last its process."""
    with subprocess.Popen(
        [program("programs/arguments")],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ) as process:
        assert process.stdin and process.stdout
        lines = []
        for line in process.stdout:
            if line == "main\n":
                break
            lines.append(line)
        try:
            yield [*lines, str(process.pid)]
        finally:
            process.stdin.close()


def described(row: Row) -> List[str]:
    """An argument as the program records it."""
    keys = ("number", "form", "object_kind", "size", "object", "value")
    return ["-" if row.get(key) is None else str(row[key]) for key in keys]


class TestArguments(unittest.TestCase):
    def _compare(self, target: List[str], variables: Dict[str, str], told: Told) -> None:
        kernels = run([*target, "kernels", "--json"], variables)
        commands = run([*target, "commands", "--json"], variables)
        check = run([*target, "check"], variables)
        self.assertEqual((kernels.code, commands.code, check.code), (OK, OK, OK))
        rows = {str(row["number"]): row for row in commands.objects()}
        (rows["kernel"],) = kernels.objects()
        self.assertEqual(set(rows), set(told))
        for owner, arguments in told.items():
            shown = rows[owner]["arguments"]
            self.assertEqual([described(row) for row in shown], arguments, owner)
            self.assertEqual(rows[owner]["argument_count"], len(arguments))
            # What is as long as a cl handle and names nothing could be of something unseen.
            presumed = [row["number"] for row in shown if "presumed" in row]
            self.assertEqual(presumed, [3])

    def test_recorder(self) -> None:
        variables = dict(environment("pocl"), OPENCL_LAYERS=RECORDER)
        look = os.path.join(work_folder("arguments"), "look")
        with started(variables) as lines:
            target = ["--pid", lines.pop()]
            told: Told = {}
            for line in lines:
                owner, *argument = line.split()
                told.setdefault(owner, []).append(argument)
            self._compare(target, variables, told)
            kernel = run([*target, "kernels", "--json"], variables).objects()[0]["handle"]
            words = run([*target, "kernel", kernel], variables)
            saved = run([*target, "save", look], variables)
        self.assertEqual(saved.code, OK, saved)
        self._compare(["--core", look], variables, told)
        table = words.output.partition("Its arguments:\n")[2].splitlines()
        self.assertEqual(len(table), 1 + len(told["kernel"]) + 1, words.output)
        for line, argument in zip(table[1:], told["kernel"]):
            for word in argument:
                self.assertIn(word, line.replace("~", " ").split())
        self.assertRegex(table[-1], r"^  ~  form of 1 row: presumed, not proved$")

    def test_gone(self) -> None:
        """A kernel that is enqueued with a buffer that was released, as the crash shows it."""
        self._check_gone("pocl", 1)

    def test_over(self) -> None:
        """The same of a runtime that lives through it, when all is over and released."""
        self._check_gone("rusticl", 129)

    def _check_gone(self, runtime: str, number: int) -> None:
        variables = dict(environment(runtime), OPENCL_LAYERS=RECORDER)
        path = program("programs/arguments")
        session = run_gdb(
            ["--args", path, "gone", str(number)],
            ["run", ask("check", "opencl check")],
            variables,
            name=runtime,
        )
        told = re.search(r"^(0x\w+) (0x\w+)$", session.output, re.M)
        assert told, session.output
        output = " ".join(session.answer("check").output.split())
        self.assertRegex(
            output,
            r"\A1 Certain: kernel %s was enqueued with argument %d (?:memory object|buffer) %s of "
            r"4096 B \(4 KiB\), whose last reference the program had released; enqueued at "
            r"enqueue at arguments\.c:\d+ by LWP \d+ \(thread 1\), released at release at "
            r"arguments\.c:\d+ by LWP \d+ \(thread 1\)\. OpenCL 3\.0, clSetKernelArg: a kernel "
            r"does not retain its arguments\.\Z" % (told.group(1), number, told.group(2)),
        )

    def test_layout(self) -> None:
        """Without the recorder they are not known, which is not "none"."""
        variables = environment("pocl")
        variables.pop("OPENCL_LAYERS", None)
        with started(variables) as lines:
            target = ["--pid", lines.pop()]
            rows = run([*target, "kernels", "--json"], variables).objects()
            words = run([*target, "kernel", rows[0]["handle"]], variables).output
        (row,) = [row for row in rows if "handle" in row]
        self.assertIsNone(row["arguments"])
        self.assertIn("argument_count", row["unknown"])
        self.assertTrue(re.search(r"not known without the recorder: .*arguments", words), words)
        self.assertNotIn("Its arguments", words)


if __name__ == "__main__":
    main()
