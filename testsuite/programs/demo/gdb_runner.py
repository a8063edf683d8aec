# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs GDB with the plugin on the demo's program or on its core."""

import os
import subprocess
import sys
from typing import Dict, NamedTuple, Tuple

from vendor_files import icd_file, icd_library

HERE = os.path.dirname(os.path.abspath(__file__))
TIME_LIMIT = 600  # seconds for one GDB session, on however busy a machine


class Demo(NamedTuple):
    """Where everything is."""

    gdb: str
    plugin: str
    recorder: str  # "" for none
    program: str
    folder: str  # for what is written
    asked: Tuple[Tuple[str, str], ...] = ()  # of the recorder, in the environment

    @property
    def core(self) -> str:
        """The core file that the live session writes."""
        return os.path.join(self.folder, "edges.core")

    def environment(self) -> Dict[str, str]:
        """The environment of the program: PoCL is its only OpenCL; the recorder watches, if any."""
        installed = icd_file("pocl")
        if not installed:
            sys.exit("PoCL is not installed; on Debian: apt-get install pocl-opencl-icd")
        vendors = os.path.join(self.folder, "vendors")
        os.makedirs(vendors, exist_ok=True)
        with open(os.path.join(vendors, "pocl.icd"), "w", encoding="utf-8") as copy:
            copy.write(icd_library(installed) + "\n")
        environment = dict(
            os.environ,
            OCL_ICD_VENDORS=vendors,
            POCL_CACHE_DIR=os.path.join(self.folder, "pocl-cache"),
            DEMO_CORE=self.core,
        )
        environment.pop("OPENCL_LAYERS", None)
        if self.recorder:
            environment["OPENCL_LAYERS"] = self.recorder
        environment.update(self.asked)
        return environment

    def session(self, script: str, target: str, answers: str) -> None:
        """Run a script of this folder in GDB, on `live` or on the `core`; it writes its answers."""
        command = [self.gdb, "-batch", "-nx", "-q"]
        # Nothing that is shown needs the debug information of the C library or a C++ name: to read
        # the one takes a quarter of the time of a session, to demangle the 70,000 of libLLVM and
        # libclang a fifth of the rest.
        no_debug_files = "debug-file-directory " + os.path.join(self.folder, "no-debug-files")
        settings = ("debuginfod enabled off", "disable-randomization off", "demangle-style none")
        for setting in (*settings, no_debug_files):
            command += ["-iex", f"set {setting}"]
        # The program is last: with POSIXLY_CORRECT set, GDB takes no option behind it.
        command += ["-x", self.plugin, "-x", os.path.join(HERE, script), self.program]
        environment = dict(self.environment(), DEMO_TARGET=target, DEMO_ANSWERS=answers)
        status = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=TIME_LIMIT,
            check=False,
        ).returncode
        if status != 0:
            sys.exit(f"GDB ended with status {status}")


def demo_from_arguments(gdb: str, plugin: str, recorder: str, program: str, folder: str) -> Demo:
    """The same with absolute paths, and the folder made."""
    paths = [os.path.abspath(path) for path in (plugin, recorder, program, folder)]
    os.makedirs(paths[-1], exist_ok=True)
    return Demo(gdb, paths[0], paths[1], paths[2], paths[3])
