# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a real LLDB with the plugin on a test program, and return the plugin's answers.

ask() of in_lldb.py runs each command inside LLDB and records its output, its error, and whether it
changed the debugger's state.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from typing import Dict, List, Sequence

from harness import (
    LISTS,
    MORE_LISTS,
    SOURCE,
    TIME_LIMIT,
    WORK,
    Session,
    Skip,
    check_session,
    program,
    read_answers,
    run_gdb,
)

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(SOURCE, "lldb-plugin", "ompd_opencl_lldb")
OLDEST = 19  # of those that are tested with
IN_LLDB = os.path.join(HERE, "in_lldb.py")


@functools.lru_cache(maxsize=None)
def find_lldb() -> str:
    """The LLDB that is tested with: that of the variable LLDB, else Debian's."""
    for name in (os.environ.get("LLDB", ""), "lldb-19", "lldb"):
        if name and shutil.which(name) and _version(name) >= OLDEST:
            return name
    raise Skip("LLDB is not installed")


def _version(name: str) -> int:
    """The major version of an LLDB."""
    done = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    match = re.search(r"version (\d+)", done.stdout)
    return int(match[1]) if match else 0


def ask(name: str, command: str) -> str:
    """The LLDB command that asks the plugin."""
    return "script in_lldb.ask(%r, %r)" % (name, command)


def questions(stop: str) -> List[str]:
    """Everything that is asked at a stop: see runtime_cases.questions."""
    asked = [ask("%s.%s" % (stop, name), "opencl %s --json" % name) for name in LISTS]
    asked += [ask("%s.%s" % (stop, name), "opencl %s --json" % name) for name in MORE_LISTS]
    for name in ("destructors", "overview", "memory"):
        asked.append(ask("%s.%s" % (stop, name), "opencl %s --json" % name))
    return asked


def launch(*arguments: str) -> List[str]:
    """The commands that run the program to its first truth_stop."""
    words = " ".join(arguments)
    return ["breakpoint set --name truth_stop", "process launch --stdout /dev/null -- " + words]


def lldb_line(words: Sequence[str], commands: Sequence[str], plugin: bool = True) -> List[str]:
    """The command line of an LLDB; WORDS name program and core."""
    line = [find_lldb(), "--no-lldbinit", "--no-use-colors"]
    for script in [PLUGIN, IN_LLDB] if plugin else []:
        line += ["-o", "command script import " + script]
    for command in commands:
        line += ["-o", command]
    return line + list(words)


def start_lldb(
    words: Sequence[str], commands: Sequence[str], variables: Dict[str, str], plugin: bool = True
) -> "subprocess.CompletedProcess[str]":
    """Run LLDB in batch mode to its end."""
    return subprocess.run(
        [*lldb_line(["--batch"], commands, plugin), *words],
        env=dict(variables, DEBUGINFOD_URLS=""),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
    )


def run_lldb(
    words: Sequence[str], commands: Sequence[str], variables: Dict[str, str], status: int = 0
) -> Session:
    """Run LLDB to its end, which is to have STATUS, and collect the answers."""
    path = os.path.join(WORK, "lldb-%d.answers" % os.getpid())
    if os.path.exists(path):
        os.unlink(path)
    done = start_lldb(words, commands, dict(variables, OMPD_TEST_ANSWERS=path))
    session = Session(done.returncode, done.stdout, done.stderr, read_answers(path))
    check_session(session)
    if session.status != status:
        raise AssertionError("LLDB ended with %d\n%s" % (session.status, done.stdout + done.stderr))
    return session


def core_of_lost_program(name: str, folder: str, variables: Dict[str, str]) -> str:
    """The core, by GDB, of a copy of the program NAME that is not there any more."""
    path, core = os.path.join(folder, "lost"), os.path.join(folder, "core")
    shutil.copy(program(name), path)
    commands = ["break truth_stop", "run %s > /dev/null" % folder, "gcore " + core, "kill"]
    run_gdb([path], commands, variables, plugin=False, name="lldb-lost")
    os.unlink(path)
    return core
