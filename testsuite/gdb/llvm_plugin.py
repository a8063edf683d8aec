# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's own GDB plugin for OMPD: where it is installed, its commands and its answers."""

from __future__ import annotations

import os
import re
import unittest
from typing import Any, Dict, List, NamedTuple, Optional

from harness import GDB_SCRIPTS, SOURCE, Answer, Row, Session

FOLDER = os.environ.get("LLVM_OMPD_PLUGIN", "")
IN_GDB_LLVM = os.path.join(GDB_SCRIPTS, "in_gdb_llvm.py")
INIT = "python ask_llvm('init', 'ompd init')"
DEEPEST = 8  # activities within each other that the recorder keeps
GOAL = 1.0  # seconds for one command: printed, never a verdict

_THREAD = re.compile(r"Thread \d+ \((\d+)\) is (?:an OpenMP thread; state: (\S+)|no OpenMP thread)")
_ICV = re.compile(r"(\S+) +(address_space|thread) +(-?\d+)")
_COST = re.compile(r"^cost: (\S+): (\d+) lookups, (\d+) reads, (\d+) bytes, (\d+\.\d+) s$", re.M)


def require() -> None:
    """Skip the calling test where the plugin is not installed; where it must be, fail."""
    if os.path.exists(os.path.join(FOLDER, "__init__.py")):
        return
    if _is_debian_12():
        raise AssertionError("`./bootstrap check` has not put LLVM's plugin in %r" % FOLDER)
    raise unittest.SkipTest("LLVM's GDB plugin for OMPD is not installed")


def _is_debian_12() -> bool:
    if not os.path.exists("/etc/os-release"):
        return False
    with open("/etc/os-release", encoding="utf-8") as file:
        words = file.read().replace('"', "").split()
    return "ID=debian" in words and "VERSION_ID=12" in words


def load() -> List[str]:
    """The GDB commands that load the plugin and watch what it asks.

    It imports the module `imp`, which Python has no more since 3.12, and uses nothing of it.
    """
    imp = "python import sys, types; sys.modules.setdefault('imp', types.ModuleType('imp'))"
    return [imp, "source " + os.path.join(FOLDER, "__init__.py"), "source " + IN_GDB_LLVM]


def run_and_init(arguments: str) -> List[str]:
    """The GDB commands that run the program until there is something to initialise, and do so.

    The recorder comes with the program's first call into OpenCL, so `ompd init` has to wait.
    """
    return ["tbreak ompd_dll_locations_valid", "run " + arguments, INIT]


def is_loaded(session: Session) -> bool:
    """Whether `ompd init` has loaded a library."""
    return "Loaded OMPD lib successfully!" in session.answer("init").output


def ask_threads(stop: str) -> str:
    """The GDB command that asks for the threads at a stop."""
    return "python ask_llvm(%r, %r)" % (stop + ".llvm-threads", "ompd threads")


def ask_icvs(stop: str) -> str:
    """The GDB command that asks for the ICVs of the process and of the selected thread."""
    return "python ask_llvm(%r, %r)" % (stop + ".llvm-icvs", "ompd icvs")


def ask_both(stop: str) -> List[str]:
    """Both."""
    return [ask_threads(stop), ask_icvs(stop)]


class Icv(NamedTuple):
    """An ICV as `ompd icvs` prints it."""

    scope: str
    value: int


def _text(answer: Answer) -> str:
    """What a command printed, which must be no traceback."""
    if answer.error is not None or "Traceback" in answer.output:
        raise AssertionError("LLVM's plugin failed: %s\n%s" % (answer.error, answer.output))
    return answer.output


def state_of(thread: Row) -> Optional[str]:
    """The state that `ompd threads` must show of a thread of the truth file."""
    if not thread["has_entered"]:
        return None
    if not thread["activities"]:
        return "opencl_outside"
    if len(thread["activities"]) > DEEPEST:
        return "opencl_unknown"
    return "opencl_" + str(thread["activities"][0]["state"]).replace("-", "_")


def states_of(truth: Dict[str, Any]) -> Dict[int, Optional[str]]:
    """The states of all threads of the program, by LWP."""
    return {row["lwp"]: state_of(row) for row in truth["threads"] if not row["has_ended"]}


def threads(session: Session, stop: str) -> Dict[int, Optional[str]]:
    """The state of each thread by its LWP; None for what is no thread of the runtime."""
    text = _text(session.answer(stop + ".llvm-threads"))
    found = {int(lwp): state or None for lwp, state in _THREAD.findall(text)}
    if not found:
        raise AssertionError("`ompd threads` lists no thread:\n" + text)
    return found


def known(states: Dict[int, Optional[str]]) -> Dict[int, str]:
    """Those of some threads that are threads of the runtime."""
    return {lwp: state for lwp, state in states.items() if state is not None}


def icvs(session: Session, stop: str) -> Dict[str, Icv]:
    """The ICVs by name."""
    text = _text(session.answer(stop + ".llvm-icvs"))
    lines = text.split("=====\n")[-1].splitlines()
    found: Dict[str, Icv] = {}
    for line in lines:
        match = _ICV.fullmatch(line)
        if match is None:
            raise AssertionError("`ompd icvs` says %r" % line)
        found[match.group(1)] = Icv(match.group(2), int(match.group(3)))
    if not found:
        raise AssertionError("`ompd icvs` lists nothing:\n" + text)
    return found


def documented_icvs() -> Dict[str, str]:
    """The scope of each ICV that the guide for debugger vendors has a row for."""
    found = {}
    with open(os.path.join(SOURCE, "doc", "guide-vendors.md"), encoding="utf-8") as file:
        for line in file:
            row = re.match(r"\| (`[\w-]+-var`(?:, `[\w-]+-var`)?) \| ([\w ]+) \|", line)
            if row is not None:
                for name in re.findall(r"[\w-]+-var", row.group(1)):
                    found[name] = row.group(2).replace(" ", "_")
    return found


class Verdict(NamedTuple):
    """What a test of the plugin's own found."""

    function: str
    test: str
    said: str

    @property
    def is_success(self) -> bool:
        """Whether the plugin was content."""
        return self.said.startswith("Success") or "ompd_rc_ok" in self.said


def verdicts(session: Session) -> List[Verdict]:
    """What `ompdtestapi` has said in a session."""
    found = []
    function = test = ""
    for line in session.output.splitlines():
        begin = re.match(r'Testing "(?:test_)?(ompd_\w+)"', line)
        if begin:
            function = begin.group(1)
        elif line.startswith("Test: "):
            test = line[len("Test: ") :]
        elif line.startswith(("Success", "Failed", "Ret code")):
            found.append(Verdict(function, test, line))
    return found


class Cost(NamedTuple):
    """What a command asked of GDB, and how long it took."""

    lookups: int
    reads: int
    read_bytes: int
    seconds: float


def costs(session: Session) -> Dict[str, Cost]:
    """What each question cost, printed too."""
    found = {}
    for name, lookups, reads, read_bytes, seconds in _COST.findall(session.output):
        found[name] = Cost(int(lookups), int(reads), int(read_bytes), float(seconds))
        slow = "" if found[name].seconds <= GOAL else " (slower than the goal of %g s)" % GOAL
        print("%s: %s%s" % (name, found[name], slow))
    return found
