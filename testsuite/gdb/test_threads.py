#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The activities of threads are what each of them reports, live and on cores."""

import glob
import os
import re
import resource
import signal
import subprocess
import unittest
from typing import Any, Dict, List, Optional, Sequence, Set

from gdbserver import gdbserver
from harness import (
    Answer,
    Row,
    Session,
    ask,
    main,
    program,
    read_truth,
    recorder_alone,
    run_gdb,
    split_table,
    thorough,
    work_folder,
)

STOPS = ("busy", "nested", "idle")
PROGRAM = "programs/busy-threads"

# Milliseconds by which the system may set its clock meanwhile.
CLOCK = 1000

# Activities that the recorder has room for, a thread.
KEPT = 8


def questions(stop: str) -> List[str]:
    """Everything that is asked at a stop."""
    return [
        ask(stop + ".threads", "opencl threads -json"),
        ask(stop + ".text", "opencl threads"),
        ask(stop + ".overview", "opencl"),
        ask(stop + ".waiting", "opencl threads -state waits -json"),
        ask(stop + ".running", "opencl threads -state runs -json"),
        ask(stop + ".info", "info threads"),
        ask(stop + ".memory", "opencl memory -json"),
        ask(stop + ".counts", "opencl -json"),
    ]


class Difference(AssertionError):
    """All that differs, at once."""


def innermost(thread: Row) -> Row:
    """What the row of a thread must show besides its name."""
    activities: List[Row] = thread["activities"]
    if not activities:
        return {"state": "outside", "call": None, "handle": None}
    if len(activities) > KEPT:
        return {"state": None, "call": None, "handle": None}
    first = activities[0]
    return {"state": first["state"], "call": first.get("call"), "handle": first["handle"]}


def is_right_time(truth: Row, activity: Row, since: Optional[int]) -> bool:
    """Whether ACTIVITY of the TRUTH began at SINCE: a call after the thread announced it, a
    callback before it reported its start."""
    if activity["state"] == "in-call":
        return since is None
    if since is None:
        return False
    if "call" in activity:
        return bool(activity["at"] - CLOCK <= since <= truth["at"] + CLOCK)
    return bool(truth["first_at"] - CLOCK <= since <= activity["at"] + CLOCK)


def compare_thread(truth: Row, thread: Row, shown: Row) -> List[str]:
    """What differs between what a THREAD of the TRUTH said, and what is SHOWN of it."""
    expected: Row = {key: thread[key] for key in ("lwp", "pthread", "is_caller")}
    expected.update(innermost(thread), depth=len(thread["activities"]), source="recorder")
    kept = thread["activities"][-KEPT:]
    is_lost = len(kept) < len(thread["activities"])
    different = [
        "%s: truth %r, shown %r" % (key, value, shown.get(key))
        for key, value in expected.items()
        if shown.get(key) != value
    ]
    if len(shown["activities"] or []) != len(kept):
        different.append("activities: %r" % shown["activities"])
    if kept and not is_lost and shown.get("since") != shown["activities"][0].get("since"):
        different.append("since: %r" % shown.get("since"))
    lost = "%d inner ones are not known" % (len(thread["activities"]) - KEPT)
    if shown.get("unknown", {}).get("activities") != (lost if is_lost else None):
        different.append("unknown: %r" % shown.get("unknown"))
    for number, (activity, row) in enumerate(zip(kept, shown["activities"] or [])):
        keys = ("state", "handle", "call", "function", "symbol", "user_data")
        for key in keys:
            if activity.get(key) != row.get(key):
                told = (number, key, activity.get(key), row.get(key))
                different.append("activity %d, %s: truth %r, shown %r" % told)
        if not is_right_time(truth, activity, row.get("since")):
            different.append("activity %d: %r, since %r" % (number, activity, row.get("since")))
    return ["thread %d: %s" % (thread["lwp"], line) for line in different]


def entered(truth: Dict[str, Any]) -> List[Row]:
    """The threads that have entered OpenCL and are still there."""
    return [row for row in truth["threads"] if row["has_entered"] and not row["has_ended"]]


def compare_threads(truth: Dict[str, Any], rows: List[Row]) -> None:
    """Fail with all differences."""
    expected = {thread["lwp"]: thread for thread in entered(truth)}
    shown = {row["lwp"]: row for row in rows}
    different = ["%d is not shown" % lwp for lwp in expected.keys() - shown.keys()]
    different += ["%d is not there: %r" % (lwp, shown[lwp]) for lwp in shown.keys() - expected]
    for lwp in expected.keys() & shown.keys():
        different += compare_thread(truth, expected[lwp], shown[lwp])
    if len(rows) != len(shown):
        different.append("a thread is shown twice")
    if different:
        raise Difference("\n".join(different))


