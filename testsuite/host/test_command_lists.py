#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lists of the command ompd-opencl are those of the GDB plugin: the same rows, columns and
words.

Both read the same core, and the same stopped process one after the other.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from typing import Dict, List

from command import COMMAND, as_error, is_error, run
from command_comparing import (
    Cases,
    TABLES,
    live_stops,
    plugin_questions,
    rows_of,
)
from harness import (
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    one_arena,
    run_gdb,
    work_folder,
    split_table,
)

# Lists with their filters, as the plugin has them; the command has them with two dashes.
FILTERED = (
    "memobjs -kind buffer",
    "memobjs -kind im,pipe",
    "memobjs -state app-released",
    "memobjs -state app,destr",
    "memobjs -min-size 16K",
    "memobjs -min-size 0x400 -kind buffer",
    "memobjs -min-size 1G",
    "contexts -state live",
    "queues -state app-released",
    "svm -kind svm -min-size 1K",
    "svm-frees -state enqueued",
    "destructors -state running",
    "destructors -state registered",
)

# What is wrong with a command line, and a part of the sentence that says so.
REFUSED = {
    "": "A verb is missing",
    "memobj5": "Unknown verb 'memobj5'",
    "memobjs": "use --pid N or --core FILE",
    "--core CORE --pid 1 memobjs": "use --pid N or --core FILE",
    "--core CORE --pid x memobjs": "'x' is not a process ID",
    "--core CORE memobjs --sized": "no option --sized",
    "--core CORE contexts --kind buffer": "no option --kind",
    "--core CORE memobjs 0x1": "takes no argument, but '0x1' was given",
    "--core CORE memobjs --kind": "--kind needs an argument",
    "--core CORE memobjs --kind bogus": "unknown name 'bogus'",
    "--core CORE memobjs --state live,": "unknown name ''",
    "--core CORE memobjs --min-size 4X": "'4X' is not a size",
    "--core CORE memobjs --min-size 17179869184G": "is not a size",
    "--core CORE memobjs --limit 0": "'0' is not a number of rows",
    "--core CORE memobjs --limit 2 --json": "JSON is never truncated",
    "--core CORE memobjs --context 0x10": "There is no OpenCL context 0x10",
    "--core CORE memobjs --context host": "'host' is not a handle",
    "--core CORE memobjs --columns bogus": "unknown field 'bogus'; choose from handle, kind",
    "--core CORE memobjs --columns size --json": "JSON has all fields",
    "--core CORE memobjs --sort --limit": "unknown field '-limit'",
    "--core CORE memobjs --sort size,": "unknown field '';",
    "--core CORE memobjs --group kind,size": "--group takes one field",
    "--core CORE memobjs --group kind --sort size": "cannot be combined with",
    "--core CORE destructors 0x1 --group state": "--group applies to the list of all",
}


