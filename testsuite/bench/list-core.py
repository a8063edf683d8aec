#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a core of a program with many buffers and lists it with list-core."""

import pathlib
import re
import subprocess
import sys
import tempfile

from pocl_alone import pocl_alone, run_gdb

BUFFERS = 200000
CALLBACKS_PER_BUFFER = 2


def make_core(build: pathlib.Path, folder: pathlib.Path, core: pathlib.Path) -> str:
    """Run the program under GDB, save its core, and give the address of the registry's root."""
    environment = pocl_alone(folder)
    environment["OPENCL_LAYERS"] = str(build / ".libs" / "libompd-opencl-recorder.so")
    commands = [
        "break truth_stop",
        "run",
        "print &ompd_opencl_registry",
        f"generate-core-file {core}",
    ]
    arguments = []
    for command in commands:
        arguments += ["-ex", command]
    program = build / "testsuite" / "programs" / "many-buffers"
    arguments += ["--args", str(program), str(BUFFERS), str(CALLBACKS_PER_BUFFER)]
    output = run_gdb(arguments, environment)
    found = re.search(r"(0x[0-9a-f]+) <ompd_opencl_registry>", output)
    if found is None or not core.exists():
        sys.exit(f"list-core: GDB made no core:\n{output}")
    return found.group(1)


def main() -> None:
    """Make the core, list it, remove it."""
    build = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory(dir=build) as name:
        folder = pathlib.Path(name)
        core = folder / "many-buffers.core"
        root = make_core(build, folder, core)
        program = build / "testsuite" / "bench" / "list-core"
        sys.exit(subprocess.run([str(program), str(core), root]).returncode)


if __name__ == "__main__":
    main()
