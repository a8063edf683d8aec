# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: run commands of the plugin and write the answers to the file
$OMPD_TEST_ANSWERS."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from typing import Any, Dict, List, Optional

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")


_CALLER = re.compile('"(?:released_)?caller": "(0x[0-9a-f]+)"')


# Libraries whose symbols a test may need.  Symbols of the libraries behind a runtime, such as LLVM,
# are three quarters of what GDB reads.
_LIBRARIES = r"\|".join(
    (
        "testsuite",
        "libompd-opencl",
        "libOpenCL",
        "libpocl",
        "RusticlOpenCL",
        "oclgrind",
        r"/libc\.",
        "/libpthread",
        "/ld-linux",
    )
)


class Watch:
    """Counts side effects that a command must not have."""

    def __init__(self) -> None:
        self.events: List[str] = []
        gdb.events.cont.connect(self._continued)
        gdb.events.memory_changed.connect(self._memory_changed)
        gdb.events.inferior_call.connect(self._called)

    def _continued(self, _event: Any) -> None:
        self.events.append("the target was resumed")

    def _memory_changed(self, _event: Any) -> None:
        self.events.append("the target's memory was written")

    def _called(self, _event: Any) -> None:
        self.events.append("a function of the target was called")


def _state() -> Dict[str, str]:
    """The selection of the user."""
    state = {"inferior": str(gdb.selected_inferior().num)}
    thread = gdb.selected_thread()
    state["thread"] = str(thread.ptid) if thread is not None else "none"
    try:
        frame = gdb.selected_frame()
        state["frame"] = "%s %#x" % (frame.level(), frame.pc())
    except gdb.error:
        state["frame"] = "none"
    state["$_"] = str(gdb.convenience_variable("_"))
    state["history"] = gdb.execute("show values", to_string=True)
    return state


def _place(caller: int) -> List[Any]:
    """Function, file and line of the call that returns to CALLER, as GDB knows them."""
    line = gdb.find_pc_line(caller - 1)
    block = gdb.block_for_pc(caller - 1)
    while block is not None and block.function is None:
        block = block.superblock
    return [
        block.function.name if block is not None else None,
        os.path.basename(line.symtab.filename) if line.symtab is not None else None,
        line.line,
    ]


def _read_symbols(_event: Any = None) -> None:
    """Have GDB read the symbols of the libraries that a question may be about."""
    gdb.execute("sharedlibrary " + _LIBRARIES, to_string=True)


_watch = Watch()
if not gdb.parameter("auto-solib-add"):
    _read_symbols()  # of the core, if there is one
    gdb.events.stop.connect(_read_symbols)


def ask(name: str, command: str) -> None:
    """Run COMMAND and record its result."""
    before = _state()
    del _watch.events[:]
    output = ""
    error: Optional[str] = None
    try:
        output = gdb.execute(command, to_string=True)
    except gdb.error as problem:
        error = str(problem)
    after = _state()
    disturbed = list(_watch.events)
    for key, value in before.items():
        if after[key] != value:
            disturbed.append("%s was %s and is %s" % (key, value, after[key]))
    answer: Dict[str, Any] = {
        "name": name,
        "output": output,
        "error": error,
        "disturbed": disturbed,
    }
    answer["places"] = {caller: _place(int(caller, 16)) for caller in set(_CALLER.findall(output))}
    with open(os.environ["OMPD_TEST_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(answer) + "\n")
