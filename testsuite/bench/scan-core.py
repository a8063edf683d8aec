#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a core with much memory, looks for OpenCL objects in it with scan-core, and lets `find` of
GDB look for a word in the same memory."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
SOURCE = Path(os.environ.get("TOP_SRCDIR", ".")).resolve()
GDB = os.environ.get("GDB", "gdb")
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


def gdb(arguments: List[str], environment: Dict[str, str]) -> str:
    line = [GDB, "-batch", "-nx", "-ex", "set debuginfod enabled off", *arguments]
    done = subprocess.run(
        line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        sys.exit("scan-core: GDB failed:\n%s" % done.stdout)
    return done.stdout


def make_core(core: Path, environment: Dict[str, str]) -> None:
    """Have GDB save the core of a program that nobody has prepared."""
    found = sorted(Path("/etc/OpenCL/vendors").glob("pocl*.icd"))
    if not found:
        sys.exit("scan-core: PoCL is not installed")
    vendors = core.parent / "vendors"
    vendors.mkdir()
    (vendors / "pocl.icd").write_text(found[0].read_text())
    arguments = ["-ex", "break truth_stop", "-ex", "run", "-ex", "generate-core-file %s" % core]
    arguments += ["--args", str(PROGRAM), str(BUFFERS), str(MEBIBYTES)]
    gdb(arguments, dict(environment, OCL_ICD_VENDORS=str(vendors)))


def find_speed(core: Path, environment: Dict[str, str]) -> float:
    """GB/s of GDB's search."""
    script = core.parent / "find.py"
    script.write_text(FIND)
    output = gdb([str(PROGRAM), str(core), "-x", str(script)], environment)
    match = re.search(r"find: (\d+) bytes in (\S+) s", output)
    if match is None or int(match.group(1)) < MEBIBYTES << 19:
        sys.exit("scan-core: GDB did not search:\n%s" % output)
    return int(match.group(1)) / float(match.group(2)) / 1e9


def main() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENCL_LAYERS"}
    environment["OMPD_OPENCL_LAYOUT_PATH"] = str(SOURCE / "layouts")
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        core = Path(name) / "core"
        make_core(core, environment)
        line = [str(BUILD / "testsuite/bench/scan-core"), str(core), str(BUFFERS)]
        output = subprocess.run(
            line, env=environment, stdout=subprocess.PIPE, check=True, text=True
        ).stdout.splitlines()
        print("\n".join(output[:-1]), flush=True)
        find = find_speed(core, environment)
        print(
            "search, memory lent: %.0f x GDB's find /g (%.2f GB/s)"
            % (float(output[-1]) / find, find)
        )


if __name__ == "__main__":
    main()
