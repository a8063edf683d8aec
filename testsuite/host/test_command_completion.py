#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completions of bash, zsh and fish are the words of the command's help."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from typing import Dict, List, Set, Tuple

from command import COMMAND
from command_help import options, verbs
from harness import SOURCE, Skip, main, work_folder
from terminal import Terminal

FOLDER = os.path.join(SOURCE, "command", "completion")
COMPLETION = os.path.join(FOLDER, "ompd-opencl")

# Completes the last of its arguments, as bash does.
COMPLETE = """
source "$1" && shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_ompd_opencl "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


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


# Words behind the command's name, the last of which zsh and fish complete.
LINES = (
    "",
    "--core memory svm",
    "memobjs --",
    "triage --",
    "memobjs --kind pipe,buf",
    "contexts --state ",
    "memobjs --sort kind,-si",
    "queues --group devi",
    "memobjs --columns size,sharing_n",
    "memobjs --min-size ",
    "--core some.co",
)

# A zsh that writes what it offers to a file, a line each.
ZSHRC = """
PS1='(ready) '
LISTMAX=1000
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
    case " $* " in
    *" -O "* | *" -A "* | *" -D "*) builtin compadd "$@"; return ;;
    esac
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- ${hits/#/$IPREFIX} >>offered
    builtin compadd "$@"
}
"""

FISH = """
source $COMPLETIONS/ompd-opencl.fish
for line in $argv
    complete -C "ompd-opencl $line"
    echo .
end
"""


def expected() -> List[List[str]]:
    """What is to be offered for LINES, each sorted."""
    offers: Tuple[List[str], ...] = (
        verbs(),
        ["svm", "svm-free", "svm-frees"],
        options("memobjs"),
        options("triage"),
        ["pipe,buffer"],
        ["app-released", "destroying", "live"],
        ["kind,-size"],
        ["device"],
        ["size,sharing_name"],
        [],
        ["some.core"],
    )
    return [sorted(offer) for offer in offers]


def folder_of(shell: str) -> str:
    """A folder for SHELL, with a file to complete."""
    if shutil.which(shell) is None:
        raise Skip(shell + " is not installed")
    folder = work_folder("completion-" + shell)
    with open(os.path.join(folder, "some.core"), "w", encoding="utf-8"):
        return folder


def variables() -> Dict[str, str]:
    """The environment of a shell that finds the command by its name."""
    path = os.path.dirname(os.path.abspath(COMMAND)) + os.pathsep + os.environ["PATH"]
    return dict(os.environ, PATH=path, COMPLETIONS=FOLDER)


def groups(lines: List[str]) -> List[List[str]]:
    """What stands before each line that is a dot, without doubles, sorted."""
    result: List[List[str]] = []
    group: Set[str] = set()
    for line in lines:
        if line == ".":
            result.append(sorted(group))
            group = set()
        elif line:
            group.add(line)
    return result


class TestZsh(unittest.TestCase):
    def test_offers(self) -> None:
        """Zsh completes at a terminal alone."""
        folder = folder_of("zsh")
        with open(os.path.join(folder, ".zshrc"), "w", encoding="utf-8") as file:
            file.write(ZSHRC)
        home = dict(variables(), ZDOTDIR=folder)
        shell = Terminal(["env", "--chdir", folder, "zsh", "-d", "-i"], home)
        shell.read_until("(ready) ")
        for line in LINES:
            # The line is completed, and another one is typed in its place.
            shell.send("ompd-opencl " + line + "\t\x15echo . >>offered\n")
            shell.read_until("echo . >>offered")
            shell.read_until("(ready) ")
        shell.abandon()
        with open(os.path.join(folder, "offered"), encoding="utf-8") as file:
            self.assertEqual(groups(file.read().split("\n")), expected())


class TestFish(unittest.TestCase):
    def test_offers(self) -> None:
        folder = folder_of("fish")
        done = subprocess.run(
            ["fish", "--no-config", "-c", FISH, *LINES],
            cwd=folder,
            env=dict(variables(), HOME=folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        lines = done.stdout.split("\n")
        self.assertEqual(groups([line.split("\t")[0] for line in lines]), expected())
        # What a verb does stands beside it.
        self.assertIn("contexts\tList OpenCL contexts.", lines)


class TestBash(unittest.TestCase):
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
        states = ["live", "app-released", "destroying"]
        self.assertEqual(complete("--json", "contexts", "--state", ""), states)
        self.assertEqual(complete("memobjs", "--min-size", ""), [])
        self.assertEqual(complete("--core", ""), [])

    def test_names_of_fields(self) -> None:
        """Of the verb's own rows, each behind a comma, and to sort by behind a sign."""
        self.assertEqual(complete("memobjs", "--columns", "han"), ["handle"])
        self.assertEqual(complete("memobjs", "--columns", "size,han"), ["size,handle"])
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
