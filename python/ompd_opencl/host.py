# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions without a debugger, on a core or a local process, by libompd-opencl-host."""

from __future__ import annotations

import os
from typing import Optional, Union

from .host_library import HostLibrary, HostTarget, TargetInfo
from .library import Library
from .open_target import OpenTarget
from .places import find_places
from .session import Session
from .structures import LogLevel


class HostSession(Session):
    """A session on a core or a local process."""

    def __init__(
        self, library: Library, target: HostTarget, log_level: int = LogLevel.NONE
    ) -> None:
        self._open_target = OpenTarget(library, target, log_level)
        super().__init__(self._open_target)

    def __enter__(self) -> "HostSession":
        return self

    def info(self) -> TargetInfo:
        """Information about the target."""
        self._alive()
        return self._open_target.target.info()

    def refresh(self) -> None:
        """Read a running process again."""
        self._alive()
        self._open_target.mark_stale()


def _load() -> "tuple[Library, HostLibrary]":
    library = Library(find_places().libraries)
    return library, HostLibrary(library)


def open_core(
    path: "Union[str, os.PathLike[str]]",
    program: Optional[str] = None,
    sysroot: Optional[str] = None,
    *,
    log_level: int = LogLevel.NONE,
) -> HostSession:
    """A session on the core file PATH.  PROGRAM overrides the program path in the core.  SYSROOT is
    the root folder for its files, if it is from another machine.  LOG_LEVEL, a LogLevel: the
    library logs its work to the standard error stream.  Raises TargetError."""
    library, host = _load()
    return HostSession(library, host.open_core(os.fspath(path), program, sysroot), log_level)


def open_process(
    pid: int, *, leaves_running: bool = False, log_level: int = LogLevel.NONE
) -> HostSession:
    """A session on the process PID, whose threads are stopped until it is closed.  LEAVES_RUNNING:
    they keep running, so data may be inconsistent.  LOG_LEVEL as for open_core.  Raises
    TargetError."""
    library, host = _load()
    return HostSession(library, host.open_process(pid, leaves_running), log_level)
