# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installed OpenCL runtimes: their .icd files, told by the libraries that they name.

usage: vendor_files.py RUNTIME: print the path of its .icd file
"""

import glob
import os
import sys

FOLDERS = ("etc/OpenCL/vendors", "usr/share/OpenCL/vendors", "usr/local/etc/OpenCL/vendors")
LIBRARIES = {
    "pocl": "libpocl",
    "rusticl": "libRusticlOpenCL",
    "mesa": "libMesaOpenCL",
    "nvidia": "libnvidia-opencl",
}


def icd_library(path: str) -> str:
    """The library that an .icd file names."""
    with open(path, encoding="utf-8") as file:
        return file.readline().strip()


def icd_file(runtime: str, root: str = "/") -> str:
    """The path of the .icd file of one of LIBRARIES, on the system at ROOT; "" for none."""
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "*.icd"))):
            name = os.path.basename(icd_library(path))
            if name.split(".so")[0] == LIBRARIES[runtime]:
                return path
    return ""


if __name__ == "__main__":
    print(icd_file(sys.argv[1]))
