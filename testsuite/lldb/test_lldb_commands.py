#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What LLDB's commands refuse, with a sentence and exit status 1; help, completion, settings,
summaries of values; and versions of LLDB that the plugin does not support."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict

from harness import BUILD, SOURCE, environment, main, program, work_folder
from lldb_runner import PLUGIN, ask, find_lldb, launch, run_lldb, start_lldb

TRUTH = "programs/truth-program"
OLD = "staticmethod(lambda: 'lldb version 13.0.1')"
OTHER = (
    "script import sys; sys.path.insert(0, %r); import ompd_opencl.structures as c; "
    "c.VERSION_MAJOR = 99" % os.path.join(SOURCE, "python")
)

# What is wrong with a command, and what LLDB says; without a process.
REFUSED = {
    "opencl overview": "No process: start the program with `process launch`, attach to one, or "
    "load a core with `target create --core`.",
    "opencl memobjs --nosuch": "opencl memobjs has no option --nosuch: try `help opencl memobjs`.",
    "opencl set nosuch 1": "Unknown setting 'nosuch'; choose from bindings, debug, limit, "
    "memory-limit, reader, search, core, sysroot.",
    "opencl set limit few": "limit: use a number of rows, or unlimited.",
    "opencl set memory-limit 1X": "memory-limit: use a number of bytes, with an optional K, M "
    "or G, or unlimited.",
    "opencl set debug all": "debug: choose from off, refusals, decisions, lookups, reads.",
    "opencl set reader both": "reader: choose from auto, host, lldb.",
    "opencl show nosuch": "Unknown setting 'nosuch'; choose from bindings, debug, limit, "
    "memory-limit, reader, search, core, sysroot.",
}
# Of expressions at a stop.
NO_HANDLES = {
    "nosuch": r"^Cannot evaluate nosuch: .*undeclared identifier 'nosuch'\.$",
    "truth_counts": r"^truth_counts is an object, not a cl handle\.$",
    "&truth_counts": r"^There is no memory object &truth_counts \(0x[0-9a-f]+\); it was "
    "never created",
    "truth_counts.nothing": r"^Cannot evaluate truth_counts\.nothing: ",
    "x = 5": r"^x = 5 would change the program; use an expression that only reads\.$",
    "clGetPlatformIDs(0, 0, 0)": r"^Cannot evaluate clGetPlatformIDs\(0, 0, 0\): ",
    "path": r"^path is an array; use one of its elements, e\.g\. path\[0\]\.$",
    "&directory": r"^&directory is the address of a handle, not the handle; use \*\(&direct",
    "0x1234": r"^There is no memory object 0x1234; it was never created, or has been destroyed\.$",
}


