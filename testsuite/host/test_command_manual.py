#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manual page and the completion of the command have all that its help has."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from typing import Dict, List

from command import COMMAND, OK, run
from harness import SOURCE, main

PAGE = os.path.join(SOURCE, "doc", "ompd-opencl.1")
COMPLETION = os.path.join(SOURCE, "command", "completion", "ompd-opencl")

# Completes the last of its arguments, as bash does.
COMPLETE = """
source "$1" && shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_ompd_opencl "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def help_of(*verb: str) -> str:
    """What --help prints."""
    answer = run([*verb, "--help"], dict(os.environ))
    if answer.code != OK or answer.errors:
        raise AssertionError(answer)
    return answer.output


def verbs() -> List[str]:
    """All verbs."""
    part = help_of().split("Verbs, each", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    return re.findall(r"^  ([\w-]+)  ", part, re.MULTILINE)


def options(*verb: str) -> List[str]:
    """The options of a verb, or of all."""
    return re.findall(r"^  (--[\w-]+) ", help_of(*verb), re.MULTILINE)


def complete(*words: str) -> List[str]:
    """What bash offers for the last of the words behind the command's name."""
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE, "bash", COMPLETION, COMMAND, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    if done.stderr:
        raise AssertionError(done.stderr)
    return done.stdout.split()


def sections() -> Dict[str, str]:
    """The manual page's sections, without roff's backslashes."""
    with open(PAGE, encoding="utf-8") as file:
        parts = re.split(r"(?m)^\.SH (.*)$", file.read().replace("\\-", "-"))
    return dict(zip(parts[1::2], parts[2::2]))


def entries(section: str) -> List[str]:
    """The first words of a section's entries."""
    return re.findall(r'^\.TP\n\.(?:B|BI|BR) "?([\w-]+)', sections()[section], re.MULTILINE)


class TestManual(unittest.TestCase):
    def test_verbs(self) -> None:
        self.assertGreater(len(verbs()), 10)
        self.assertEqual(sorted(entries("VERBS")), sorted(verbs()))

    def test_options(self) -> None:
        self.assertGreater(len(options()), 10)
        self.assertEqual(sorted(entries("OPTIONS")), sorted(options()))

    def test_exit_codes(self) -> None:
        part = help_of().split("Exit codes:", maxsplit=1)[1]
        codes = re.findall(r"^  (\d)  ", part, re.MULTILINE)
        self.assertEqual(codes, ["0", "1", "2", "3", "4", "5"])
        self.assertEqual(entries("EXIT STATUS"), codes)


class TestCompletion(unittest.TestCase):
    def test_verbs(self) -> None:
        self.assertEqual(complete(""), verbs())
        self.assertEqual(complete("--core", "memory", "svm"), ["svm", "svm-frees", "svm-free"])
        self.assertEqual(complete("memobjs", ""), [])

    def test_options(self) -> None:
        self.assertEqual(complete("--"), options())
        for verb in verbs():
            self.assertEqual(complete(verb, "--"), options(verb))
        self.assertNotIn("--pid", complete("triage", "--"))

    def test_names(self) -> None:
        """Names of kinds and states, each behind a comma, too."""
        self.assertIn("sub-buffer", complete("memobjs", "--kind", ""))
        self.assertEqual(complete("memobjs", "--kind", "pipe,buf"), ["pipe,buffer"])
        self.assertIn("destroying", complete("--json", "contexts", "--state", ""))
        self.assertEqual(complete("memobjs", "--min-size", ""), [])
        self.assertEqual(complete("--core", ""), [])

    def test_names_of_fields(self) -> None:
        """Of the verb's own rows, each behind a comma, and to sort by behind a sign."""
        self.assertEqual(complete("memobjs", "--columns", "ha"), ["handle"])
        self.assertEqual(complete("memobjs", "--columns", "size,ha"), ["size,handle"])
        self.assertEqual(complete("memobjs", "--sort", "-si"), ["-size"])
        self.assertEqual(complete("memobjs", "--sort", "kind,-si"), ["kind,-size"])
        self.assertEqual(complete("queues", "--group", "devi"), ["device"])
        self.assertIn("sharing_name", complete("memobjs", "--columns", ""))
        self.assertNotIn("sharing_name", complete("queues", "--columns", ""))

    def test_processes(self) -> None:
        self.assertIn(str(os.getpid()), complete("--pid", ""))

    def test_no_command(self) -> None:
        """Where the command cannot be run, nothing is offered and nothing said."""
        done = subprocess.run(
            ["bash", "--norc", "-c", COMPLETE, "bash", COMPLETION, COMMAND + ".not-there", ""],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        self.assertEqual(done.stdout.strip(), "")


if __name__ == "__main__":
    main()
