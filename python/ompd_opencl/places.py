# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The locations of this package's C libraries and layouts."""

from __future__ import annotations

import os
import runpy
from typing import List, NamedTuple

from .errors import OpenCLError

LIBRARY = "libompd-opencl.so.0"
_PLACES = "ompd-opencl-paths.py"


class Places(NamedTuple):
    """The folders to search, in order."""

    libraries: List[str]
    layouts: List[str]  # folders


def find_places() -> Places:
    """The locations from the file beside this package, in a build folder or an installation.  In a
    source tree, those of a build folder called build."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    file = os.path.join(here, _PLACES)
    if os.path.exists(file):
        values = runpy.run_path(file)
        libraries, layouts = values["LIBRARIES"], values["LAYOUTS"]
    else:
        libraries = ["../build/.libs/" + LIBRARY, "../.libs/" + LIBRARY]
        layouts = ["../layouts"]
    return Places(
        [os.path.normpath(os.path.join(here, path)) for path in libraries],
        [os.path.normpath(os.path.join(here, path)) for path in layouts],
    )


def find_library(candidates: List[str]) -> str:
    """The library to load: OMPD_OPENCL_LIBRARY, else the first candidate that exists."""
    override = os.environ.get("OMPD_OPENCL_LIBRARY")
    if override:
        return override
    for candidate in candidates:
        if os.path.exists(candidate):
            return candidate
    raise OpenCLError(
        "%s was not found (looked for %s): build or install ompd-opencl, or set "
        "OMPD_OPENCL_LIBRARY to its path." % (LIBRARY, ", ".join(candidates))
    )


def find_beside(name: str, paths: List[str]) -> str:
    """The library NAME beside one of PATHS, or NAME itself, to be found by the system."""
    for path in paths:
        beside = os.path.join(os.path.dirname(os.path.abspath(path)), name)
        if os.path.exists(beside):
            return beside
    return name
