# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl in Python: the OpenCL objects of a process or core, as rows.

    import ompd_opencl

    with ompd_opencl.open_core("core.4711") as session:
        for row in session.memobjs(kind="buffer", min_size=1 << 20):
            print(row.size, row.state)

In GDB with the plugin, use ompd_opencl_gdb.session().  See guide-scripts.md.  This package does not
depend on a debugger: a debugger's plugin implements protocols.py.
"""

from __future__ import annotations

from .errors import (
    ClosedError,
    CommandError,
    FilterError,
    LibraryError,
    NoSuchObjectError,
    OpenCLError,
    TargetError,
    UnavailableError,
)
from .host import HostSession, open_core, open_process
from .host_library import TargetInfo
from .protocols import CodePlace
from .rows import Row, Rows
from .session import Session
from .structures import LogLevel

__all__ = [
    "ClosedError",
    "CommandError",
    "CodePlace",
    "FilterError",
    "HostSession",
    "LibraryError",
    "LogLevel",
    "NoSuchObjectError",
    "OpenCLError",
    "Row",
    "Rows",
    "Session",
    "TargetError",
    "TargetInfo",
    "UnavailableError",
    "open_core",
    "open_process",
]