def run_on_terminal(words: List[str], variables: Dict[str, str]) -> str:
    """What the command writes to a terminal."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [COMMAND, *words], env=variables, stdin=subprocess.DEVNULL, stdout=its
    ) as process:
        os.close(its)
        written = b""
        try:
            while True:
                part = os.read(ours, 65536)
                if not part:
                    break
                written += part
        except OSError:  # Linux's way to say that the other end is closed
            pass
        os.close(ours)
    if process.returncode != 0:
        raise AssertionError("exit code %d" % process.returncode)
    return written.decode().replace("\r\n", "\n")


class TestCore(Cases):
    folder = ""
    core = ""
    session: Session

    @classmethod
    def setUpClass(cls) -> None:
        """Destructor callbacks are running and call stacks are deep when the core is written."""
        cls.variables = environment("icd")
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "16"
        cls.folder = work_folder("command-lists")
        cls.core = os.path.join(cls.folder, "core")
        cls.target = ["--core", cls.core]
        commands = ["break truth_stop", "run %s > /dev/null" % cls.folder, "continue"]
        commands += ["gcore " + cls.core, "kill"]
        path = program("programs/truth-program")
        run_gdb([path], commands, one_arena(cls.variables), name="command-lists")
        commands = plugin_questions([*TABLES, *FILTERED])
        columns = "size,memory-object,host_pointer"
        commands += [ask("columns", "opencl memobjs -columns " + columns)]
        commands += [ask("group", "opencl memobjs -group kind")]
        commands += ["set opencl limit 5", ask("limited", "opencl memobjs")]
        cls.session = run_gdb(
            [path, cls.core], commands, cls.variables, name="command-lists", c_lines=True
        )

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def test_lists(self) -> None:
        self.compare_all(self.session, list(TABLES))

    def test_filters(self) -> None:
        self.compare_all(self.session, list(FILTERED))

    def test_context_filter(self) -> None:
        """Each OpenCL context has objects of its own, and all objects one."""
        every = rows_of(run([*self.target, "memobjs", "--json"], self.variables))
        contexts = rows_of(run([*self.target, "contexts", "--json"], self.variables))
        self.assertGreater(len(contexts), 1)
        for context in contexts:
            words = [*self.target, "memobjs", "--json", "--context", context["handle"]]
            expected = [row for row in every if row["context"] == context["handle"]]
            self.assertTrue(expected)
            self.assertEqual(rows_of(run(words, self.variables)), expected)

    def test_limit(self) -> None:
        """A table that is cut is the plugin's, but for how to have it whole."""
        own = run([*self.target, "memobjs", "--limit", "5"], self.variables)
        lines = own.output.splitlines()
        expected = self.session.answer("limited").output.splitlines()
        self.assertEqual(lines[:-1], expected[:-1])
        cut = expected[-1].split(":", maxsplit=1)[0]
        whole = len(rows_of(run([*self.target, "memobjs", "--json"], self.variables)))
        note = "%s: `--limit %d` or no limit shows all." % (cut, whole)
        self.assertEqual((own.code, lines[-1]), (0, note))
        all_lines = run([*self.target, "memobjs", "--limit", str(whole)], self.variables).output
        self.assertEqual(all_lines, self.session.answer("memobjs").output)

    def memobjs(self, *options: str) -> List[Row]:
        """Rows of memory objects, with options."""
        return rows_of(run([*self.target, "memobjs", "--json", *options], self.variables))

    def test_sort(self) -> None:
        rows = self.memobjs()
        largest = sorted(rows, key=lambda row: (-row["size"], int(row["handle"], 16)))
        self.assertGreater(len({row["size"] for row in rows}), 2)
        self.assertEqual(self.memobjs("--sort", "-size,handle"), largest)
        # What is not known, or is not there, comes last.
        parents = [row.get("parent") for row in self.memobjs("--sort", "parent")]
        known = [int(parent, 16) for parent in parents if parent]
        self.assertGreater(len(known), 1)
        self.assertEqual(known, sorted(known))
        self.assertFalse(any(parents[len(known) :]))
        table = run([*self.target, "memobjs", "--sort=-size", "--limit", "2"], self.variables)
        _said, lines = split_table(table.output.splitlines())
        shown = [line.split()[1] for line in lines[1:3]]
        sizes = [row["size"] for handle in shown for row in rows if row["handle"] == handle]
        self.assertEqual(sizes, sorted((row["size"] for row in rows), reverse=True)[:2])
        self.assertIn("%d more rows are not shown" % (len(rows) - 2), table.output)

    def test_columns(self) -> None:
        """Those that are named, in that order, by their keys or titles."""
        words = [*self.target, "memobjs", "--columns", "size,memory-object,host_pointer"]
        lines = run(words, self.variables).output.splitlines()
        self.assertRegex(lines[0], "^ *#  +size  memory object +host pointer$")
        rows = {row["handle"]: row for row in self.memobjs()}
        shown = [line.split() for line in lines[1 : len(rows) + 1]]
        self.assertEqual({cells[3] for cells in shown}, set(rows))
        for cells in shown:
            self.assertEqual(int(cells[1]), rows[cells[3]]["size"])
        self.assertEqual("\n".join(lines), self.session.answer("columns").output.rstrip())

    def test_group(self) -> None:
        """Counts and bytes, most bytes first; the same in GDB."""
        rows = self.memobjs()
        for field, title in (("kind", "kind"), ("caller", "made-at"), ("context", "context")):
            groups = self.memobjs("--group", title)
            totals: Dict[str, List[int]] = {}
            for row in rows:
                total = totals.setdefault(row[field], [0, 0])
                total[0] += 1
                total[1] += row["size"]
            self.assertEqual({row[field]: [row["count"], row["bytes"]] for row in groups}, totals)
            self.assertGreater(len(groups), 1)
            sizes = [row["bytes"] for row in groups]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
        table = run([*self.target, "memobjs", "--group", "kind"], self.variables).output
        self.assertEqual(table, self.session.answer("group").output)
        first = self.memobjs("--group", "kind")[0]
        cells = [str(first["count"]), str(first["bytes"]), first["kind"]]
        self.assertEqual(table.splitlines()[1].split(), cells)
        self.assertEqual(table.splitlines()[0].split(), ["count", "bytes", "kind"])

    def test_options_in_any_order(self) -> None:
        first = run(["memobjs", "--json", "--ki", "pipe", *self.target], self.variables)
        second = run([*self.target, "--json", "--kind=pipe", "memobjs"], self.variables)
        self.assertEqual(first, second)
        self.assertEqual({row["kind"] for row in rows_of(first)}, {"pipe"})

    def test_refused(self) -> None:
        """What makes no sense has exit code 2, and prints nothing but a sentence."""
        for line, part in REFUSED.items():
            with self.subTest(line):
                own = run(line.replace("CORE", self.core).split(), self.variables)
                self.assertEqual((own.code, own.output), (2, ""))
                self.assertIn(as_error(part), own.errors)
                self.assertTrue(is_error(own.errors), own.errors)

    def test_unreadable_targets(self) -> None:
        """What cannot be read, or has no OpenCL, has exit code 3."""
        no_core = os.path.join(self.folder, "no-core")
        with open(no_core, "w", encoding="utf-8") as file:
            file.write("this is no core\n")
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
            targets = [
                ["--core", no_core],
                ["--core", no_core + ".not-there"],
                ["--pid", str(other.pid)],
                ["--pid", "4194305"],  # more than Linux gives out
            ]
            for target in targets:
                for words in (["memobjs"], ["svm", "--json"]):
                    own = run(target + words, self.variables)
                    self.assertEqual((own.code, own.output), (3, ""), target)
                    self.assertTrue(is_error(own.errors), own.errors)
            other.communicate()
        self.assertEqual(other.returncode, 0)

    def test_memory_limit(self) -> None:
        own = run([*self.target, "memobjs", "--memory-limit", "1K"], self.variables)
        self.assertEqual((own.code, own.output), (3, ""))
        self.assertIn("(--memory-limit)\n", own.errors)
        limited = [*self.target, "memobjs", "--memory-limit", "64M"]
        self.assertEqual(run(limited, self.variables).code, 0)

    def test_full_output(self) -> None:
        """An answer that cannot be written is an error."""
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [COMMAND, *self.target, "memobjs"],
                env=self.variables,
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"cannot write", done.stderr)

    def test_colour(self) -> None:
        """Only on a terminal that has it, only when wished, never in JSON; the text is the same."""
        words = [*self.target, "memobjs"]
        plain_text = run(words, self.variables).output
        self.assertNotIn("\033", plain_text)
        variables = dict(self.variables, TERM="xterm")
        variables.pop("NO_COLOR", None)
        coloured = run_on_terminal(words, variables)
        self.assertRegex(coloured.splitlines()[0], "\033\\[1mmemory object\033\\[m")
        self.assertRegex(coloured.splitlines()[1], "\033\\[94m0x[0-9a-f]+\033\\[m")
        self.assertEqual(re.sub("\033\\[[0-9]*m", "", coloured), plain_text)
        for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertEqual(run_on_terminal(words, dict(variables, **more)), plain_text)
        lines = run_on_terminal([*words, "--json"], variables)
        self.assertEqual(lines, run([*words, "--json"], self.variables).output)

    def test_help(self) -> None:
        """Help names every verb, option and exit code; that of a verb, its columns."""
        own = run(["--help"], self.variables)
        self.assertEqual((own.code, own.errors), (0, ""))
        for word in (*TABLES, "--core FILE", "--json", "--limit N", "  4  "):
            self.assertIn(word, own.output)
        verb = run(["memobjs", "--help"], self.variables).output
        _said, lines = split_table(self.session.answer("memobjs").output.splitlines())
        titles = re.split("  +", lines[0].strip())[1:]
        self.assertGreater(len(titles), 5)
        for title in titles:
            self.assertIn("  %s  " % title, verb)
        self.assertIn("sub-buffer, image1d", verb)
        self.assertNotIn("--kind", run(["contexts", "--help"], self.variables).output)


