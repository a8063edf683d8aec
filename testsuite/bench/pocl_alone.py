# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment of the benchmarks: PoCL is the only OpenCL runtime, and no layer is loaded."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "programs" / "demo"))
from vendor_files import icd_file, icd_library  # noqa: E402

GDB = os.environ.get("GDB", "gdb")


def pocl_alone(folder: Path) -> Dict[str, str]:
    """An environment, which needs a file in FOLDER; programs in it load nothing from the net."""
    installed = icd_file("pocl")
    if not installed:
        sys.exit("%s: PoCL is not installed" % Path(sys.argv[0]).stem)
    vendors = folder / "vendors"
    vendors.mkdir()
    (vendors / "pocl.icd").write_text(icd_library(installed) + "\n")
    environment = dict(os.environ, OCL_ICD_VENDORS=str(vendors))
    for name in ("OPENCL_LAYERS", "DEBUGINFOD_URLS"):
        environment.pop(name, None)
    return environment


def run_gdb(arguments: List[str], environment: Dict[str, str]) -> str:
    """Run GDB to its end; gives what it said, in a file, so that GDB waits for no reader."""
    line = [GDB, "-batch", "-nx", *arguments]
    with tempfile.TemporaryFile("w+") as file:
        done = subprocess.run(line, env=environment, stdout=file, stderr=subprocess.STDOUT)
        file.seek(0)
        output = file.read()
    if done.returncode != 0:
        sys.exit("%s: GDB failed:\n%s" % (Path(sys.argv[0]).stem, output))
    return output
