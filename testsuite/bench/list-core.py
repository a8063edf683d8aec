#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a core of a program with many buffers and lists it with list-core."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUFFERS = 200000
CALLBACKS_PER_BUFFER = 2


def vendors_folder(folder: pathlib.Path) -> pathlib.Path:
    """A folder of ICD files with PoCL's alone."""
    vendors = folder / "vendors"
    vendors.mkdir()
    found = sorted(pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd"))
    if not found:
        sys.exit("list-core: PoCL is not installed")
    (vendors / "pocl.icd").write_text(found[0].read_text())
    return vendors


def make_core(build: pathlib.Path, folder: pathlib.Path, core: pathlib.Path) -> str:
    """Run the program under GDB, save its core, and give the address of the registry's root."""
    environment = dict(os.environ)
    environment["OCL_ICD_VENDORS"] = str(vendors_folder(folder))
    environment["OPENCL_LAYERS"] = str(build / ".libs" / "libompd-opencl-recorder.so")
    commands = [
        "set debuginfod enabled off",
        "break truth_stop",
        "run",
        "print &ompd_opencl_registry",
        f"generate-core-file {core}",
    ]
    line = [os.environ.get("GDB", "gdb"), "-batch", "-nx"]
    for command in commands:
        line += ["-ex", command]
    program = build / "testsuite" / "programs" / "many-buffers"
    line += ["--args", str(program), str(BUFFERS), str(CALLBACKS_PER_BUFFER)]
    done = subprocess.run(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode()
    found = re.search(r"(0x[0-9a-f]+) <ompd_opencl_registry>", output)
    if done.returncode != 0 or found is None or not core.exists():
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
