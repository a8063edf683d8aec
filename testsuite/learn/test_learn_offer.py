#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where no layout matches, the command learns it as --learn says: never, on request, or at once."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import unittest
from typing import Dict, List

from learning import folder_of, learn_text, learned_in, variables_for
from command import COMMAND, OK, UNREADABLE, USAGE, run
from harness import SOURCE, TIME_LIMIT, Skip, main, program, vendor_library
from unprepared import FEW, Truth, debuggers_core, program_environment, started

RUNTIME = "rusticl"  # its layout is learned soonest
MADE = program("learn/.libs/libmade-icd.so")

REFUSAL = r"no layout matches lib\w*OpenCL\S* \(build-id [0-9a-f]+\)"
QUESTION = r"^No layout matches lib\w*OpenCL\S* \(build-id [0-9a-f]{8}\)\. Learn it now\? "
PROMPT = "[y/N] "
SITE = "/etc/ompd-opencl/layouts"
LISTER = """
from ompd_opencl.layouts import Layouts
print("\\n".join(file.path for file in Layouts([], print).state()))
"""
# A copy of /etc beside that of the machine, with layouts in it.
IN_SITE = 'mount --bind "$0" /etc && exec "$@"'


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, words: List[str], variables: Dict[str, str]) -> None:
        self.written = ""
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            # Tests that run in the background are started with it ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvpe(COMMAND, [COMMAND, *words], dict(variables, TERM="dumb"))

    def _read(self) -> bool:
        """Read more; false at the end."""
        if not select.select([self._terminal], [], [], TIME_LIMIT)[0]:
            raise AssertionError("nothing is written after %r" % self.written[-500:])
        try:
            part = os.read(self._terminal, 65536)
        except OSError:
            part = b""
        self.written += part.decode("utf-8", "replace").replace("\r\n", "\n")
        return part != b""

    def await_question(self) -> None:
        """Read until the command asks."""
        while not self.written.endswith(PROMPT):
            if not self._read():
                raise AssertionError("no question: %r" % self.written)

    def send(self, keys: str) -> None:
        """Type KEYS."""
        os.write(self._terminal, keys.encode())

    def end(self) -> int:
        """Read the rest; the exit code, or the negative signal."""
        while self._read():
            pass
        os.close(self._terminal)
        status = os.waitpid(self._pid, 0)[1]
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)