def gdb_numbers(answer: Answer) -> Dict[int, str]:
    """GDB's number of each LWP, out of `info threads`."""
    found = re.findall(
        r"^[* ] +(\d+) +(?:Thread 0x[0-9a-f]+ \(LWP |Thread \d+\.|LWP )(\d+)", answer.output, re.M
    )
    return {int(lwp): number for number, lwp in found}


class ThreadCases:
    """Give `runtime` and derive from unittest.TestCase too."""

    runtime = ""
    core_stops: Sequence[str] = ("nested",)
    may_lack: Set[str] = set()  # states that the runtime may let no thread stay in
    # What the runtime alone may hold: a program that was released while it is being built.
    may_presume = {"programs"}
    folder = ""
    variables: Dict[str, str] = {}
    live: Optional[Session] = None
    cores: Dict[str, Session] = {}

    @classmethod
    def setUpClass(cls) -> None:
        """One process, stopped three times, and cores of it."""
        cls.variables = recorder_alone(cls.runtime)
        cls.folder = work_folder("threads-" + cls.runtime)
        name = "threads-" + cls.runtime
        commands = ["break truth_stop", "run %s > /dev/null" % cls.folder]
        for stop in STOPS:
            commands += questions(stop)
            if stop in cls.core_stops:
                commands.append("gcore %s/core.%s" % (cls.folder, stop))
            commands.append("continue")
        words = [program(PROGRAM, cls.runtime)]
        cls.live = run_gdb(words, commands, cls.variables, name=name)
        cls.cores = {}
        for stop in cls.core_stops:
            core = "%s/core.%s" % (cls.folder, stop)
            cls.cores[stop] = run_gdb(words + [core], questions(stop), cls.variables, name=name)
            os.unlink(core)

    def _sessions(self, stop: str) -> List[Session]:
        assert self.live is not None
        return [self.live, *(self.cores[name] for name in self.core_stops if name == stop)]

    def test_every_field(self) -> None:
        """Each thread, each call it is in, live and on a core."""
        for stop in STOPS:
            truth = read_truth(self.folder, stop)
            for session in self._sessions(stop):
                compare_threads(truth, session.answer(stop + ".threads").rows())

    def test_states_are_there(self) -> None:
        """The program came where it wanted to be: otherwise the rest proves little."""
        truth = read_truth(self.folder, "nested")
        states = {innermost(thread)["state"] for thread in entered(truth)}
        wanted = {"outside", "runs-build-callback", "runs-destructor", None}
        wanted |= {"waits-for-queue", "waits-for-events", "waits-for-transfer"}
        tester = unittest.TestCase()
        tester.assertEqual(wanted - states - self.may_lack, set())
        tester.assertTrue(any(not thread["has_entered"] for thread in truth["threads"]))
        tester.assertTrue(any(thread["has_ended"] for thread in truth["threads"]))

    def test_filters(self) -> None:
        """The threads in a state, or in one of several; those of unknown state may be in any."""
        for stop in ("busy", "nested"):
            threads = entered(read_truth(self.folder, stop))
            for session in self._sessions(stop):
                for name, prefix in (("waiting", "waits"), ("running", "runs")):
                    states = {row["lwp"]: innermost(row)["state"] for row in threads}
                    expected = {
                        lwp
                        for lwp, state in states.items()
                        if state is None or state.startswith(prefix)
                    }
                    rows = session.answer("%s.%s" % (stop, name)).rows()
                    unittest.TestCase().assertEqual({row["lwp"] for row in rows}, expected)

    def test_usage(self) -> None:
        """What threads counted, those too that have ended, is what there is."""
        for stop in STOPS:
            for session in self._sessions(stop):
                usage = session.answer(stop + ".memory").rows()[0]["usage"]
                counts = session.answer(stop + ".counts").rows()[0]
                live = {row["kind"].replace("-", "_"): row["live"] for row in usage}
                del live["destructors"]
                presumed = counts.get("presumed", [])
                unittest.TestCase().assertLessEqual(set(presumed), self.may_presume, stop)
                expected = {kind: counts[kind] for kind in live if kind not in presumed}
                known = {kind: live[kind] for kind in expected}
                unittest.TestCase().assertEqual(known, expected, stop)
                # The gates of three threads are never released.
                unittest.TestCase().assertEqual((live["contexts"], live["events"]), (1, 3))

    def test_text(self) -> None:
        """A line for each thread, and below it one for each call that it is within."""
        for stop in STOPS:
            truth = read_truth(self.folder, stop)
            for session in self._sessions(stop):
                check_text(truth, session, stop)


