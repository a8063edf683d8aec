# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside LLDB: run commands of the plugin and write the answers to $OMPD_TEST_ANSWERS."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from importlib import import_module
from typing import Any, Dict, List

# What exists in LLDB alone.
lldb: Any = import_module("lldb")

_CALLER = re.compile('"(?:released_)?caller": "(0x[0-9a-f]+)"')
_BREAKPOINT = b"\xcc"  # of x86
MOST_SECONDS = 600  # that a key may be on its way


def _process() -> Any:
    return lldb.debugger.GetSelectedTarget().GetProcess()


def _state() -> Dict[str, str]:
    """What the person has selected, and how often the process has stopped."""
    process = _process()
    thread = process.GetSelectedThread()
    return {
        "target": str(lldb.debugger.GetSelectedTarget()),
        "state": str(process.GetState()),
        "stop": str(process.GetStopID(True)),
        "thread": str(thread.GetThreadID()),
        "frame": str(thread.GetSelectedFrame().GetFrameID()),
    }


def _place(caller: int) -> List[Any]:
    """Function, file and line of the call that returns to CALLER, as LLDB knows them."""
    target = lldb.debugger.GetSelectedTarget()
    address = target.ResolveLoadAddress(caller - 1)
    context = target.ResolveSymbolContextForAddress(address, lldb.eSymbolContextEverything)
    inlined = context.GetBlock().GetContainingInlinedBlock()
    name = inlined.GetInlinedName() if inlined.IsValid() else context.GetFunction().GetName()
    line = context.GetLineEntry()
    return [name, line.GetFileSpec().basename, line.GetLine()]


def ask(name: str, command: str) -> None:
    """Run COMMAND and write down what came of it; of JSON the lines as an array."""
    before = _state()
    result = lldb.SBCommandReturnObject()
    lldb.debugger.GetCommandInterpreter().HandleCommand(command, result)
    output = result.GetOutput() or ""
    after = _state()
    answer: Dict[str, Any] = {
        "name": name,
        "output": output,
        "error": None,
        "disturbed": [key for key in before if after[key] != before[key]],
        "places": {each: _place(int(each, 16)) for each in set(_CALLER.findall(output))},
    }
    if not result.Succeeded():
        answer["error"] = re.sub(r"^error: ", "", result.GetError() or "").rstrip("\n")
    elif "--json" in command:
        answer["output"] = "[%s]" % ",".join(output.splitlines())
    with open(os.environ["OMPD_TEST_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(answer) + "\n")


def _view() -> Any:
    plugin = import_module("ompd_opencl_lldb.plugin").plugin()
    return plugin.sessions.view(_process(), False)


def tell_modules() -> None:
    """Print the modules that the plugin gets from LLDB."""
    target = _view().target
    modules: List[List[str]] = []
    unreadable = import_module("ompd_opencl.errors").UnreadableMemory
    try:
        while True:
            module = target.module(len(modules))
            if module is None:
                break
            modules.append([os.path.basename(module.name), module.build_id.hex()])
        print("MODULES %s" % json.dumps(modules))
    except unreadable:
        print("MODULES AND MORE %s" % json.dumps(modules))


def wait_for_end() -> None:
    """Wait until LLDB shows that it has killed the process, which may be after the command `kill`;
    the runner ends a test that hangs.  Print the state."""
    while _process().GetState() != lldb.eStateExited:
        os.sched_yield()
    print("STATE %d" % _process().GetState())


def kill_from_outside() -> None:
    """Kill the process from outside, and wait until its memory is unmapped; the runner ends a test
    that hangs.  /proc is polled, because only the tracer is notified.  Print whether the plugin
    knew of the end before and after, because LLDB may notice it later."""
    pid = _process().GetProcessID()
    view = _view()
    ended = [view.has_ended()]
    os.kill(pid, signal.SIGKILL)
    while _has_memory(pid):
        os.sched_yield()
    print("ENDED %s" % [*ended, view.has_ended()])


def _has_memory(pid: int) -> bool:
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8") as maps:
            return maps.read(1) != ""
    except (FileNotFoundError, ProcessLookupError):
        return False


def tell_breakpoints(name: str) -> None:
    """Print how often a breakpoint on the function NAME is in the memory of the process, and how
    often in what the library is given."""
    symbols = lldb.debugger.GetSelectedTarget().FindSymbols(name)
    there = seen = 0
    for index in range(symbols.GetSize()):
        start = symbols.GetContextAtIndex(index).GetSymbol().GetStartAddress()
        address = start.GetLoadAddress(lldb.debugger.GetSelectedTarget())
        if address == lldb.LLDB_INVALID_ADDRESS:
            continue
        in_file = start.GetSection().GetSectionData(start.GetOffset(), 32).uint8s
        with open("/proc/%d/mem" % _process().GetProcessID(), "rb", 0) as memory:
            memory.seek(address)
            in_memory = memory.read(32)
        target = _view().target
        for offset, (byte, code) in enumerate(zip(in_memory, in_file)):
            # An instruction may have that byte too.
            if byte == _BREAKPOINT[0] and byte != code:
                there += 1
                seen += bytes(target.read(address + offset, 1)) == _BREAKPOINT
    print("BREAKPOINTS %d %d" % (there, seen))


def tell_reads(address: int, sizes: List[int]) -> None:
    """Print how many of the reads of so many bytes before ADDRESS, and 16 behind it, succeed."""
    target, done = _view().target, 0
    unreadable = import_module("ompd_opencl.errors").UnreadableMemory
    for size in sizes:
        try:
            done += len(target.read(address - size, size + 16)) > 0
        except unreadable:
            pass
    print("READS %d of %d" % (done, len(sizes)))


def tell_first_look() -> None:
    """Print a line when the library checks for Ctrl-C the first time, and let it check until the
    key has come, because a list may end before on a busy machine.  LLDB has no event for the key,
    only a flag."""
    front_end: Any = import_module("ompd_opencl.front_end")
    look = front_end.is_interrupted

    def told() -> Any:
        front_end.is_interrupted = look
        print("LOOKING", flush=True)
        end = time.monotonic() + MOST_SECONDS
        while not look() and time.monotonic() < end:
            time.sleep(0.001)
        return look()

    front_end.is_interrupted = told