class TestRefused(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")

    def test_sentences(self) -> None:
        """Each is an error of LLDB's."""
        names = {command: str(number) for number, command in enumerate(REFUSED)}
        commands = [ask(name, command) for command, name in names.items()]
        session = run_lldb([], [*commands, ask("alone", "opencl")], self.variables)
        # A container of commands cannot be run itself: it says what to begin with.
        first, *rest = session.answer("alone").output.splitlines()
        self.assertRegex(first, "begin with 'opencl overview'")
        self.assertTrue(any(re.match(r" +overview +-- ", line) for line in rest), rest)
        for command, name in names.items():
            self.assertEqual(session.answer(name).error, REFUSED[command], command)
        # A batch ends with the first that fails.
        done = start_lldb([], ["opencl set limit few", "opencl show"], self.variables)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "error: %s\n" % REFUSED["opencl set limit few"])
        self.assertNotIn("at most", done.stdout)

    def test_manual(self) -> None:
        """The page has all settings, and what each may be."""
        with open(os.path.join(SOURCE, "doc", "ompd-opencl-lldb.7"), encoding="utf-8") as file:
            page = re.sub(r'\\f.|[\\"]', "", file.read())
        session = run_lldb([], [ask("help", "help opencl set")], self.variables)
        told = re.findall(r"^([a-z-]+) ([A-Za-z| ]+)$", session.answer("help").output, re.MULTILINE)
        self.assertEqual(len(told), 7, session.answer("help").output)
        for name, values in told:
            line = re.search(r"^\.B[RI] opencl set %s (.*)$" % name, page, re.MULTILINE)
            assert line is not None, name
            self.assertEqual(line[1].replace(" ", "").strip(), values.replace(" ", ""))

    def test_not_loaded(self) -> None:
        """An LLDB that is too old, one without Python, no library or
        one of another version: a sentence, no traceback."""
        away = dict(self.variables, OMPD_OPENCL_LIBRARY="/nowhere")
        load = "command script import " + PLUGIN
        old = "script lldb.SBDebugger.GetVersionString = " + OLD
        for words, command, variables, sentence in (
            ("", old, self.variables, r"needs LLDB 14 or later, with Python 3\.8 or later"),
            ("", "version", away, r"Cannot load a library of ompd-opencl \(/nowhere: "),
            ("", OTHER, self.variables, r" has version 0\.\d+, but this plugin .* version 99:"),
            ("--script-language none", "version", away, "does not support importing modules"),
        ):
            commands = [command, load, "opencl show"]
            done = start_lldb(words.split(), commands, variables, plugin=False)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stderr, sentence)
            self.assertNotIn("Traceback", done.stdout + done.stderr)

    def test_loaded_again(self) -> None:
        """That does no harm, from a build folder too."""
        built = os.path.join(BUILD, "lldb-plugin", os.path.basename(PLUGIN))
        load = ["command script import " + path for path in (PLUGIN, built)]
        session = run_lldb([], [*load, ask("show", "opencl show limit")], self.variables)
        self.assertEqual(session.answer("show").output, "OpenCL lists show at most 200 rows.\n")
        done = start_lldb([], [load[1], "opencl show limit"], self.variables, plugin=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("at most 200 rows", done.stdout)


class TestCommands(unittest.TestCase):
    def test_help(self) -> None:
        """Of all verbs, and their names completed."""
        complete = (
            "script names = lldb.SBStringList(); interpreter.HandleCompletion(%r, %d, 0, -1, names)"
        )
        line = "opencl mem"
        commands = [
            ask("all", "help opencl"),
            ask("one", "help opencl memobjs"),
            "script interpreter = lldb.debugger.GetCommandInterpreter()",
            "script names = lldb.SBStringList()",
            complete % (line, len(line)),
            "script print('COMPLETE', *map(names.GetStringAtIndex, range(names.GetSize())))",
        ]
        find_lldb()
        session = run_lldb([], commands, environment("icd"))
        listed = re.findall(r"^ +([a-z-]+) +-- [A-Z]", session.answer("all").output, re.MULTILINE)
        self.assertTrue({"overview", "memobj", "svm-frees", "set", "waits"} <= set(listed), listed)
        self.assertIn("--min-size SIZE", session.answer("one").output)
        (found,) = re.findall(r"^COMPLETE (.*)$", session.output, re.MULTILINE)
        self.assertTrue({"memobj", "memobjs", "memory"} <= set(found.split()), found)

    def test_expressions(self) -> None:
        """What is no handle; and settings that commands heed."""
        find_lldb()
        folder = work_folder("lldb-commands")
        names = {text: str(number) for number, text in enumerate(NO_HANDLES)}
        commands = [*launch(folder), "frame select 1"]
        commands += [ask(name, "opencl memobj " + text) for text, name in names.items()]
        commands += ["opencl set limit 2", ask("cut", "opencl memobjs")]
        commands += ["opencl set memory-limit 10K", ask("poor", "opencl memobjs"), "kill"]
        session = run_lldb([program(TRUTH)], commands, environment("icd"))
        for text, name in names.items():
            self.assertRegex(str(session.answer(name).error), NO_HANDLES[text], text)
        self.assertIn("36 more rows are not shown: `opencl set limit", session.answer("cut").output)
        self.assertIn("(`opencl set memory-limit`)", str(session.answer("poor").error))


class TestValues(unittest.TestCase):
    """LLDB's own commands show what handles and flags are."""

    def test_values(self) -> None:
        """Flags, names, handles of nothing."""
        numbers = {
            "(cl_mem_flags)9": "CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR",
            "(cl_mem_flags)0x20000000001": "CL_MEM_READ_WRITE | 0x20000000000",
            "(cl_mem)0x1234": "no object: never created, or destroyed",
        }
        extra = [ask(text, "expression " + text) for text in numbers]
        extra += ["type category disable ompd-opencl", ask("plain", "target variable pipeline")]
        commands = ["breakpoint set --name stop_here", "process launch --stdout /dev/null"]
        commands += [ask("opencl", "opencl memobjs --json")]
        commands += [ask("pipeline", "target variable pipeline"), *extra]
        commands += ["type category enable ompd-opencl", "opencl set reader lldb"]
        commands += [ask("slow", "target variable pipeline"), "kill"]
        find_lldb()
        session = run_lldb([program("programs/demo/edges")], commands, environment("pocl"))
        for text, words in numbers.items():
            self.assertTrue(session.answer(text).output.rstrip().endswith(words), text)
        told = session.answer("pipeline").output
        self.assertRegex(
            told, r"picture = 0x0+[1-9a-f][0-9a-f]+ buffer, 307200 B, CL_MEM_READ_ONLY"
        )
        self.assertRegex(told, r"queue = 0x[0-9a-f]+ command queue, 1 reference\n")
        self.assertRegex(told, r"smooth = 0x[0-9a-f]+ image2d, 4915200 B, .*, destroying\n")
        for row in session.answer("opencl").rows():
            self.assertRegex(told, "= 0x0*%s %s, " % (row["handle"][2:], row["kind"]))
        self.assertNotIn("buffer", session.answer("plain").output)
        # Where memory comes over a connection no object is looked up.
        self.assertNotIn("buffer", session.answer("slow").output)


if __name__ == "__main__":
    main()