def expand(text: str) -> Set[int]:
    """The numbers in "2, 5-9"."""
    ends = [part.split("-") for part in text.split(", ")]
    return {number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)}


def check_text(truth: Dict[str, Any], session: Session, stop: str) -> None:
    """What a person reads of the threads at a stop."""
    tester = unittest.TestCase()
    said, lines = split_table(session.answer(stop + ".text").output.splitlines())
    numbers = gdb_numbers(session.answer(stop + ".info"))
    tester.assertRegex(lines[0] + said, r"^ *# +thread\b.*\bstate\b")
    below: Dict[int, List[str]] = {}
    own: Dict[int, str] = {}
    for line in lines[1:]:
        match = re.match(r"^ *\d+  LWP (\d+) \(thread (\d+)\)", line)
        if match is not None:
            lwp = int(match.group(1))
            tester.assertEqual(numbers[lwp], match.group(2))
            own[lwp] = line
            below[lwp] = []
        elif line.startswith("     within "):
            below[lwp].append(line.strip())
    threads = entered(truth)
    tester.assertEqual(set(own), {thread["lwp"] for thread in threads})
    for thread in threads:
        check_lines(thread, said, own[thread["lwp"]], below[thread["lwp"]])
    named = {thread["lwp"] for thread in threads}
    others = {int(number) for lwp, number in numbers.items() if lwp not in named}
    noted = re.match(r"Not seen in OpenCL: threads? ([\d, -]+)\.$", lines[-1])
    tester.assertEqual(expand(noted.group(1)) if noted is not None else set(), others)


def check_lines(thread: Row, said: str, own: str, below: List[str]) -> None:
    """The lines of one thread, of whose row something may have been SAID of all rows."""
    tester = unittest.TestCase()
    activities: List[Row] = thread["activities"]
    if len(activities) > KEPT:
        lost = len(activities) - KEPT
        tester.assertIn("%d unknown activities" % lost, below[0])
        activities, below = activities[lost:], below[1:]
    else:
        state = str(innermost(thread)["state"])
        tester.assertIn(state.replace("-", " ").replace("svm", "SVM"), said + own)
        first, activities = activities[:1], activities[1:]
        for activity in first:
            tester.assertIn(activity["handle"], said + own)
            tester.assertIn(activity.get("call") or activity["symbol"] + " at ", said + own)
    is_runtime = own.endswith("  runtime") or "owner runtime" in said
    tester.assertEqual(is_runtime, not thread["is_caller"])
    tester.assertEqual(len(below), len(activities))
    for activity, line in zip(activities, below):
        what = activity.get("call") or r"%s at [\w-]+\.c:\d+" % activity["symbol"]
        tester.assertRegex(line, r"^within %s, .*\b%s$" % (what, activity["handle"]))


