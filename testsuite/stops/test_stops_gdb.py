#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB stops the program `restless` at random instants and at breakpoints in critical places: no
list contradicts another.

$OMPD_OPENCL_STOPS is the number of random stops of each case.  Each prints its seed.
"""

from __future__ import annotations

import os
import re
import signal
import unittest
from typing import Dict, List

from harness import (
    SOURCE,
    Session,
    environment,
    main,
    program,
    run_gdb,
    work_folder,
)
from ompd_opencl.host import open_process
from process_states import come_to, states, tracers
from restless import Restless, compare, new_seed

HERE = os.path.join(SOURCE, "testsuite", "stops")
STOPS = int(os.environ.get("OMPD_OPENCL_STOPS", "50"))
STOPS_AT_PLACE = 5

# Where the recorder holds a lock of its own: that of all that grows, and one of a chain of records.
IN_LOCKS = ["break recorder_growth_unlock", "break chain_unlink", "break heap_set_aside"]

# Where the recorder has yet to note of what a command frees that the command is enqueued, or over;
# where the runtime has yet to be given the command; where the recorder is told of others.
IN_SVM = [
    "break svm_step_take if step == svm_name",
    "break recorder_lingering_mark if entry->reference >> 24 == ompd_cl_registry_svm",
    "break svm_step_take if step == svm_end",
    "break recorder_command_begin if facts->type == 0x1209",
    "break recorder_svm_allocated",
    "break recorder_svm_freed",
    "break recorder_svm_free_begin",
    "break recorder_svm_free_enqueued",
]

# Where a thread is in fork(), which holds the recorder's lock, and in what loads libraries.
IN_CALLS = [
    "break fork",
    "catch fork",
    "break after_fork_in_parent",
    "break dlopen",
    "catch load",
    "break dlclose",
    "catch unload",
]


class GdbCase(unittest.TestCase):
    """How it is with the recorder, or without it, on PoCL."""

    recorder = True

    def setUp(self) -> None:
        self.seed = new_seed()
        self.variables = environment("pocl", self.recorder)
        self.variables["PYTHONPATH"] += ":" + HERE
        self.folder = work_folder("stops-" + self.id())
        self.path = program("programs/restless")

    def _gdb(self, words: List[str], line: str) -> Session:
        commands = ["set print thread-events off", "set pagination off"]
        commands += ["source " + os.path.join(HERE, "in_gdb_stops.py"), "python " + line]
        return run_gdb(words, commands, self.variables, name="stops")

    def _check(self, session: Session, seen: int) -> None:
        """Nothing contradicts, and as many were seen."""
        found = re.findall(r"CONTRADICTION .*", session.output)
        self.assertEqual(found, [], "seed %d: %s" % (self.seed, session.output[-3000:]))
        told = re.findall(r"(?m)^COMPARED (\d+) OF (\d+)$", session.output)
        said = session.output + session.errors
        self.assertEqual(sum(int(count) for _compared, count in told), seen, said)
        self.assertGreater(sum(int(compared) for compared, _count in told), 0, said)

    def _attach(self, function: str, *arguments: object) -> Session:
        """Let GDB have the program for a while; it then goes on."""
        with Restless(self.path, self.seed, self.variables) as restless:
            given = [self.recorder, restless.lasting, self.folder, *arguments]
            words = ["-p", str(restless.pid)]
            session = self._gdb(words, "%s(%s)" % (function, ", ".join(map(repr, given))))
            self.assertEqual(tracers(restless.pid), {"0"})
            self.assertFalse(states(restless.pid) & set("tT"))
        return session

    def test_random(self) -> None:
        self._check(self._attach("stop_at_random", STOPS, self.seed), STOPS)

    def test_exit(self) -> None:
        """Inside exit(), in all that it calls."""
        words = "%d exit" % self.seed
        line = "stop_in_exit(%r, %r, %r)" % (self.recorder, words, self.folder)
        session = self._gdb([self.path], line)
        places = re.findall(r"(?m)^STOPPED in (?:__GI_)?(.*)$", session.output)
        self._check(session, len(places))
        self.assertEqual(places[0], "exit")
        self.assertEqual(places[-1], "_exit")
        self.assertGreater(places.count("__cxa_finalize"), 2)

    def _check_places(self, places: List[str]) -> None:
        seen = STOPS_AT_PLACE * len(places)
        self._check(self._attach("stop_at_places", places, STOPS_AT_PLACE), seen)

    def test_calls(self) -> None:
        """Inside fork(), dlopen() and dlclose()."""
        self._check_places([place for place in IN_CALLS if self.recorder or "after" not in place])


class TestWithRecorder(GdbCase):
    def test_children(self) -> None:
        """In the child of a fork(), where the other threads vanished in the midst of things."""
        self._check(self._attach("stop_in_children", STOPS_AT_PLACE), STOPS_AT_PLACE)

    def test_locks(self) -> None:
        self._check_places(IN_LOCKS)

    def test_svm(self) -> None:
        self._check_places(IN_SVM)

    def test_held(self) -> None:
        """The command's own reader sees a thread held there, too."""
        variables: Dict[str, str] = self.variables
        with Restless(self.path, self.seed, variables) as restless:
            for place in [*IN_LOCKS, *IN_CALLS]:
                with self.subTest(seed=self.seed, place=place):
                    session = self._gdb(["-p", str(restless.pid)], "hold(%r)" % place)
                    try:
                        self.assertRegex(session.output, r"(?m)^HELD in ")
                        come_to(restless.pid, "T")
                        with open_process(restless.pid) as opened:
                            compare(opened, restless.pid, True, restless.lasting, self.folder)
                        come_to(restless.pid, "T")
                    finally:
                        os.kill(restless.pid, signal.SIGCONT)


class TestWithoutRecorder(GdbCase):
    recorder = False


del GdbCase  # it is of neither


if __name__ == "__main__":
    main()
