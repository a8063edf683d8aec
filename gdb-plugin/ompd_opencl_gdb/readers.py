# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reader of the target's memory: libompd-opencl-host if it sees the same memory, otherwise GDB.
"""

from __future__ import annotations

import os
from typing import List, NamedTuple, Optional

import gdb

from ompd_opencl.core_file import Range
from ompd_opencl.errors import OpenCLError, TargetError
from ompd_opencl.host_library import HostLibrary, HostTarget
from ompd_opencl.library import Library

from .memory_map import core_of_inferior
from .registers import read_registers

AUTO = "auto"
HOST = "host"
BY_GDB = "gdb"
# The prefix of GDB's "sysroot" when it fetches files from the target: for a core, this machine.
_OF_TARGET = "target:"


def _is_open(path: str) -> bool:
    """Whether GDB has opened the file now at PATH, which may have been replaced."""
    try:
        file = os.stat(path)
        for descriptor in os.listdir("/proc/self/fd"):
            link = os.path.join("/proc/self/fd", descriptor)
            if os.path.exists(link) and os.path.samestat(os.stat(link), file):
                return True
    except OSError:
        return False
    return False


def _sysroot() -> str:
    """The root folder for the files named in a core; "": the root of this machine."""
    sysroot = str(gdb.parameter("sysroot") or "")
    return sysroot[len(_OF_TARGET) :] if sysroot.startswith(_OF_TARGET) else sysroot


class Connection(NamedTuple):
    """A copy of GDB's connection object: GDB 13 aborts if the object is still referenced at exit,
    for example by the frames of a stored exception."""

    kind: str  # "native", "core", "remote"…; "": none
    number: Optional[int]


def connection_of(inferior: gdb.Inferior) -> Connection:
    """The current connection of INFERIOR."""
    connection = inferior.connection
    if connection is None:
        return Connection("", None)
    return Connection(connection.type, connection.num)


class Readers:
    """The choice of the reader, made again after the target ran."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._host: Optional[HostLibrary] = None
        self._is_loaded = False
        self.choice = AUTO

    def open(self, inferior: gdb.Inferior) -> Optional[HostTarget]:
        """The host library's reader of INFERIOR; None: GDB reads."""
        if self.choice == BY_GDB:
            return None
        try:
            reader = self._open(inferior)
        except TargetError:
            reader = None
        if reader is None and self.choice == HOST:
            raise OpenCLError(
                "libompd-opencl-host cannot read this target as GDB sees it: "
                "`set opencl reader auto` lets GDB read it."
            )
        return reader

    def regions(self, inferior: gdb.Inferior) -> List[Range]:
        """The kernel's regions of INFERIOR's memory, with its present pages; empty: not a local
        process, or unknown."""
        host = self._host_library() if connection_of(inferior).kind == "native" else None
        if host is None:
            return []
        try:
            reader = host.open_process(inferior.pid, leaves_running=True)
        except TargetError:
            return []
        try:
            return reader.regions()
        finally:
            reader.close()

    def open_whole(self, inferior: gdb.Inferior) -> HostTarget:
        """Open INFERIOR with its threads; the caller closes it.  Raises OpenCLError."""
        kind = connection_of(inferior).kind
        host = self._host_library()
        if host is None:
            raise OpenCLError("libompd-opencl-host, which saves snapshots, is not installed.")
        if kind == "core":
            return self._open_core(host, inferior)
        if kind != "native":
            raise OpenCLError(
                "Only local processes and cores can be saved; write a core with `gcore` "
                "and save from that."
            )
        threads = [thread.ptid[1] for thread in inferior.threads()]
        return host.open_traced(inferior.pid, [(lwp, read_registers(lwp)) for lwp in threads])

    def _host_library(self) -> Optional[HostLibrary]:
        if not self._is_loaded:
            self._is_loaded = True
            try:
                self._host = HostLibrary(self._library)
            except OpenCLError:
                pass  # the plugin works without it
        return self._host

    def _open_core(self, host: HostLibrary, inferior: gdb.Inferior) -> HostTarget:
        core = core_of_inferior()
        if core is None or not _is_open(core.path):
            raise OpenCLError("The core file is no longer where GDB opened it.")
        return host.open_core(core.path, inferior.progspace.filename, _sysroot())

    def _open(self, inferior: gdb.Inferior) -> Optional[HostTarget]:
        kind = connection_of(inferior).kind
        if kind not in ("native", "core"):
            return None
        host = self._host_library()
        if host is None:
            return None
        if kind == "core":
            try:
                return self._open_core(host, inferior)
            except OpenCLError:
                return None
        # GDB's view of a process differs from the process: it hides breakpoints, and a recording
        # may be replayed.
        if gdb.parameter("breakpoint always-inserted") or gdb.current_recording() is not None:
            return None
        return host.open_process(inferior.pid, leaves_running=True)
