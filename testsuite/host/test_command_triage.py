#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl triage` on cores of the kernel, of GDB, truncated ones and what is none."""

from __future__ import annotations

import os
import platform
import re
import resource
import signal
import subprocess
import unittest
from typing import Any, Dict, List

from command import OK, UNREADABLE, USAGE, Answer, run, write_core
from harness import environment, main, program, read_truth, run_gdb, work_folder

FINDINGS = 1
PATTERN = "/proc/sys/kernel/core_pattern"
STOPS = ("main", "destructor")
LEAVE = program("programs/leave")


def allow_core() -> None:
    """In the program to be, before it starts."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def require_cores() -> None:
    """Skip where the kernel puts no core into the folder of the program that dies."""
    with open(PATTERN, encoding="utf-8") as file:
        pattern = file.read().strip()
    if pattern.startswith("|") or "/" in pattern:
        raise unittest.SkipTest("core_pattern does not name a file in the program's folder")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        raise unittest.SkipTest("cores are forbidden by the hard limit")


def die(words: List[str], number: int, folder: str, variables: Dict[str, str]) -> str:
    """Have the kernel write a core of a program that dies of a signal; returns its path."""
    os.makedirs(folder)
    done = subprocess.run(
        words,
        cwd=folder,
        env=dict(variables, HOSTNAME="triage-host"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=allow_core,
        check=False,
    )
    if done.returncode != -number:
        raise AssertionError("%s ended with %d" % (words, done.returncode))
    cores = [name for name in os.listdir(folder) if not name.endswith(".json")]
    if len(cores) != 1:
        raise AssertionError("not one core: %s" % cores)
    return os.path.join(folder, cores[0])


def abort_at(stop: str, folder: str, variables: Dict[str, str]) -> str:
    """Have the kernel write a core of truth-program, which aborts at a stop; returns its path."""
    words = [program("programs/truth-program"), folder, "abort-" + stop]
    return die(words, signal.SIGABRT, folder, variables)


class TestTriage(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    living = ""
    truncated = ""
    dead: Dict[str, List[str]] = {}  # two cores of each stop

    @classmethod
    def setUpClass(cls) -> None:
        require_cores()
        cls.variables = environment("icd")
        cls.folder = work_folder("command-triage")
        for stop in STOPS:
            folders = [os.path.join(cls.folder, "%s-%d" % (stop, count)) for count in range(2)]
            cls.dead[stop] = [abort_at(stop, folder, cls.variables) for folder in folders]
        cls.living = os.path.join(cls.folder, "living")
        write_core("programs/truth-program", [cls.folder], cls.living, cls.variables)
        cls.truncated = os.path.join(cls.folder, "truncated")
        with open(cls.dead["main"][0], "rb") as whole, open(cls.truncated, "wb") as part:
            part.write(whole.read(os.path.getsize(whole.name) // 16))

    @classmethod
    def tearDownClass(cls) -> None:
        for core in (cls.living, cls.truncated, *cls.dead["main"], *cls.dead["destructor"]):
            os.unlink(core)

    def triage(self, *words: str) -> Answer:
        """One line a core, and nothing on the standard error output."""
        answer = run(["triage", *words], self.variables)
        self.assertEqual(answer.errors, "")
        cores = [word for word in words if not word.startswith("--")]
        self.assertEqual(len(answer.output.splitlines()), len(cores), answer.output)
        return answer

    def verdict(self, core: str) -> Dict[str, Any]:
        """The JSON of one core."""
        verdict = self.triage("--json", core).objects()[0]
        self.assertEqual(verdict["core"], core)
        return verdict

    def test_dead(self) -> None:
        """Signal, frames, objects and what was running are those of the program."""
        for stop, cores in self.dead.items():
            truth = read_truth(os.path.dirname(cores[0]), stop)
            answer = self.triage(cores[0])
            self.assertEqual(answer.code, FINDINGS)
            pattern = r"%s: truth-program died of SIGABRT in abort < population_stop < .*; "
            pattern += r"%d contexts, %d queues, %d memory objects \(.*\), %d SVM allocations \(.*"
            counts = [len(truth[kind]) for kind in ("contexts", "queues", "memobjs", "svm")]
            pattern %= (re.escape(cores[0]), *counts)
            self.assertRegex(answer.output, pattern + r"; signature [0-9a-f]{16}\n\Z")
            is_running = "1 destructor callback is running (LWP" in answer.output
            self.assertEqual(is_running, stop == "destructor")
            self.assertIn("2 SVM frees are enqueued", answer.output)

    def test_json(self) -> None:
        for stop, cores in self.dead.items():
            verdict = self.verdict(cores[0])
            self.assertEqual(verdict["program"], program("programs/truth-program"))
            self.assertEqual((verdict["signal"], verdict["host"]), ("SIGABRT", "triage-host"))
            self.assertEqual(verdict["signal_lwp"], verdict["pid"])
            self.assertEqual(verdict["time"], int(os.path.getmtime(cores[0])))
            self.assertEqual(verdict["frames"][:2], ["abort", "population_stop"])
            self.assertEqual("destructor_stopping" in verdict["frames"], stop == "destructor")
            self.assertEqual((verdict["is_truncated"], verdict["is_incomplete"]), (False, False))
            whole = os.path.getsize(cores[0])
            self.assertEqual((verdict["size"], verdict["whole_size"]), (whole, whole))
            running = verdict["overview"]["destructors_running"]
            self.assertEqual(running, int(stop == "destructor"))
            self.assertNotIn("error", verdict)

    def test_signature(self) -> None:
        """Deaths at one place have one signature, though all addresses differ; others another."""
        signatures = {
            stop: [self.verdict(core)["signature"] for core in cores]
            for stop, cores in self.dead.items()
        }
        for pair in signatures.values():
            self.assertEqual(pair[0], pair[1])
        signatures["living"] = [self.verdict(self.living)["signature"]]
        self.assertEqual(len({pair[0] for pair in signatures.values()}), 3)

    def test_call(self) -> None:
        """A call of what is no code is told by its caller, in a core of GDB's too."""
        for end, called in (("call", "0x0"), ("call-data", "0x[0-9a-f]+")):
            core = self.dead_leave(end)
            line = self.triage(core).output
            who = "call_where_no_code_is < main; "
            self.assertRegex(
                line, ": leave died of SIGSEGV, called address %s from %s" % (called, who)
            )
            verdict = self.verdict(core)
            self.assertEqual(verdict["frames"], ["call_where_no_code_is", "main"])
            self.assertRegex(verdict["called"], r"\A%s\Z" % called)
            self.assertFalse(verdict["is_incomplete"])
            again = core + ".again"
            commands = ["run %s > /dev/null 2>&1" % end, "gcore " + again, "kill"]
            run_gdb([LEAVE], commands, self.variables, plugin=False, name="call")
            self.assertEqual(self.verdict(again)["frames"], verdict["frames"])
        self.assertNotIn("called", self.verdict(self.dead["main"][0]))

    @unittest.skipUnless(platform.machine() in ("x86_64", "i686"), "leave jumps on an x86 alone")
    def test_jump(self) -> None:
        """What lies on the stack is not taken for a return address when it follows no call."""
        core = self.dead_leave("jump")
        self.assertIn(": leave died of SIGSEGV, where is not known; ", self.triage(core).output)
        verdict = self.verdict(core)
        self.assertIsNone(verdict["frames"])
        self.assertNotIn("called", verdict)

    def dead_leave(self, end: str) -> str:
        """A core of leave, which dies so."""
        return die([LEAVE, end], signal.SIGSEGV, os.path.join(self.folder, end), self.variables)

    def test_living(self) -> None:
        """What GDB wrote while the program lived has no findings."""
        answer = self.triage(self.living)
        self.assertEqual(answer.code, OK)
        self.assertIn(": truth-program lived; ", answer.output)
        self.assertIsNone(self.verdict(self.living)["signal"])

    def test_truncated(self) -> None:
        """The signal is still there; the rest is not, and the exit code and the line say so."""
        answer = self.triage(self.truncated)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn("truth-program died of SIGABRT", answer.output)
        self.assertRegex(answer.output, r"; truncated: the last [^;]+ of [0-9.]+ MiB are missing; ")
        verdict = self.verdict(self.truncated)
        self.assertEqual((verdict["is_truncated"], verdict["is_incomplete"]), (True, True))
        self.assertEqual(verdict["size"], os.path.getsize(self.truncated))
        self.assertEqual(verdict["whole_size"], os.path.getsize(self.dead["main"][0]))
        self.assertIsNone(verdict["frames"])
        self.assertIn("frames", verdict["unknown"])

    def test_lost(self) -> None:
        """GDB writes last how the program ended: a core without that says so, not that it lived."""
        lost = os.path.join(self.folder, "lost")
        with open(self.living, "rb") as whole, open(lost, "wb") as part:
            part.write(whole.read(os.path.getsize(self.living) // 2))
        answer = self.triage(lost)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn(": a program whose end is not known; truncated: ", answer.output)
        self.assertIn("Whether there is an OpenCL recorder is not known: ", answer.output)
        verdict = self.verdict(lost)
        self.assertIsNone(verdict["signal"])
        self.assertEqual(verdict["unknown"]["signal"], "not saved in the core")
        overview = run(["--core", lost, "overview"], self.variables)
        self.assertEqual(overview.code, UNREADABLE)
        self.assertIn(": the part that tells why it was written is lost, file ", overview.output)
        os.unlink(lost)

    def test_many(self) -> None:
        """One that cannot be read does not keep the others from being."""
        missing = os.path.join(self.folder, "missing")
        answer = self.triage(missing, self.living, __file__, self.dead["main"][0])
        self.assertEqual(answer.code, UNREADABLE)
        lines = answer.output.splitlines()
        self.assertRegex(lines[0], "missing: .*No such file")
        self.assertIn("truth-program lived", lines[1])
        self.assertNotIn("truth-program", lines[2])
        self.assertIn("died of SIGABRT", lines[3])
        rows = self.triage("--json", missing, self.living).objects()
        self.assertTrue(rows[0]["error"])
        self.assertNotIn("signature", rows[0])
        self.assertIn("signature", rows[1])
        self.assertEqual(self.triage(self.living, self.dead["main"][0]).code, FINDINGS)

    def test_refused(self) -> None:
        for words, part in (
            (["triage"], "triage needs CORE..."),
            (["triage", "--pid", "1", "core"], "triage has no option --pid"),
            (["triage", "--limit", "1", "core"], "triage has no option --limit"),
        ):
            answer = run(words, self.variables)
            self.assertEqual((answer.code, answer.output), (USAGE, ""))
            self.assertIn(part, answer.errors)

    def test_first_lines(self) -> None:
        """The overview of a core begins with what the core is."""
        for core, death in (
            (self.dead["main"][0], ": died of SIGABRT in LWP "),
            (self.living, ": written while it lived"),
        ):
            answer = run(["--core", core, "overview"], self.variables)
            lines = answer.output.splitlines()
            self.assertEqual(answer.code, OK)
            self.assertIn("Core of %s (process " % program("programs/truth-program"), lines[0])
            self.assertIn(death, lines[0])
            self.assertRegex(lines[0], r", file dated \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")
            self.assertRegex(lines[1], r"\A  whole; memory saved: [0-9.]+ MiB")
            self.assertTrue(lines[2].startswith("OpenCL in process "))
        cut = run(["--core", self.truncated, "overview"], self.variables)
        self.assertEqual(cut.code, UNREADABLE)
        self.assertRegex(
            cut.output,
            r"\A[^\n]+ died of SIGABRT[^\n]+\n  truncated: the last [^\n]+ are missing[^\n]+\n\Z",
        )


class TestHangs(unittest.TestCase):
    """Cores of programs that live, whose threads stand where they stood in another run."""

    def hang(self, folder: str, name: str, variables: Dict[str, str]) -> List[str]:
        """Cores of busy-threads at its first two stops."""
        cores = [os.path.join(folder, name + stop) for stop in ("busy", "nested")]
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "gcore " + cores[0]]
        commands += ["continue", "gcore " + cores[1], "kill"]
        words = [program("programs/busy-threads")]
        run_gdb(words, commands, variables, plugin=False, name="command-hangs")
        return cores

    def test_hangs(self) -> None:
        variables = environment("pocl")
        folder = work_folder("command-hangs")
        pairs = [self.hang(folder, name, variables) for name in ("first-", "second-")]
        rows = [run(["triage", "--json", *pair], variables).objects() for pair in pairs]
        for first, second in zip(*rows):
            self.assertEqual(first["signature"], second["signature"])
            self.assertEqual(first["waits"], second["waits"])
        busy, nested = rows[0]
        self.assertNotEqual(busy["signature"], nested["signature"])
        places = {(place["state"], *place["frames"][:2]) for place in busy["waits"]}
        for place in (
            ("waits-for-queue", "clFinish", "finishing"),
            ("waits-for-events", "clWaitForEvents", "waiting_for_event"),
            ("waits-for-transfer", "clEnqueueReadBuffer", "reading"),
        ):
            self.assertIn(place, places)
        in_callbacks = {place["frames"][-1] for place in busy["waits"] if "runs" in place["state"]}
        self.assertEqual(in_callbacks, {"destructor_staying", "svm_free_staying", "build_notified"})
        self.assertEqual(sum(place["threads"] for place in busy["waits"]), 7)
        self.assertEqual((busy["waiting_threads"], busy["running_threads"]), (4, 3))
        line = run(["triage", pairs[0][0]], variables).output
        self.assertIn("; 4 threads wait: clFinish < finishing, ", line)
        self.assertIn("; 3 threads run callbacks: ", line)
        for core in (*pairs[0], *pairs[1]):
            os.unlink(core)


if __name__ == "__main__":
    main()
