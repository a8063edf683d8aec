#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl triage` on cores of the kernel and GDB, on truncated ones, and on other files."""

from __future__ import annotations

import functools
import os
import platform
import re
import resource
import signal
import subprocess
import unittest
from typing import Any, Dict, List

from command import (
    BUILT_COMMAND,
    COMMAND,
    OK,
    UNREADABLE,
    USAGE,
    Answer,
    run,
    run_with_losses,
    write_core,
)
from json_page import Page
from harness import environment, main, one_arena, program, read_truth, run_gdb, work_folder

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

    def test_words(self) -> None:
        """The key of a death is explained in words, with other facts of the core beside it."""
        for stop, cores in self.dead.items():
            first, second = (self.verdict(core) for core in cores)
            for key in ("signature_version", "signature_text", "signature_coarse"):
                self.assertEqual(first[key], second[key])
            self.assertRegex(first["signature_version"], r"\A[1-9]\d*\.[0-9a-f]{8}\Z")
            text, coarse = (first["signature_" + key].split(" | ") for key in ("text", "coarse"))
            self.assertEqual(text[:3], ["SIGABRT", "abort", "population_stop"])
            self.assertEqual(coarse[:3], ["SIGABRT", "libc", "population_stop"])
            self.assertEqual("destructor_stopping" in text, stop == "destructor")
            self.assertEqual(first["class"], "abort")
            self.assertNotIn("presumed", first)
            checked = run(["--core", cores[0], "check", "--json"], self.variables).objects()
            # That a build has failed is a note: no kernel was made of the program.
            self.assertEqual([row["rule"] for row in checked], ["build-failed"])
            self.assertEqual(first["findings"] + first["presumed_findings"], [])
            text = run(["--core", cores[0], "check"], self.variables).output
            note = re.findall(r"(?m)^Note: (the last build of .*)\.$", text)[0]
            self.assertIn("; %s; signature " % note, self.triage(cores[0]).output)
            self.assertNotIn("first_finding", first)
            self.check_modules(first, cores[0])
            self.assertTrue(0 < first["seconds"] < 60, first["seconds"])

    def check_modules(self, verdict: Dict[str, Any], core: str) -> None:
        """Its sources are those of the overview, and its program has its build-id."""
        overview = run(["--core", core, "overview"], self.variables).output
        told = re.findall(r"(?m)^  sources: (.*)$", overview)[0].split(", ")
        sources = [re.sub(r"(build-id .{8}).*", r"\1)", source) for source in verdict["sources"]]
        self.assertEqual(sources, told)
        ids = {row["module"]: row["build_id"] for row in verdict["module_build_ids"]}
        notes = subprocess.run(
            ["readelf", "-n", verdict["program"]], stdout=subprocess.PIPE, text=True, check=True
        )
        build_id = re.findall(r"Build ID: ([0-9a-f]+)", notes.stdout)
        self.assertEqual([ids[verdict["program"]]], build_id)
        self.assertEqual([verdict["build_id"]], build_id)
        self.assertTrue(any("libc.so" in module for module in ids), ids)

    def test_rules(self) -> None:
        """The user's rules come after the installed ones.  A fault in them is reported with its
        line, before any core is read."""
        core = self.dead["main"][0]
        data = os.path.join(self.folder, "data")
        path = os.path.join(data, "ompd-opencl/signature.rules")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        variables = dict(self.variables, XDG_DATA_HOME=data)
        plain = self.verdict(core)

        def ask(rules: str) -> Answer:
            with open(path, "w", encoding="utf-8") as file:
                file.write(rules)
            return run(["triage", "--json", core], variables)

        own = ask("# ours\nskip population_*\n").objects()[0]
        self.assertNotIn("population_stop", own["signature_text"])
        self.assertNotEqual(own["signature_version"], plain["signature_version"])
        self.assertEqual(own["signature"], plain["signature"])
        number = plain["signature_version"].split(".")[0]
        self.assertEqual(own["signature_version"].split(".")[0], number)
        same = ask("# nothing\n").objects()[0]
        self.assertEqual(same["signature_version"], plain["signature_version"])
        answer = ask("\nskpi population_*\n")
        self.assertEqual((answer.code, answer.output), (USAGE, ""))
        sentence = "ompd-opencl: %s, line 2: unknown signature rule\n"
        self.assertEqual(answer.errors, sentence % path)
        self.assertEqual(run(["triage", core], variables).code, FINDINGS)
        os.unlink(path)
        os.mkfifo(path)
        answer = run(["triage", "--json", core], variables)
        self.assertEqual((answer.code, answer.output), (USAGE, ""))
        self.assertIn("cannot read the signature rules ", answer.errors)
        os.unlink(path)

    def test_call(self) -> None:
        """A call of an address without code is reported by its caller, in a core of GDB, too."""
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
            words = "SIGSEGV | no code | call_where_no_code_is | main"
            self.assertEqual((verdict["class"], verdict["signature_text"]), ("crash", words))
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
        self.assertIn(": leave died of SIGSEGV at an unknown place; ", self.triage(core).output)
        verdict = self.verdict(core)
        self.assertIsNone(verdict["frames"])
        self.assertNotIn("called", verdict)
        self.assertEqual(verdict["class"], "crash")

    def dead_leave(self, end: str) -> str:
        """A core of leave, which dies so."""
        return die([LEAVE, end], signal.SIGSEGV, os.path.join(self.folder, end), self.variables)

    def test_living(self) -> None:
        """What GDB wrote while the program lived has no findings."""
        answer = self.triage(self.living)
        self.assertEqual(answer.code, OK)
        self.assertIn(": truth-program was running; ", answer.output)
        verdict = self.verdict(self.living)
        self.assertIsNone(verdict["signal"])
        self.assertEqual((verdict["class"], verdict["signature_text"]), ("lived", "lived"))

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
        for key in ("frames", "signature_text", "signature_coarse", "class", "findings", "sources"):
            self.assertIsNone(verdict[key], key)
            self.assertIn(key, verdict["unknown"])

    def test_lost(self) -> None:
        """GDB writes last how the program ended: a core without that says so, not that it lived."""
        lost = os.path.join(self.folder, "lost")
        with open(self.living, "rb") as whole, open(lost, "wb") as part:
            part.write(whole.read(os.path.getsize(self.living) // 2))
        answer = self.triage(lost)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn(": a program, cause unknown; truncated: ", answer.output)
        self.assertIn("; OpenCL: whether there is an OpenCL recorder is not known: ", answer.output)
        verdict = self.verdict(lost)
        self.assertIsNone(verdict["signal"])
        self.assertEqual(verdict["unknown"]["signal"], "not saved in the core")
        self.assertIsNone(verdict["class"])
        self.assertEqual(verdict["unknown"]["class"], "not saved in the core")
        self.assertEqual(verdict["unknown"]["signature_text"], "not saved in the core")
        overview = run(["--core", lost, "overview"], self.variables)
        self.assertEqual(overview.code, UNREADABLE)
        self.assertIn(": the reason for the dump is lost, file ", overview.output)
        os.unlink(lost)

    def test_many(self) -> None:
        """One that cannot be read does not keep the others from being."""
        missing = os.path.join(self.folder, "missing")
        answer = self.triage(missing, self.living, __file__, self.dead["main"][0])
        self.assertEqual(answer.code, UNREADABLE)
        lines = answer.output.splitlines()
        self.assertRegex(lines[0], "missing: .*No such file")
        self.assertIn("truth-program was running", lines[1])
        self.assertNotIn("truth-program", lines[2])
        self.assertIn("died of SIGABRT", lines[3])
        rows = self.triage("--json", missing, self.living).objects()
        self.assertTrue(rows[0]["error"])
        self.assertNotIn("signature", rows[0])
        self.assertIsNone(rows[0]["class"])
        self.assertEqual(rows[0]["unknown"], {"class": "the core cannot be read"})
        self.assertIn("signature", rows[1])
        self.assertEqual(self.triage(self.living, self.dead["main"][0]).code, FINDINGS)

    def test_no_memory(self) -> None:
        """Whatever memory there is, each core has its line."""
        if COMMAND != BUILT_COMMAND:  # sanitizers take more than there would be
            return
        cores = [self.dead["main"][0], self.living]
        wanted, told = self.triage("--json", *cores).objects(), 0
        for most in (12 << 20, 16 << 20, 20 << 20, 24 << 20, 32 << 20):
            limit = functools.partial(resource.setrlimit, resource.RLIMIT_DATA, (most, most))
            # libdw without memory may end the process: by exit, a failed assertion or SIGSEGV.
            answer = run_with_losses(["triage", "--json", *cores], self.variables, preexec_fn=limit)
            rows = answer.objects()
            self.assertEqual([row["core"] for row in rows], cores, (most, answer.errors))
            told += sum("error" in row for row in rows)
            for row, whole in zip(rows, wanted):
                self.assertTrue("error" in row or row["signal"] == whole["signal"], row)
        self.assertGreater(told, 0)

    def test_group(self) -> None:
        """Cores that ended alike are counted, with the first of them; what cannot be read, too."""
        missing = os.path.join(self.folder, "missing")
        cores = [*self.dead["main"], missing, *self.dead["destructor"], self.dead["main"][0]]
        answer = run(["triage", "--group", *cores, self.living], self.variables)
        self.assertEqual((answer.code, answer.errors), (UNREADABLE, ""))
        (coarse,) = {self.verdict(core)["signature_coarse"] for core in self.dead["main"]}
        lines = answer.output.splitlines()
        of = "of truth-program"
        self.assertEqual(lines[0], "3 cores %s: abort, %s; e.g. %s" % (of, coarse, cores[0]))
        place = "abort, .*destructor_stopping.*"
        self.assertRegex(lines[1], r"\A2 cores %s: %s; e.g. %s\Z" % (of, place, cores[3]))
        self.assertEqual(lines[2], "1 core: cause unknown; e.g. " + missing)
        self.assertEqual(lines[3], "1 core %s: lived, lived; e.g. %s" % (of, self.living))
        self.assertEqual(lines[4:], ["1 of 7 cores could not be read completely."])
        same = run(["triage", "--group", "--no-sandbox", *cores, self.living], self.variables)
        self.assertEqual(same, answer)
        mixed = run(["triage", "--group", "--any-program", *cores], self.variables).output
        self.assertEqual(mixed.splitlines()[0], lines[0].replace(" " + of, ""))
        rows = run(["triage", "--group", "--json", *cores], self.variables).objects()
        self.assertEqual([row.get("program") for row in rows], ["truth-program"] * 2 + [None])
        self.assertEqual([row["cores"] for row in rows], [3, 2, 1])
        self.assertEqual([row["class"] for row in rows], ["abort", "abort", None])
        self.assertEqual(rows[0]["signature_coarse"], coarse)
        version = self.verdict(cores[0])["signature_version"]
        self.assertEqual({row["signature_version"] for row in rows}, {version})
        page = Page()
        page.check_answer("core_group", rows)

    def test_refused(self) -> None:
        for words, part in (
            (["triage"], "no cores: name CORE..."),
            (["triage", "--pid", "1", "core"], "triage has no option --pid"),
            (["triage", "--limit", "1", "core"], "triage has no option --limit"),
            (["triage", "--any-program", "core"], "--any-program requires --group"),
            (["triage", "--group=kind", "core"], "--group takes no argument"),
            (["--group", "kind", "triage", "core"], "triage has no option --group with an arg"),
        ):
            answer = run(words, self.variables)
            self.assertEqual((answer.code, answer.output), (USAGE, ""))
            self.assertIn(part, answer.errors)

    def test_first_lines(self) -> None:
        """The overview of a core begins with what the core is."""
        for core, death in (
            (self.dead["main"][0], ": died of SIGABRT in LWP "),
            (self.living, ": written while the program was running"),
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
        run_gdb(words, commands, one_arena(variables), plugin=False, name="command-hangs")
        return cores

    def test_hangs(self) -> None:
        variables = environment("pocl")
        folder = work_folder("command-hangs")
        pairs = [self.hang(folder, name, variables) for name in ("first-", "second-")]
        rows = [run(["triage", "--json", *pair], variables).objects() for pair in pairs]
        for first, second in zip(*rows):
            self.assertEqual(first["signature"], second["signature"])
            self.assertEqual(first["waits"], second["waits"])
            for key in ("signature_text", "signature_coarse", "class", "findings"):
                self.assertEqual(first[key], second[key])
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
        words = busy["signature_text"]
        self.assertTrue(words.startswith("lived | "), words)
        self.assertEqual(len(words.split("; ")), len(busy["waits"]), words)
        self.assertIn("clFinish | finishing", words)
        line = run(["triage", pairs[0][0]], variables).output
        self.assertIn("; 4 threads wait: clFinish < finishing, ", line)
        self.assertIn("; 3 threads run callbacks: ", line)
        self.check_tree(pairs, busy, variables)
        for core in (*pairs[0], *pairs[1]):
            os.unlink(core)

    def check_tree(
        self, pairs: List[List[str]], busy: Dict[str, Any], variables: Dict[str, str]
    ) -> None:
        """Where threads of two cores of each stop wait: a node for each function."""
        cores = [core for pair in pairs for core in pair]
        rows = run(["triage", "--group", "--json", *cores], variables).objects()
        groups = {row["example"]: row["cores"] for row in rows if "node" not in row}
        self.assertEqual(groups, dict.fromkeys(pairs[0], 2))
        nodes = {row["node"]: row for row in rows if "node" in row}
        Page().check_answer("wait_node", list(nodes.values()))
        paths = {}
        for node in nodes.values():
            path, at = [node["function"]], node
            while "parent" in at:
                at = nodes[at["parent"]]
                path.insert(0, at["function"])
            paths[" | ".join(path)] = (node["cores"], node["ending"])
        for place in busy["signature_text"][len("lived | ") :].split("; "):
            cores_there, ending = paths[place]
            self.assertIn(cores_there, (2, 4), place)
            self.assertGreaterEqual(ending, 2, place)
        finish = [core for path, core in paths.items() if path == "clFinish"]
        self.assertEqual(finish, [(4, 0)])
        text = run(["triage", "--group", *cores], variables).output
        self.assertIn("\n4 cores have threads that wait in OpenCL or run its callbacks:\n", text)
        self.assertRegex(text, r"\n  clFinish[^\n]*: 4 cores")


if __name__ == "__main__":
    main()
