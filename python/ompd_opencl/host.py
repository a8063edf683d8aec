# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions without a debugger: on a core or a process of this machine, by libompd-opencl-host."""

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
    """A session on a core or a process of this machine."""

    def __init__(
        self, library: Library, target: HostTarget, log_level: int = LogLevel.NONE
    ) -> None:
        self._open_target = OpenTarget(library, target, log_level)
        super().__init__(self._open_target)

    def __enter__(self) -> "HostSession":
        return self

    def info(self) -> TargetInfo:
        """What the target is."""
        self._alive()
        return self._open_target.target.info()

    def refresh(self) -> None:
        """Look anew at a process that was left running."""
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
    """A session on the core file PATH: of PROGRAM, where that is not where the core says; SYSROOT
    is where the files that it names lie, when it is of another machine.  LOG_LEVEL, a LogLevel, has
    the library log its work on the standard error output.  Raises TargetError."""
    library, host = _load()
    return HostSession(library, host.open_core(os.fspath(path), program, sysroot), log_level)


def open_process(
    pid: int, *, leaves_running: bool = False, log_level: int = LogLevel.NONE
) -> HostSession:
    """A session on the process PID, whose threads are stopped until it is closed.  LEAVES_RUNNING:
    it is only read, and what is shown may be torn.  LOG_LEVEL as for open_core.  Raises
    TargetError."""
    library, host = _load()
    return HostSession(library, host.open_process(pid, leaves_running), log_level)
