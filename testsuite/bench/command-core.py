#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print what listing a core costs with the command and with other tools on the same core.

The tools take turns, so that other load on the machine affects all of them.  A ratio is the median
of the ratios of neighbouring runs.  Memory is the peak resident set, which includes mapped pages of
the core.  """
import ctypes
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, NamedTuple

from pocl_alone import GDB, pocl_alone, run_gdb

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
SOURCE = Path(os.environ.get("TOP_SRCDIR", ".")).resolve()
LIBRARIES = BUILD / ".libs"
PROGRAM = BUILD / "testsuite/programs/many-buffers"
BUFFERS = 100000
TURNS = 5
FEW_BUFFERS = 10
FIRST_TURNS = 21  # each is short
PLUGIN_TURNS = 2  # each takes long

PR_SET_CHILD_SUBREAPER = 36  # of <sys/prctl.h>

ROWS = "ompd-opencl --core memobjs"
JSON = "ompd-opencl --core memobjs --json"
UNCONFINED = "the same by a process that is not confined"
STACKS = "eu-stack --core"
NOTHING = "gdb -batch, doing nothing"
PLUGIN = "opencl memobjs -json in GDB"
NOTES = "readelf -n"
FIRST = (ROWS, UNCONFINED, NOTES, NOTHING)  # compared on a small core


class Cost(NamedTuple):
    """Of one run."""

    seconds: float
    peak: int  # KiB


def variables(folder: Path) -> Dict[str, str]:
    """The environment of all runs."""
    result = pocl_alone(folder)
    result["LD_LIBRARY_PATH"] = str(LIBRARIES)
    result["OMPD_OPENCL_LIBRARY"] = str(LIBRARIES / "libompd-opencl.so.0")
    return result


def make_core(core: Path, buffers: int, environment: Dict[str, str]) -> None:
    """Have GDB save the core of a program that holds so many buffers."""
    recorder = str(LIBRARIES / "libompd-opencl-recorder.so")
    arguments = ["-ex", "break truth_stop", "-ex", "run"]
    arguments += ["-ex", "generate-core-file %s" % core, "--args", str(PROGRAM), str(buffers), "0"]
    run_gdb(arguments, dict(environment, OPENCL_LAYERS=recorder))


def commands(core: Path) -> Dict[str, List[str]]:
    """The command lines to compare; each knows the program's file."""
    command = [str(LIBRARIES / "ompd-opencl"), "--core", str(core), "--exe", str(PROGRAM)]
    gdb = [GDB, "-batch", "-nx"]
    files = [str(PROGRAM), str(core)]
    plugin = str(SOURCE / "gdb-plugin/ompd-opencl-gdb.py")
    return {
        ROWS: [*command, "memobjs"],
        JSON: [*command, "--json", "memobjs"],
        UNCONFINED: [*command, "--no-sandbox", "memobjs"],
        STACKS: ["eu-stack", "--core", str(core), "--executable", str(PROGRAM)],
        NOTHING: [*gdb, *files],
        NOTES: ["readelf", "-n", str(core)],
        PLUGIN: [*gdb, "-x", plugin, "-ex", "opencl memobjs -json", *files],
    }


def adopt_orphans() -> None:
    """Make processes that have lost their parent children of this one."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("command-core: the kernel does not let it have the processes of a shell")


def run(line: List[str], environment: Dict[str, str], output: Path) -> Cost:
    """Run a tool to its end.

    The kernel carries the peak of a process over from what it was before it took up its program:
    so a shell starts the tool, which is small, as this program is not.
    """
    with output.open("wb") as file:
        start = time.monotonic()
        shell = ["sh", "-c", '"$@" &', "sh", *line]
        subprocess.run(shell, env=environment, stdout=file, stderr=file, check=True)
        _pid, status, usage = os.wait4(-1, 0)
        seconds = time.monotonic() - start
    if status != 0:
        sys.exit("command-core: %s failed:\n%s" % (line, output.read_text()[-2000:]))
    return Cost(seconds, usage.ru_maxrss)


def check(name: str, buffers: int, output: Path) -> None:
    """A tool that does not do its work is no measure."""
    expected = {STACKS: 1, NOTES: 1, NOTHING: 0}.get(name, buffers)
    pattern = r"\bmany-buffers\b|\bmain\b" if name == STACKS else r"(?m)^ *\d+ +0x[0-9a-f]+$"
    if name in (JSON, PLUGIN):
        pattern = r'"kind": ?"buffer"'
    if name == NOTES:
        pattern = "NT_PRSTATUS"
    found = len(re.findall(pattern, output.read_text(errors="replace")))
    if found < expected:
        sys.exit("command-core: %s told of %d, not %d" % (name, found, expected))


def tell(name: str, other: str, costs: Dict[str, List[Cost]]) -> None:
    """Print a ratio of times and of peaks."""
    times = [one.seconds / two.seconds for one, two in zip(costs[name], costs[other])]
    seconds = [statistics.median(cost.seconds for cost in costs[each]) for each in (name, other)]
    peaks = [statistics.median(cost.peak for cost in costs[each]) for each in (name, other)]
    print(
        f"{name}: {statistics.median(times):.2f} x {other} "
        f"({seconds[0]:.3f} s / {seconds[1]:.3f} s), "
        f"peak memory {peaks[0] / peaks[1]:.2f} x "
        f"({peaks[0] / 1024:.0f} MiB / {peaks[1] / 1024:.0f} MiB)",
        flush=True,
    )


def measure(
    folder: Path, buffers: int, turns: Dict[str, int], environment: Dict[str, str]
) -> Dict[str, List[Cost]]:
    """What tools cost on a core of so many buffers, each in so many TURNS."""
    core = folder / ("core-%d" % buffers)
    make_core(core, buffers, environment)
    print("core of %d buffers: %.0f MiB" % (buffers, core.stat().st_size / 2**20), flush=True)
    lines = commands(core)
    costs: Dict[str, List[Cost]] = {each: [] for each in turns}
    output = folder / "output"
    for turn in range(max(turns.values())):
        for each in turns:
            if turn < turns[each]:
                costs[each].append(run(lines[each], environment, output))
                check(each, buffers, output)
    return costs


def main() -> None:
    adopt_orphans()
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        folder = Path(name)
        environment = variables(folder)
        turns = {each: TURNS for each in (ROWS, JSON, STACKS, NOTHING)}
        costs = measure(folder, BUFFERS, {**turns, PLUGIN: PLUGIN_TURNS}, environment)
        tell(ROWS, STACKS, costs)
        tell(ROWS, NOTHING, costs)
        tell(JSON, PLUGIN, costs)
        # The first answer, the start of the process included.
        costs = measure(folder, FEW_BUFFERS, {each: FIRST_TURNS for each in FIRST}, environment)
        tell(ROWS, NOTHING, costs)
        tell(ROWS, NOTES, costs)
        tell(ROWS, UNCONFINED, costs)


if __name__ == "__main__":
    main()