class TestStripped(Cases):
    """A stripped program, as in packages: its code is shown by symbol or module, and offset."""

    def _compare(self, option: str, callers: str) -> None:
        self.variables = environment("icd")
        folder = work_folder("command" + option)
        path = os.path.join(folder, "truth-program")
        shutil.copy(program("programs/truth-program"), path)
        subprocess.run(["strip", option, path], check=True)
        core = os.path.join(folder, "core")
        commands = ["run %s abort-destructor > /dev/null" % folder, "gcore " + core, "kill"]
        run_gdb([path], commands, self.variables, plugin=False, name="command-stripped")
        questions = plugin_questions(list(TABLES))
        session = run_gdb([path, core], questions, self.variables, name="command-stripped")
        self.target = ["--core", core]
        self.compare_all(session, list(TABLES))
        text = run([*self.target, "destructors"], self.variables).output
        os.unlink(core)
        self.assertRegex(text, callers)

    def test_no_debug_information(self) -> None:
        self._compare("--strip-debug", r"_register\+\d+ in truth-program\n")

    def test_no_symbols(self) -> None:
        self._compare("--strip-all", r" truth-program\+0x[0-9a-f]+\n")


class TestProcess(Cases):
    def _under_gdb(self, folder: str, pid: int) -> List[str]:
        """GDB commands that run the command on a process that GDB has stopped."""
        words = "shell env -u COLUMNS %s --pid %d memobjs %s > %s/%s 2>&1; echo $? >> %s/%s"
        return [
            words % (COMMAND, pid, option, folder, name, folder, name)
            for option, name in (("", "stopping"), ("--no-stop", "reading"))
        ]

    def _check_under_gdb(self, folder: str, session: Session) -> None:
        """A process has one tracer: it cannot be stopped again, but read."""
        with open(os.path.join(folder, "stopping"), encoding="utf-8") as file:
            stopping = file.read()
        self.assertRegex(stopping, r"\Aompd-opencl: [^\n]+\n3\n\Z")
        with open(os.path.join(folder, "reading"), encoding="utf-8") as file:
            self.assertEqual(file.read(), session.answer("memobjs").output + "0\n")

    def test_lists(self) -> None:
        """A process, first under GDB, then under the command, which leaves it as it was."""
        self.variables = environment("icd")
        folder = work_folder("command-lists-live")
        path = program("programs/truth-program")
        for pid in live_stops(path, folder, self.variables):
            words = ["-p", str(pid)]
            commands = plugin_questions(list(TABLES))
            commands += self._under_gdb(folder, pid) + ["detach"]
            session = run_gdb(words, commands, self.variables, name="command-lists")
            self._check_under_gdb(folder, session)
            self.target = ["--pid", str(pid)]
            self.compare_all(session, list(TABLES))
            self.target.append("--no-stop")
            self.compare_all(session, list(TABLES))


if __name__ == "__main__":
    main()
