# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl's LLDB plugin: the opencl commands, and summaries of OpenCL types.

    command script import FOLDER/ompd_opencl_lldb

It is a front end of libompd-opencl-view.  It never resumes the target, writes to it, or calls into
it.  It works from the source tree, from a build folder and installed.  Importing it twice is
harmless.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import lldb

# The plugin needs `command container` and the IDs of stops and processes. The oldest LLDB tested is
# 14.
_OLDEST_LLDB = 14
_OLDEST_PYTHON = (3, 8)


def _why_too_old() -> str:
    """A sentence about why this LLDB is too old; "" if it is not."""
    version = lldb.SBDebugger.GetVersionString().splitlines()[0]
    number = version.replace("-", " ").split("version ")[-1].split(".")[0]
    is_old = number.isdigit() and int(number) < _OLDEST_LLDB
    if not is_old and sys.version_info >= _OLDEST_PYTHON:
        return ""
    python = ".".join(map(str, sys.version_info[:3]))
    return (
        "ompd-opencl needs LLDB 14 or later, with Python 3.8 or later: this is %s with Python %s."
        % (version, python)
    )


def _find_packages() -> None:
    """Add the shared package to the path.  It is in the folder "python" beside this package, or
    beside a link to this package in a build folder."""
    path = os.path.abspath(os.path.dirname(__file__))
    folders = [path]
    while os.path.islink(path):
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        folders.append(path)
    folders.append(os.path.realpath(path))
    for folder in folders:
        found = os.path.normpath(os.path.join(folder, "../../python"))
        if os.path.exists(os.path.join(found, "ompd_opencl", "__init__.py")):
            if found not in sys.path:
                sys.path.insert(0, found)
            return


def __lldb_init_module(debugger: lldb.SBDebugger, _names: Any) -> None:
    """Called by LLDB.  Report failures in a sentence, because LLDB would show a traceback."""
    why = _why_too_old() or _install(debugger)
    if why:
        print(why, file=sys.stderr, flush=True)


def _install(debugger: lldb.SBDebugger) -> str:
    """Create the commands.  Returns a sentence about a failure, or ""."""
    _find_packages()
    from ompd_opencl.errors import OpenCLError

    from .plugin import plugin

    try:
        plugin().install(debugger)
    except OpenCLError as error:
        return str(error)
    return ""


def session(process: lldb.SBProcess) -> Any:
    """An ompd_opencl.Session on a stopped process or a core.  It stays valid when the program
    continues. Raises OpenCLError."""
    from .plugin import plugin

    return plugin().session(process)
