#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of the program are not those on this machine: after an upgrade, in another mount
namespace, or for a core from elsewhere.  Or a build of a runtime claims to be that of the layout.
What is shown is correct, or it is not shown."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
from typing import Dict, List, Sequence

from command import INCOMPLETE, OK, UNREADABLE, as_error, run
from harness import (
    Row,
    ask,
    ask_lists,
    main,
    program,
    run_gdb,
    some,
    vendor_library,
    work_folder,
)
from test_wrong_layout import read_text, shifted
from unprepared import (
    PROGRAM,
    Process,
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    lists_of,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase

UNSHARE = ["unshare", "--mount", "--propagation", "private"]
SYMBOLS = {"destructor_even", "destructor_odd"}
LISTS_ASKED = ("memobjs", "contexts", "queues")
TEXT_ROOM = 119  # bytes of a text in a row: OMPD_CL_TEXT_SIZE without the NUL
_BUILD_ID = re.compile("^build-id (.*)$", re.MULTILINE)
_TABLE = re.compile("^table .*$", re.MULTILINE)


def installed_library(runtime: str) -> str:
    """The file of a runtime."""
    name = vendor_library(runtime)
    found = glob.glob("/usr/lib/*/" + name) if not name.startswith("/") else [name]
    return os.path.realpath(found[0])


class TestRusticl(RuntimeCase):
    """rusticl runs from wherever its file lies."""

    runtime = "rusticl"
    folder = ""
    library = ""  # a copy of the runtime
    copy = ""  # of the program
    build_id = ""

    def setUp(self) -> None:
        self.folder = work_folder("other-files")
        self.build_id = _BUILD_ID.findall(read_text(self.layout))[0]
        self.copy = os.path.join(self.folder, "program")
        shutil.copy(program(PROGRAM), self.copy)
        self.library = self._install(installed_library("rusticl"), "lib-first.so")

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def _install(self, path: str, name: str) -> str:
        """Have the loader find a copy of the runtime PATH."""
        library = os.path.join(self.folder, name)
        shutil.copy(path, library)
        vendors = os.path.join(self.folder, "vendors")
        os.makedirs(vendors, exist_ok=True)
        with open(os.path.join(vendors, name + ".icd"), "w", encoding="utf-8") as file:
            file.write(library + "\n")
        self.variables = dict(self.variables, OCL_ICD_VENDORS=vendors)
        return library

    def _rebuild(self, library: str) -> str:
        """Make it another build; returns its build-id."""
        with open(library, "rb") as file:
            contents = file.read()
        old = bytes.fromhex(self.build_id)
        self.assertEqual(contents.count(old), 1)
        with open(library, "wb") as file:
            file.write(contents.replace(old, old[::-1]))
        return old[::-1].hex()

    def _remove(self) -> None:
        """Take away the files that the program runs."""
        for path in (self.library, self.copy):
            os.unlink(path)

    def _put_others(self) -> None:
        """Put other files in their place."""
        shutil.copy(program("programs/truth-program"), self.copy)
        shutil.copy(installed_library("pocl"), self.library)

    def _started(self, mounts: Sequence[str] = ()) -> Process:
        """The copy of the program, started by a shell; behind MOUNTS in a namespace of its own."""
        commands = [*mounts, 'shift && exec "%s" "$@"' % self.copy]
        shell = ["sh", "-c", " && ".join(commands), "sh"]
        words = ["10", "second"]
        context = started(
            words, self.folder, self.variables, [*(UNSHARE if mounts else []), *shell]
        )
        process = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return process

    def _layouts(self, text: str) -> Dict[str, str]:
        """What a tool's environment is that has only the layout TEXT."""
        layouts = os.path.join(self.folder, "layouts")
        os.makedirs(layouts, exist_ok=True)
        with open(os.path.join(layouts, "forced.layout"), "w", encoding="utf-8") as file:
            file.write(text)
        return tool_environment(layouts)

    def _module(self) -> str:
        """The path of the runtime as a row has it: its end, where there is no room for all."""
        return self.library[-TEXT_ROOM:]

    def _check_runtime(self, target: Sequence[str]) -> None:
        """The one that the program runs, by the path that it was loaded from."""
        [row] = run([*target, "runtimes", "--json"], tool_environment()).objects()
        self.assertEqual((row["module"], row["build_id"]), (self._module(), self.build_id))

    def _check_command(self, process: Process) -> None:
        """The command shows what is there, with the names of what the program runs."""
        truth = Process.truth_of(self.folder, "main")
        target = ["--pid", str(process.pid)]
        compare(truth, ask_command(target, tool_environment()), self.runtime)
        self._check_runtime(target)
        rows = run([*target, "destructors", "--json"], tool_environment()).objects()
        self.assertGreater(len(rows), 3)
        self.assertEqual({row["symbol"] for row in rows}, SYMBOLS)

    def _check_gdb(self, process: Process) -> None:
        """So does GDB, by what it reads itself; of the names it may have none, but no others."""
        truth = Process.truth_of(self.folder, "main")
        asked = ["set opencl reader gdb", *ask_lists()]
        asked += [ask(verb, "opencl %s -json" % verb) for verb in ("runtimes", "destructors")]
        session = run_gdb(["-p", str(process.pid)], asked, tool_environment())
        compare(truth, lists_of(session, lacks_modules=True), self.runtime)
        # What GDB has no file of may be a runtime too.
        [runtime] = [row for row in session.answer("runtimes").rows() if "unreadable" not in row]
        self.assertEqual((runtime["module"], runtime["build_id"]), (self._module(), self.build_id))
        symbols = {row.get("symbol") for row in session.answer("destructors").rows()}
        self.assertLessEqual(symbols, SYMBOLS | {None})

    def _check_refused(self, process: Process, variables: Dict[str, str], build_id: str) -> str:
        """Every list ends in the sentence, which is returned; no row is shown."""
        target = ["--pid", str(process.pid)]
        sentence = "No layout matches %s (build-id %s); " % (
            os.path.basename(self.library),
            build_id,
        )
        sentence += "run `ompd-opencl learn` where it is installed, or run the program under the "
        sentence += "recorder."
        for verb in some(("overview", *LISTS_ASKED), 2):
            answer = run([*target, verb], variables)
            self.assertEqual(answer.code, UNREADABLE)
            expected = ("", "ompd-opencl: %s\n" % as_error(sentence))
            self.assertEqual((answer.output, answer.errors), expected)
        answer = run([*target, "runtimes", "--json"], variables)
        self.assertEqual(answer.code, OK)
        [row] = answer.objects()
        self.assertEqual(row["build_id"], build_id)
        self.assertIsNone(row["objects"])
        self.assertNotIn("layout", row)
        return sentence

    def test_upgraded(self) -> None:
        """First the files are deleted, then others have their paths."""
        process = self._started()
        process.wait_for("main")
        self._remove()
        self._check_command(process)
        self._put_others()
        self._check_command(process)
        self._check_gdb(process)

    def test_other_root(self) -> None:
        """A process in a mount namespace of its own, in which other files have the same paths."""
        real = [path + ".real" for path in (self.library, self.copy)]
        mounts = []
        for path, kept in zip((self.library, self.copy), real):
            shutil.copy(path, kept)
            mounts.append("mount --bind %s %s" % (kept, path))
        self._remove()
        self._put_others()
        trial = [*UNSHARE, "sh", "-c", mounts[0]]
        if subprocess.run(trial, check=False, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("mount namespaces are not permitted")
        process = self._started(mounts)
        process.wait_for("main")
        self._check_command(process)
        self._check_gdb(process)

    def test_core_from_elsewhere(self) -> None:
        """The core's files are not here, or others have their names."""
        process = self._started()
        truth = process.wait_for("main")
        core = debuggers_core(process)
        self._remove()
        self._put_others()
        target = ["--core", core]
        compare(truth, ask_command(target, tool_environment()), self.runtime)
        compare(truth, ask_gdb(["-c", core], tool_environment()), self.runtime)
        self._check_runtime(target)
        rows: List[Row] = run([*target, "destructors", "--json"], tool_environment()).objects()
        functions = {row["function"] for row in rows}
        self.assertEqual(functions, {row["function"] for row in self._destructors(truth)})
        self.assertEqual({row["module"] for row in rows}, {self.copy})
        self.assertEqual({row.get("symbol") for row in rows} - {None}, set())

    def _destructors(self, truth: Dict[str, List[Row]]) -> List[Row]:
        return [entry for row in truth["memobjs"] for entry in row["destructors"]]

    def test_other_build(self) -> None:
        """Without a layout; and with one of another build, whose table lies elsewhere."""
        build_id = self._rebuild(self.library)
        process = self._started()
        process.wait_for("main")
        self._check_refused(process, tool_environment(), build_id)
        text = _BUILD_ID.sub("build-id " + build_id, read_text(self.layout))
        moved = self._layouts(_TABLE.sub("table 0x40", text))
        sentence = self._check_refused(process, moved, build_id)
        asked = [ask("memobjs", "opencl memobjs")]
        session = run_gdb(["-p", str(process.pid)], asked, moved)
        self.assertEqual(session.answer("memobjs").error, sentence)
        # Its table in the same place, its objects are others.
        for verb in some(LISTS_ASKED, 1):
            answer = run(["--pid", str(process.pid), verb, "--json"], self._layouts(shifted(text)))
            self.assertEqual(answer.code, INCOMPLETE)
            for row in answer.objects():
                self.assertNotEqual(row.get("confidence"), "certain", row)
            self.assertIn("missed by its layout", answer.objects()[-1]["unknown"]["rows"])

    def test_two_builds(self) -> None:
        """Of two builds in one process the layout is one's: the other's objects are missing, which
        is said, and makes the counts presumed."""
        second = self._install(self.library, "lib-second.so")
        build_id = self._rebuild(second)
        process = self._started()
        truth = process.wait_for("main")
        self.assertEqual(len(truth["contexts"]), 4)
        target = ["--pid", str(process.pid)]
        for verb in LISTS_ASKED:
            answer = run([*target, verb, "--json"], tool_environment())
            self.assertEqual(answer.code, OK)
            shown = {row["handle"] for row in answer.objects() if row["confidence"] != "doubtful"}
            live = {row["handle"] for row in truth[verb]}
            self.assertLessEqual(shown, live)
            self.assertEqual(2 * len(shown), len(live))
        overview = run([*target, "overview"], tool_environment())
        self.assertEqual(overview.code, OK if self.tells_svm() else INCOMPLETE)
        by_gdb = run_gdb(["-p", target[1]], [ask("overview", "opencl")], tool_environment())
        note = "No layout matches lib-second.so (build-id %s): its objects are missing here; run "
        note = "  " + note % build_id[:8] + "`ompd-opencl learn` where it is installed."
        for text in (overview.output, by_gdb.answer("overview").output):
            self.assertIn(note, text.splitlines())
            self.assertIn("  presumed, not proved: contexts, queues, memory objects", text)


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