class TestOffer(unittest.TestCase):
    own: Dict[str, str] = {}  # of the program
    text = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.own = program_environment(RUNTIME)
        library = vendor_library(RUNTIME)
        cls.text = learn_text("only", variables_for("first", {"only": library}))

    def tool(self, name: str, **libraries: str) -> Dict[str, str]:
        """The environment of a user who has the layout of another runtime."""
        installed = libraries or {"only": vendor_library(RUNTIME)}
        variables = variables_for("offer-" + name, installed)
        folders = [os.path.join(variables["HOME"], ".local/share/ompd-opencl/layouts")]
        folders.append(folder_of("other"))
        shutil.copy(os.path.join(SOURCE, "layouts", "pocl-6.0.layout"), folders[-1])
        return dict(variables, OMPD_OPENCL_LAYOUT_PATH=":".join(folders), RUSTICL_ENABLE="llvmpipe")

    def check_learned(self, variables: Dict[str, str]) -> str:
        """What is learned is cached, for this user; its path."""
        [path] = learned_in(variables["HOME"])
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.text)
        return path

    def check_rows(self, rows: str, truth: Truth) -> None:
        """All memory objects are in a table."""
        for row in truth["memobjs"]:
            self.assertIn(row["handle"], rows)
        self.assertGreater(len(truth["memobjs"]), 0)

    def test_never(self) -> None:
        """Without a terminal, nothing is asked or learned, unless the user wants it."""
        with started(FEW, folder_of("never"), self.own) as process:
            process.wait_for("main")
            variables = self.tool("never")
            choices: List[List[str]] = [[], ["--learn=never"], ["--learn", "ask"]]
            for words in choices:
                answer = run(["--pid", str(process.pid), "memobjs", *words], variables)
                self.assertEqual(answer.code, UNREADABLE)
                self.assertTrue(answer.is_refusal(), answer)
                self.assertRegex(answer.errors, REFUSAL)
            terminal = Terminal(["--pid", str(process.pid), "memobjs", "--learn=never"], variables)
            self.assertEqual(terminal.end(), UNREADABLE)
            self.assertRegex(terminal.written, "^ompd-opencl: " + REFUSAL)
        self.assertEqual(learned_in(variables["HOME"]), [])

    def test_auto(self) -> None:
        """It is learned once, for a process or a core, and serves from then on."""
        with started(FEW, folder_of("auto"), self.own) as process:
            truth = process.wait_for("main")
            core = debuggers_core(process)
            targets = [["--pid", str(process.pid)], ["--core", core]]
            for number, target in enumerate(targets):
                with self.subTest(target):
                    variables = self.tool("auto-%d" % number)
                    answer = run([*target, "--learn", "auto", "memobjs"], variables)
                    self.assertEqual(answer.code, OK, answer)
                    path = self.check_learned(variables)
                    self.assertEqual(
                        answer.errors, "ompd-opencl: only: learned the layout %s\n" % path
                    )
                    self.check_rows(answer.output, truth)
                    again = run([*target, "memobjs", "--learn=auto"], variables)
                    self.assertEqual((again.code, again.errors), (OK, ""))
                    self.assertEqual(again.output, answer.output)

    def test_ask(self) -> None:
        """Only y learns; the program continues meanwhile."""
        with started(FEW, folder_of("ask"), self.own) as process:
            truth = process.wait_for("main")
            core = debuggers_core(process)
            for number, target in enumerate((["--pid", str(process.pid)], ["--core", core])):
                with self.subTest(target):
                    variables = self.tool("ask-%d" % number)
                    for keys in ("n\n", "\n", "\x04"):
                        self.refuse(target, keys, variables)
                    self.interrupt(target, variables)
                    terminal = Terminal([*target, "memobjs"], variables)
                    terminal.await_question()
                    self.assertRegex(terminal.written, QUESTION)
                    terminal.send("y\n")
                    self.assertEqual(terminal.end(), OK, terminal.written)
                    self.assertIn(
                        "learned the layout " + self.check_learned(variables), terminal.written
                    )
                    self.check_rows(terminal.written, truth)

    def refuse(self, target: List[str], keys: str, variables: Dict[str, str]) -> None:
        """Without consent, the error is the same as without the question."""
        terminal = Terminal([*target, "memobjs"], variables)
        terminal.await_question()
        terminal.send(keys)
        self.assertEqual(terminal.end(), UNREADABLE)
        self.assertRegex(terminal.written.split("\n")[-2], "^ompd-opencl: " + REFUSAL)
        self.assertEqual(learned_in(variables["HOME"]), [])

    def interrupt(self, target: List[str], variables: Dict[str, str]) -> None:
        """Ctrl-C ends the command, and nothing is learned."""
        terminal = Terminal([*target, "memobjs", "--learn=ask"], variables)
        terminal.await_question()
        if target[0] == "--pid":
            with open("/proc/%s/status" % target[1], encoding="ascii", errors="replace") as file:
                self.assertIn("TracerPid:\t0\n", file.read())
        terminal.send("\x03")
        self.assertEqual(terminal.end(), -signal.SIGINT)
        self.assertEqual(learned_in(variables["HOME"]), [])

    def test_not_installed(self) -> None:
        """A runtime that is not installed is not loaded, wherever the target has it."""
        with started(FEW, folder_of("elsewhere"), self.own) as process:
            process.wait_for("main")
            variables = self.tool("elsewhere", made=MADE)
            words = ["--pid", str(process.pid), "memobjs", "--learn=auto"]
            answer = run(words, variables)
            self.assertEqual(answer.code, UNREADABLE)
            self.assertTrue(answer.is_refusal(), answer)
            self.assertRegex(answer.errors, REFUSAL)
            terminal = Terminal(words[:-1], variables)
            self.assertEqual(terminal.end(), UNREADABLE)
            self.assertRegex(terminal.written, "^ompd-opencl: " + REFUSAL)

    def test_word(self) -> None:
        answer = run(["--pid", "1", "memobjs", "--learn=soon"], self.tool("word"))
        self.assertEqual(answer.code, USAGE)
        self.assertEqual(
            answer.errors,
            "ompd-opencl: --learn: 'soon' is not a known value; use auto, ask or never\n",
        )

    def test_site(self) -> None:
        """The layouts of the site count behind the user's own, and are never written."""
        inside = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]
        if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            raise Skip("mount namespaces are not permitted")
        copy = os.path.join(folder_of("site"), "etc")
        layouts = copy + SITE[len("/etc") :]
        os.makedirs(layouts)
        shutil.copy("/etc/ld.so.cache", copy)
        with open(os.path.join(layouts, "only.layout"), "w", encoding="utf-8") as file:
            file.write(self.text)
        variables = self.tool("site")
        del variables["OMPD_OPENCL_LAYOUT_PATH"]
        words = [*inside, IN_SITE, copy, COMMAND]
        listed = subprocess.check_output(
            [*words, "layouts"], env=variables, universal_newlines=True, timeout=TIME_LIMIT
        )
        site = os.path.join(SITE, "only.layout")
        self.assertIn(site, listed)
        # Debuggers find them by Python.
        lister = [*inside, IN_SITE, copy, sys.executable, "-c", LISTER]
        variables["PYTHONPATH"] = os.path.join(SOURCE, "python")
        listed = subprocess.check_output(lister, env=variables, universal_newlines=True)
        self.assertEqual(listed, site + "\n")
        subprocess.run([*words, "learn"], env=variables, check=True, stdout=subprocess.DEVNULL)
        own = self.check_learned(variables)
        listed = subprocess.check_output(
            [*words, "layouts"], env=variables, universal_newlines=True, timeout=TIME_LIMIT
        )
        self.assertLess(listed.index(own), listed.index(SITE))
        self.assertEqual(os.listdir(layouts), ["only.layout"])


if __name__ == "__main__":
    main()