class TestPocl(ThreadCases, unittest.TestCase):
    runtime = "pocl"
    core_stops = ("busy", "nested")

    def test_callbacks_of_the_runtime(self) -> None:
        """PoCL frees SVM in a thread of its own, which was never seen to call OpenCL; since 7 it
        runs destructors in another one."""
        for stop, states in (
            ("busy", {"runs-svm-free"}),
            ("nested", {"runs-destructor", "runs-build-callback"}),
        ):
            for session in self._sessions(stop):
                rows = session.answer(stop + ".threads").rows()
                own = {
                    row["activities"][-1]["symbol"]: row
                    for row in rows
                    if not row["is_caller"] and row["depth"]
                }
                self.assertIn(own.pop("svm_free_staying")["state"], states)
                self.assertLessEqual(set(own), {"destructor_staying"})

    def test_overview(self) -> None:
        """Waiting threads have a line in the overview; without any there is no line."""
        threads = entered(read_truth(self.folder, "busy"))
        busy = [
            thread
            for thread in threads
            if len(thread["activities"]) <= KEPT and innermost(thread)["state"] != "outside"
        ]
        for session in self._sessions("busy"):
            text = session.answer("busy.overview").output
            found = re.findall(r"LWP (\d+) \(thread \d+\) (?:waits for|builds|runs) ", text)
            self.assertEqual(len(found), 3)
            self.assertLessEqual({int(lwp) for lwp in found}, {row["lwp"] for row in busy})
            self.assertIn("%d more: see `opencl threads`" % (len(busy) - 3), text)
            self.assertIn("1 SVM free is running\n", text)
        for session in self._sessions("idle"):
            self.assertNotRegex(session.answer("idle.overview").output, "waits for|builds|runs")

    def test_nouns(self) -> None:
        """What a thread waits for is said with what it is, and its number leads there."""
        threads = entered(read_truth(self.folder, "busy"))
        text = "\n".join(self._sessions("busy")[0].answer("busy.text").output.splitlines())
        for state, noun in (
            ("waits-for-queue", "queue"),
            ("waits-for-transfer", "queue"),
            ("waits-for-events", "event"),
            ("runs-build-callback", "program"),
            ("runs-svm-free", "queue"),
        ):
            handles = [
                innermost(row)["handle"] for row in threads if innermost(row)["state"] == state
            ]
            self.assertTrue(handles, state)
            for handle in handles:
                self.assertIn("%s %s" % (noun, handle), text)

    def test_numbers_lead_to_objects(self) -> None:
        """The number of a thread that waits for a queue stands for that queue; help and completion
        know the states."""
        folder = work_folder("threads-numbers")
        commands = ["break truth_stop", "run %s > /dev/null" % folder]
        commands += [ask("list", "opencl threads -state waits-for-queue")]
        for number in (1, 2):
            commands += [ask("#%d" % number, "opencl queue -json #%d" % number)]
        commands += [ask("memobj", "opencl memobj #2"), "kill"]
        commands += [ask("states", "complete opencl threads -state waits-for-")]
        commands += [ask("help", "help opencl threads")]
        session = run_gdb([program(PROGRAM)], commands, self.variables, name="threads-numbers")
        lines = session.answer("list").output.splitlines()
        self.assertRegex(lines[1], r"^ *1 .*\?")  # too deep: it may wait for anything
        self.assertRegex(str(session.answer("#1").error), "#1 .* is a thread, not a command queue")
        line = [line for line in lines if re.match(" *2  LWP", line)][0]
        self.assertIn("queue " + session.answer("#2").rows()[0]["handle"], line)
        self.assertRegex(str(session.answer("memobj").error), "is a command queue, not a memory")
        completed = session.answer("states").output
        for state in ("waits-for-queue", "waits-for-events", "waits-for-transfer"):
            self.assertIn("opencl threads -state %s\n" % state, completed)
            self.assertIn(state, session.answer("help").output)

    def test_gdbserver(self) -> None:
        """A remote target knows its threads by LWP as well."""
        folder = work_folder("threads-gdbserver")
        path = program(PROGRAM)
        with gdbserver([path, folder], self.variables) as connect:
            commands = ["set sysroot /", connect, "break truth_stop", "continue"]
            commands += [*questions("busy"), "kill"]
            session = run_gdb([path], commands, self.variables, name="threads-gdbserver")
        truth = read_truth(folder, "busy")
        compare_threads(truth, session.answer("busy.threads").rows())
        check_text(truth, session, "busy")

    def test_core_by_the_kernel(self) -> None:
        """What the kernel saves when the program aborts is enough."""
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            pattern = file.read().strip()
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        if pattern.startswith("|") or "/" in pattern:
            self.skipTest("core_pattern does not name a file in the program's folder")
        if hard == 0:
            self.skipTest("cores are forbidden by the hard limit")
        folder = work_folder("threads-kernel")
        done = subprocess.run(
            [program(PROGRAM), folder, "abort"],
            cwd=folder,
            env=self.variables,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = [core for core in glob.glob(folder + "/*") if "json" not in core]
        self.assertEqual(len(cores), 1, os.listdir(folder))
        words = [program(PROGRAM), cores[0]]
        session = run_gdb(words, questions("nested"), self.variables, name="threads-kernel")
        os.unlink(cores[0])
        truth = read_truth(folder, "nested")
        compare_threads(truth, session.answer("nested.threads").rows())
        check_text(truth, session, "nested")


@thorough
class TestOclgrind(ThreadCases, unittest.TestCase):
    runtime = "oclgrind"


class TestRusticl(ThreadCases, unittest.TestCase):
    runtime = "rusticl"
    may_lack = {"runs-build-callback"}  # since 26 it builds on a thread of its own
    # Its thread of the queue gives up what a command has used a little after that is over: of what
    # is counted of memory objects nothing is certain before.
    may_presume = {"programs", "memory_objects", "memory_object_bytes", "app_released"}


if __name__ == "__main__":
    main()
