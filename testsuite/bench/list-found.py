#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the cost of listing all buffers of a core by a layout, with their destructor callbacks, and
the cost of doing it in GDB's Python compared with a walk through GDB's own values."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Tuple

from pocl_alone import pocl_alone, run_gdb

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
SOURCE = Path(os.environ.get("TOP_SRCDIR", ".")).resolve()
PROGRAM = BUILD / "testsuite/programs/many-buffers"
PLUGIN = SOURCE / "gdb-plugin/ompd-opencl-gdb.py"
COUNTS = (100000, 1000000)

# In GDB: what the plugin takes for its list, written or as a string of Python's; and reading as
# much of each object, at the offsets of PoCL 3.1, by values: size, flags, references, OpenCL
# context, and function and user data of the callback.
WALK = """
import time
words = gdb.lookup_type("unsigned long").pointer()
handles = [int(line, 16) for line in open(%r)]
begin = time.monotonic()
text = gdb.execute("opencl memobjs -json", to_string=%r)
listed = time.monotonic() - begin
begin = time.monotonic()
found = []
for handle in handles:
    words_of = gdb.Value(handle).cast(words)
    node = words_of[28].cast(words)
    found.append((int(words_of[17]), int(words_of[10]), int(words_of[7]), int(words_of[8]),
                  int(node[0]), int(node[1])))
print("walk: %%d %%d %%f %%f" %% ((text or "").count('"handle"'), len(found), listed,
                              time.monotonic() - begin))
"""


def make_core(folder: Path, count: int, environment: Dict[str, str]) -> Tuple[Path, Path]:
    """The core that GDB saves of a program with COUNT buffers, and the file with their handles."""
    core, handles = folder / "core", folder / "handles"
    with subprocess.Popen(
        [str(PROGRAM), str(count), "1", str(handles)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "main\n":
            sys.exit("list-found: the program made no buffers")
        run_gdb(["-p", str(process.pid), "-ex", "generate-core-file %s" % core], environment)
        process.kill()
    return core, handles


def list_all(core: Path, count: int, environment: Dict[str, str]) -> float:
    """Seconds of processor time that the listing takes."""
    line = [str(BUILD / "testsuite/bench/list-found"), str(core), str(count)]
    done = subprocess.run(line, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    seconds, first, peak = map(float, done.stdout.split())
    print(
        "listing %d objects of a core by a layout: %.1f ms, %.3f us an object; %.1f ms the first"
        " time; the library holds %.1f MiB at most"
        % (count, seconds * 1e3, seconds / count * 1e6, first * 1e3, peak),
        flush=True,
    )
    return seconds


def walk(
    core: Path, handles: Path, count: int, environment: Dict[str, str], as_string: bool
) -> None:
    """Print the ratio of the two in one GDB."""
    script = core.parent / "walk.py"
    script.write_text(WALK % (str(handles), as_string))
    arguments = ["-x", str(PLUGIN), "-x", str(script), str(PROGRAM), str(core)]
    output = run_gdb(arguments, environment)
    match = re.search(r"walk: (\d+) (\d+) (\S+) (\S+)", output)
    written = 0 if as_string else output.count('"handle"')
    if match is None or (int(match[1]) + written, int(match[2])) != (count, count):
        sys.exit("list-found: GDB did not list all:\n%s" % output[-2000:])
    listed, walked = float(match[3]), float(match[4])
    print(
        "opencl memobjs -json in GDB of %d objects, %s: "
        "%.2f x a walk by GDB's values (%.1f s / %.1f s)"
        % (
            count,
            "as a string of Python's" if as_string else "written",
            listed / walked,
            listed,
            walked,
        )
    )


def main() -> None:
    seconds = []
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        environment = pocl_alone(Path(name))
        environment["OMPD_OPENCL_LAYOUT_PATH"] = str(SOURCE / "layouts")
        environment["OMPD_OPENCL_LIBRARY"] = str(BUILD / ".libs/libompd-opencl.so.0")
        for count in COUNTS:
            core, handles = make_core(Path(name), count, environment)
            seconds.append(list_all(core, count, environment) / count)
            if count == COUNTS[0]:
                walk(core, handles, count, environment, False)
                walk(core, handles, count, environment, True)
            core.unlink()
    print(
        "an object of %d costs %.2f x what one of %d does"
        % (COUNTS[1], seconds[1] / seconds[0], COUNTS[0])
    )


if __name__ == "__main__":
    main()
