#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host library and GDB read the same bytes and give the same answers."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import unittest
from typing import Any, Dict, List

from harness import (
    GDB_SCRIPTS,
    Session,
    ask,
    environment,
    main,
    program,
    run_gdb,
    some,
    work_folder,
)
from runtime_cases import questions
from kernel_core import allow_core, skip_without_cores

COMPARE = ["source " + os.path.join(GDB_SCRIPTS, "in_gdb_reader.py"), "python compare_memory()"]
# Of the program, of several libraries, of the recorder alone, and of nothing.
SYMBOLS = [
    "main",
    "truth_stop",
    "malloc",
    "clGetExtensionFunctionAddress",
    "ompd_opencl_registry",
    "no_such",
]
COMPARE += ["python compare_regions()", "python compare_modules(%r)" % SYMBOLS]
READERS = ("gdb", "host")
KEPT = (0.999, 0.9, 0.6, 0.3)  # of a core that is cut off
LEAST_PAGES = 1000


def both_ways() -> List[str]:
    """All questions with each reader, and all memory compared."""
    commands: List[str] = []
    for reader in READERS:
        commands.append("set opencl reader " + reader)
        commands += questions(reader)
    return commands + COMPARE


class TestReader(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.folder = work_folder("reader")

    def check_answers(self, session: Session) -> int:
        """How many answers are the same both ways; all must be."""
        same = 0
        for name, answer in session.answers.items():
            reader, _, question = name.partition(".")
            if reader != "gdb" or question == "memory":  # whose peak grows
                continue
            other = session.answers["host." + question]
            self.assertEqual((answer.output, answer.error), (other.output, other.error), question)
            same += answer.error is None
        return same

    def counts(self, session: Session) -> Dict[str, Any]:
        """What compare_memory() printed."""
        counts = self.printed(session, "COMPARED")
        self.assertEqual(counts["reader"], "host")
        self.assertEqual((counts["different"], counts["lost"]), (0, 0), counts)
        self.assertGreater(counts["same"], LEAST_PAGES)
        self.check_regions(session)
        return counts

    def printed(self, session: Session, what: str) -> Dict[str, Any]:
        """What a function of in_gdb_reader.py printed after the word WHAT."""
        found = re.findall(r"^%s (.*)$" % what, session.output, re.MULTILINE)
        self.assertEqual(len(found), 1, session.output + session.errors)
        counts: Dict[str, Any] = json.loads(found[0])
        return counts

    def check_regions(self, session: Session) -> None:
        """Both say the same of permissions, where they know them; of code they do."""
        counts = self.printed(session, "REGIONS")
        self.assertEqual((counts["different"], counts["different_code"]), (0, 0), counts)
        self.assertGreater(min(counts["code"], counts["same"]), LEAST_PAGES // 10, counts)

    def check_modules(self, session: Session, is_whole: bool) -> None:
        """Both have the same modules, with the same symbols; or both do not know."""
        told = self.printed(session, "MODULES")
        self.assertEqual((told["host"], told["gdb"]), ([], []))
        if not is_whole:
            return
        modules = {os.path.basename(module[0]): module for module in told["both"]}
        self.assertEqual(len(modules), len(told["both"]))
        self.assertIn("[vdso]", modules)
        self.assertTrue(all(len(module[1]) >= 32 for module in modules.values()), modules)
        places = {
            name: [module for module in modules if modules[module][4][name] is not None]
            for name in SYMBOLS
        }
        self.assertEqual(places["truth_stop"], ["truth-program"])
        self.assertEqual(places["ompd_opencl_registry"], ["libompd-opencl-recorder.so"])
        self.assertIn("libc.so.6", places["malloc"])
        self.assertGreater(len(places["clGetExtensionFunctionAddress"]), 1)
        self.assertEqual(places["no_such"], [])

    def check_core(self, core: str, is_whole: bool = True) -> None:
        """A core, both ways."""
        path = program("programs/truth-program")
        session = run_gdb(
            [path, core], both_ways(), self.variables, name="reader", all_symbols=True
        )
        same = self.check_answers(session)
        if is_whole:
            self.assertEqual(same, len(questions("")) - 1)
        if is_whole or not self.has_no_process(session):
            self.counts(session)
            self.check_modules(session, is_whole)

    def has_no_process(self, session: Session) -> bool:
        """Whether GDB finds no thread in a core: gcore writes them last."""
        return all(
            str(answer.error).startswith("No process") for answer in session.answers.values()
        )

    def cut(self, core: str) -> None:
        """The core cut off at several places."""
        size = os.path.getsize(core)
        for kept in some(KEPT, 2):
            with self.subTest(kept=kept):
                os.truncate(core, int(size * kept))
                self.check_core(core, is_whole=False)

    def test_live_and_gcore(self) -> None:
        core = os.path.join(self.folder, "gcore")
        commands = ["break truth_stop", "run %s > /dev/null" % self.folder, *both_ways()]
        commands += ["gcore " + core, "kill"]
        session = run_gdb(
            [program("programs/truth-program")], commands, self.variables, all_symbols=True
        )
        self.assertEqual(self.check_answers(session), len(questions("")) - 1)
        self.counts(session)
        self.check_modules(session, is_whole=True)
        self.check_core(core)
        self.cut(core)

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        folder = work_folder("reader-kernel")
        done = subprocess.run(
            [program("programs/truth-program"), folder, "abort-main"],
            cwd=folder,
            env=self.variables,
            preexec_fn=allow_core,
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        (core,) = [name for name in glob.glob(folder + "/*") if "json" not in name]
        self.check_core(core)
        self.cut(core)

    def test_fallback(self) -> None:
        """GDB reads where the host library is not there or would not see the same."""
        path = program("programs/truth-program")
        run = ["break truth_stop", "run %s > /dev/null" % self.folder]
        show = ask("read", "opencl memobjs -json")
        host = ["set opencl reader host", ask("host", "opencl memobjs -json"), "kill"]
        automatic = ["set opencl reader auto", show]
        away = dict(self.variables, OMPD_OPENCL_HOST_LIBRARY="/nowhere")
        inserted = ["set breakpoint always-inserted on"]
        nothing: List[str] = []
        for variables, first in ((away, nothing), (self.variables, inserted)):
            session = run_gdb([path], [*run, *first, *automatic, *host], variables)
            self.assertGreater(len(session.answer("read").rows()), 0)
            self.assertIn("opencl reader auto", str(session.answer("host").error))

    def make_core(self, name: str) -> str:
        """A core by GDB."""
        core = os.path.join(self.folder, name)
        run = ["break truth_stop", "run %s > /dev/null" % self.folder, "gcore " + core, "kill"]
        run_gdb([program("programs/truth-program")], run, self.variables)
        return core

    def test_sysroot(self) -> None:
        """The files of a core of another machine are looked for where `set sysroot` says."""
        folder = work_folder("reader-sysroot")
        root = os.path.join(folder, "root")
        core, library = os.path.join(folder, "core"), os.path.join(folder, "lib.so")
        path = program("unit/host-places-program")
        shutil.copy(program("unit/.libs/libhost-places.so"), library)
        gcore = ["break wait_here", "run %s > /dev/null" % library, "gcore " + core, "kill"]
        run_gdb([path], gcore, self.variables, plugin=False)
        os.makedirs(root + folder)
        shutil.move(library, root + library)
        for sysroot, is_saved in (("", False), (root, True), ("target:" + root, True)):
            commands = [COMPARE[0], "set sysroot " + sysroot, "python show_code(%r)" % library]
            session = run_gdb([path, core], commands, self.variables)
            self.assertIn("CODE %s\n" % is_saved, session.output, sysroot)

    def test_cut_meanwhile(self) -> None:
        """A core that is cut off in its place between two reads is opened anew; GDB lives on."""
        core = self.make_core("cut")
        address = "int(gdb.parse_and_eval('&ompd_opencl_registry'))"
        commands = [COMPARE[0], "python read_cut(%r, %s)" % (core, address)]
        session = run_gdb([program("programs/truth-program"), core], commands, self.variables)
        self.assertIn("READ BY host host\n", session.output)

    def test_replaced(self) -> None:
        """A core in whose place another was put while GDB has it open is left to GDB."""
        core, other = self.make_core("one"), os.path.join(self.folder, "other")
        path = program("programs/truth-program")
        shutil.copy(core, other)
        commands = ["set opencl reader host", ask("before", "opencl memobjs -json")]
        commands += ["shell mv %s %s" % (other, core), "set opencl reader host"]
        commands += [ask("after", "opencl memobjs -json")]
        session = run_gdb([path, core], commands, self.variables)
        self.assertGreater(len(session.answer("before").rows()), 0)
        self.assertIn("opencl reader auto", str(session.answer("after").error))


if __name__ == "__main__":
    main()
