#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a core with much memory, search it for OpenCL objects with scan-core, and search the same
memory for a word with GDB's `find`."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict

from pocl_alone import pocl_alone, run_gdb

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
SOURCE = Path(os.environ.get("TOP_SRCDIR", ".")).resolve()
PROGRAM = BUILD / "testsuite/bench/scan-target"
BUFFERS = 1000
MEBIBYTES = 1024

# In GDB: search the largest piece of the core's memory for a word that is not there.
FIND = """
import re, time
files = gdb.execute("info files", to_string=True)
ranges = re.findall(r"(0x[0-9a-f]+) - (0x[0-9a-f]+) is load", files)
start, end = max(((int(a, 16), int(b, 16)) for a, b in ranges), key=lambda pair: pair[1] - pair[0])
begin = time.monotonic()
gdb.execute("find /g %d, +%d, 0x1234567812345678" % (start, end - start), to_string=True)
print("find: %d bytes in %f s" % (end - start, time.monotonic() - begin))
"""


def make_core(core: Path, environment: Dict[str, str]) -> None:
    """Let GDB save the core of a program without the recorder."""
    arguments = ["-ex", "break truth_stop", "-ex", "run", "-ex", "generate-core-file %s" % core]
    arguments += ["--args", str(PROGRAM), str(BUFFERS), str(MEBIBYTES)]
    run_gdb(arguments, environment)


def find_speed(core: Path, environment: Dict[str, str]) -> float:
    """GB/s of GDB's search."""
    script = core.parent / "find.py"
    script.write_text(FIND)
    output = run_gdb(["-x", str(script), str(PROGRAM), str(core)], environment)
    match = re.search(r"find: (\d+) bytes in (\S+) s", output)
    if match is None or int(match.group(1)) < MEBIBYTES << 19:
        sys.exit("scan-core: GDB did not search:\n%s" % output)
    return int(match.group(1)) / float(match.group(2)) / 1e9


def main() -> None:
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        environment = pocl_alone(Path(name))
        environment["OMPD_OPENCL_LAYOUT_PATH"] = str(SOURCE / "layouts")
        core = Path(name) / "core"
        make_core(core, environment)
        line = [str(BUILD / "testsuite/bench/scan-core"), str(core), str(BUFFERS)]
        output = subprocess.run(
            line, env=environment, stdout=subprocess.PIPE, check=True, text=True
        ).stdout.splitlines()
        print("\n".join(output[:-1]), flush=True)
        find = find_speed(core, environment)
        print(
            "search, memory mapped: %.0f x GDB's find /g (%.2f GB/s)"
            % (float(output[-1]) / find, find)
        )


if __name__ == "__main__":
    main()
