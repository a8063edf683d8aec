# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: stop the program churn at many places and record what is shown there.

Each line of the file $OMPD_TEST_ANSWERS.torn is an observation: where the program is, and the
memory objects and the threads that the plugin shows at that point.
"""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from typing import Any, Dict, List, Tuple

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")

LIMIT = 20000  # instructions; more means that something has gone wrong

Range = Tuple[int, int]


def _text_ranges(names: List[str]) -> List[Range]:
    """Where the code of the libraries lies whose path contains one of NAMES."""
    ranges = []
    for line in gdb.execute("info sharedlibrary", to_string=True).splitlines():
        words = line.split()
        if words and words[0].startswith("0x") and any(name in words[-1] for name in names):
            ranges.append((int(words[0], 16), int(words[1], 16)))
    if len(ranges) != len(names):
        raise gdb.GdbError("not all of %s are loaded" % names)
    return ranges


def _is_in(pc: int, ranges: List[Range]) -> bool:
    return any(start <= pc < end for start, end in ranges)


def _progress(threads: int) -> Dict[str, Any]:
    """What churn says of itself."""
    return {
        "progress": [int(gdb.parse_and_eval("churn_progress[%d]" % i)) for i in range(threads)],
        "lwp": [int(gdb.parse_and_eval("churn_lwp[%d]" % i)) for i in range(threads)],
        "handle": [
            hex(int(gdb.parse_and_eval("(unsigned long) churn_handle[%d]" % i)))
            for i in range(threads)
        ],
        "context": hex(int(gdb.parse_and_eval("(unsigned long) 'churn.c'::context"))),
    }


class Observer:
    """Asks the plugin and writes down each answer that differs from the last one."""

    def __init__(self, threads: int, anew: bool) -> None:
        """ANEW: have everything read again each time, as from a core, not what has changed."""
        self._threads = threads
        self._anew = anew
        self._last = ""
        self._path = os.environ["OMPD_TEST_ANSWERS"] + ".torn"
        self.count = 0

    def observe(self, where: str) -> None:
        observation = _progress(self._threads)
        if self._anew:
            import_module("ompd_opencl_gdb")._plugin.sessions.drop_all()
        observation["rows"] = json.loads(gdb.execute("opencl memobjs -json", to_string=True))
        observation["threads"] = json.loads(gdb.execute("opencl threads -json", to_string=True))
        text = json.dumps(observation)
        self.count += 1
        if text == self._last:
            return
        self._last = text
        observation["where"] = where
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(observation) + "\n")


def _program_range() -> Range:
    """Where the code of the program lies, its stubs for functions of libraries included."""
    places = []
    for line in gdb.execute("info files", to_string=True).splitlines():
        words = line.split()
        # A section of a library has the library's name behind its own.
        if len(words) == 5 and words[4] in (".plt", ".plt.sec", ".plt.got", ".text"):
            places += [int(words[0], 16), int(words[2], 16)]
    return (min(places), max(places))


def _run_back(ranges: List[Range]) -> None:
    """Run to where the innermost caller with code in RANGES goes on."""
    frame = gdb.selected_frame().older()
    while not _is_in(frame.pc(), ranges):
        frame = frame.older()
    gdb.execute("tbreak *%#x" % frame.pc(), to_string=True)
    gdb.execute("continue", to_string=True)


def _writes_registers_alone() -> bool:
    """Whether the next instruction is known to leave memory as it is, but for the stack."""
    frame = gdb.selected_frame()
    [found] = frame.architecture().disassemble(frame.pc())
    return re.search(r"[ ,]%\w+$", found["asm"]) is not None


def step_through(recorder: str, anew: bool) -> None:
    """Step through a function of the program, and look after each instruction of RECORDER that may
    have written to memory: what is shown after another is what was shown before it.

    What it calls outside the program, the OpenCL loader and the recorder is run, not stepped; what
    calls the recorder back from there is caught by breakpoints in the recorder.
    """
    observer = Observer(1, anew)
    watched = _text_ranges([recorder])
    home = gdb.selected_frame().older().pc()
    inside = watched + _text_ranges(["libOpenCL.so"]) + [_program_range()]
    stepped = 0
    pc = 0
    is_changed = True
    while pc != home and stepped < LIMIT:
        if pc == 0 or _is_in(pc, inside):
            is_changed = is_changed or not _writes_registers_alone()
            gdb.execute("stepi", to_string=True)
            stepped += 1
        else:
            _run_back(inside)
            is_changed = True
        pc = gdb.selected_frame().pc()
        if is_changed and _is_in(pc, watched):
            is_changed = False
            place = gdb.execute("info line *%#x" % pc, to_string=True)
            observer.observe(place.split(" starts at")[0].split(" is at")[0])
    print("stepped %d, observed %d" % (stepped, observer.count))


def stop_often(threads: int, stops: int, anew: bool) -> None:
    """Read the program at each of the next STOPS of its breakpoints."""
    observer = Observer(threads, anew)
    for number in range(stops):
        gdb.execute("continue", to_string=True)
        observer.observe("stop %d, thread %s" % (number, gdb.selected_thread().ptid[1]))
    print("observed %d" % observer.count)
