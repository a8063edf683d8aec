# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl in Python: what OpenCL holds in a process or a core, as rows.

    import ompd_opencl

    with ompd_opencl.open_core("core.4711") as session:
        for row in session.memobjs(kind="buffer", min_size=1 << 20):
            print(row.size, row.state)

In GDB, where the plugin is loaded, a session is had from ompd_opencl_gdb.session().  There is more
in guide-scripts.md.  This package has no debugger in it: another debugger's plugin gives what
protocols.py says.
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
