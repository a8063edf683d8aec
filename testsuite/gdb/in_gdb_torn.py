# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs inside GDB: stops the program churn at many places and writes down what is shown there.

Each line of the file $OMPD_TEST_ANSWERS.torn is an observation: where the program is, and the
memory objects that the plugin shows at that point.
"""

from __future__ import annotations

import json
import os
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
        "context": hex(int(gdb.parse_and_eval("(unsigned long) context"))),
    }


class Observer:
    """Asks the plugin and writes down each answer that differs from the last one."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._last = ""
        self._path = os.environ["OMPD_TEST_ANSWERS"] + ".torn"
        self.count = 0

    def observe(self, where: str) -> None:
        observation = _progress(self._threads)
        observation["rows"] = json.loads(gdb.execute("opencl memobjs -json", to_string=True))
        text = json.dumps(observation)
        self.count += 1
        if text == self._last:
            return
        self._last = text
        observation["where"] = where
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(observation) + "\n")


def step_through(recorder: str) -> None:
    """Step through a function of the program, and look after each instruction of RECORDER.

    What it calls outside the program, the OpenCL loader and the recorder is run, not stepped.
    """
    observer = Observer(1)
    inside = _text_ranges([recorder, "libOpenCL.so"])
    watched = inside[:1] if recorder in gdb.solib_name(inside[0][0]) else inside[1:]
    home = gdb.selected_frame().older().pc()
    block = gdb.block_for_pc(home)
    while block.function is None:
        block = block.superblock
    program = (block.start & ~0xFFF, block.end + 0xFFF)
    stepped = 0
    while stepped < LIMIT:
        gdb.execute("stepi", to_string=True)
        stepped += 1
        pc = int(gdb.parse_and_eval("(unsigned long) $pc"))
        if pc == home:
            break
        if _is_in(pc, watched):
            observer.observe(hex(pc))
        elif not _is_in(pc, inside) and not program[0] <= pc < program[1]:
            back = int(gdb.parse_and_eval("*(unsigned long *) $rsp"))
            gdb.execute("tbreak *%#x" % back, to_string=True)
            gdb.execute("continue", to_string=True)
    print("stepped %d, observed %d" % (stepped, observer.count))


def stop_often(threads: int, stops: int) -> None:
    """Look at the program at each of the next STOPS of its breakpoints."""
    observer = Observer(threads)
    for number in range(stops):
        gdb.execute("continue", to_string=True)
        observer.observe("stop %d, thread %s" % (number, gdb.selected_thread().ptid[1]))
    print("observed %d" % observer.count)
