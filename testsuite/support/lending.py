# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at programs that `ompd-opencl run` runs, which lends them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import unittest
from typing import Dict, Iterator, List, Tuple

from command import BUILT_COMMAND, COMMAND, OK, SMALL_PIPE, start_held_up
from harness import GDB, RECORDER, TIME_LIMIT, environment, gdb_command, program, work_folder
from process_states import children, of_threads, states_and_tracers, tracers


def variables_of(runtime: str) -> Dict[str, str]:
    """The environment in which the command runs a program."""
    variables = environment(runtime, recorder=False)
    if COMMAND != BUILT_COMMAND:  # the recorder beside it may not be for these programs
        variables["OMPD_OPENCL_RECORDER"] = RECORDER
    return variables


class LendCase(unittest.TestCase):
    """Programs that run under the command, and who looks at them."""

    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = variables_of("icd")

    @contextlib.contextmanager
    def running(
        self, *words: str, first: str = "main\n"
    ) -> Iterator[Tuple["subprocess.Popen[str]", List[str]]]:
        """The command that runs a program, which has written FIRST, and the words for a look at
        that."""
        with subprocess.Popen(
            [COMMAND, "run", *words],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        ) as command:
            assert command.stdout is not None
            try:
                self.assertEqual(command.stdout.readline(), first)
                (pid,) = children(command.pid)
                self.assertEqual(tracers(pid), {str(command.pid)})
                yield command, ["--pid", str(pid)]
            except BaseException:
                command.kill()
                raise

    @contextlib.contextmanager
    def population(self) -> Iterator[Tuple["subprocess.Popen[str]", List[str]]]:
        """The same of a program with some of all objects."""
        path = program("programs/truth-program")
        # Another file's tests run at the same time: were the folder theirs, too, it would go in the
        # middle of a run, whose program could not write there then, and would leave all it has.
        folder = work_folder("command-lend-" + type(self).__name__)
        with self.running(path, folder, "wait") as pair:
            yield pair

    @contextlib.contextmanager
    def holding(self, target: List[str]) -> Iterator["subprocess.Popen[bytes]"]:
        """A command that has borrowed the program, in the middle of its answer."""
        with start_held_up([*target, "memobjs", "--json"], self.variables, 0) as command:
            assert command.stdout is not None
            self.assertNotEqual(command.stdout.read(1), b"")
            yield command

    def errors_of_killed(self, command: "subprocess.Popen[str]") -> str:
        """What the command that runs a program writes to its standard error, where a signal ends
        that: the end of its input, which would end it too, comes later."""
        its_input, command.stdin = command.stdin, None
        assert its_input is not None
        with its_input:
            return command.communicate(timeout=TIME_LIMIT)[1]

    def read_all(self, command: "subprocess.Popen[bytes]") -> None:
        """Have it end its answer."""
        assert command.stdout is not None
        while command.stdout.read(SMALL_PIPE) != b"":
            pass
        self.assertEqual(command.wait(), OK)

    def gdb_alone(self, target: List[str], *commands: str, name: str = GDB) -> str:
        """What a GDB of some name says of the program that knows nothing of `run`."""
        done = subprocess.run(
            [name, *gdb_command(["-p", target[1]], commands, plugin=False)[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        return done.stdout

    def has_all_threads(self, text: str, target: List[str]) -> None:
        """GDB's list of threads in TEXT has those of the program."""
        for lwp in of_threads(int(target[1]), "stat"):
            self.assertIn("LWP %d" % lwp, text)

    def come_to_be_traced_by(self, target: List[str], tracer: str) -> None:
        """Wait until one process traces all threads of the program; "0" for nobody.  /proc is asked
        again and again: the kernel tells nobody that a tracer comes or goes."""
        limit = time.monotonic() + TIME_LIMIT
        while tracers(int(target[1])) != {tracer}:
            self.assertLess(time.monotonic(), limit)
            os.sched_yield()

    def is_traced_again(self, command: "subprocess.Popen[str]", target: List[str]) -> None:
        """The command that runs the program traces all of it again, and it sleeps.  Before that the
        command may still have to stop it, to give it away."""
        pid = int(target[1])
        limit = time.monotonic() + TIME_LIMIT
        while states_and_tracers(pid) != {("S", str(command.pid))}:
            self.assertLess(time.monotonic(), limit)
            os.sched_yield()
