# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reader of the target's memory: libompd-opencl-host if it sees the same memory, otherwise
LLDB."""

from __future__ import annotations

import os
from typing import Iterator, List, Optional

import lldb

from ompd_opencl.core_file import Range, is_core_file
from ompd_opencl.errors import OpenCLError, TargetError, UnreadableMemory
from ompd_opencl.host_library import HostLibrary, HostTarget, NotSaved, NotThere
from ompd_opencl.library import Library

from .memory import read_memory
from .registers import read_registers
from .settings import BY_LLDB, HOST, Settings

_PROBES = 3
_PROBE_SIZE = 64  # bytes


def is_core(process: lldb.SBProcess) -> bool:
    """Whether the target is a core."""
    return (process.GetPluginName() or "") in ("elf-core", "minidump", "mach-o-core")


def core_path(process: lldb.SBProcess, settings: Settings) -> Optional[str]:
    """The path of a core; None: unknown."""
    told = settings.get("core")
    if told:
        return os.path.expanduser(told)
    if not hasattr(process, "GetCoreFile"):
        return _mapped_core()
    return process.GetCoreFile().fullpath or None


def _mapped_core() -> Optional[str]:
    """The core that LLDB has mapped into memory; None: there are several.  LLDB before 19 does not
    report the path."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            rows = [line.rstrip("\n").split(maxsplit=5) for line in maps]
    except OSError:
        return None
    cores = {row[5] for row in rows if len(row) == 6 and os.path.isfile(row[5])}
    cores = {path for path in cores if is_core_file(path)}
    return cores.pop() if len(cores) == 1 else None


def program_path(process: lldb.SBProcess) -> Optional[str]:
    """The path of the program on this machine; None: unknown."""
    path = process.GetTarget().GetExecutable().fullpath
    return path if path and os.path.exists(path) else None


class Readers:
    """The choice of the reader, made again after the target ran."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._settings = settings
        self._host: Optional[HostLibrary] = None
        try:
            self._host = HostLibrary(library)
        except OpenCLError:
            pass  # the plugin works without it

    def open(self, process: lldb.SBProcess) -> Optional[HostTarget]:
        """The host library's reader; None: LLDB reads."""
        choice = self._settings.get("reader")
        if choice == BY_LLDB:
            return None
        reader = None
        if self._host is not None:
            try:
                reader = self._open(self._host, process)
            except TargetError as error:
                if choice == HOST:
                    raise OpenCLError(
                        "%s; `opencl set reader auto` lets LLDB read it." % str(error).rstrip(".")
                    ) from None
        if reader is None and choice == HOST:
            raise OpenCLError(
                "libompd-opencl-host cannot read this target as LLDB sees it: "
                "`opencl set reader auto` lets LLDB read it."
            )
        return reader

    def _open(self, host: HostLibrary, process: lldb.SBProcess) -> Optional[HostTarget]:
        if is_core(process):
            path = core_path(process, self._settings)
            if path is None or process.GetPluginName() != "elf-core":
                return None
            sysroot = os.path.expanduser(self._settings.get("sysroot"))
            return host.open_core(path, program_path(process), sysroot or None)
        if not _has_same_threads(process):
            return None
        reader = host.open_process(process.GetProcessID(), leaves_running=True)
        if _reads_the_same(process, reader):
            return reader
        reader.close()
        return None

    def regions(self, process: lldb.SBProcess) -> List[Range]:
        """The kernel's regions of PROCESS's memory, with its present pages; empty: not a local
        process, or unknown."""
        try:
            reader = self._open(self._host, process) if self._host is not None else None
        except TargetError:
            reader = None
        if reader is None:
            return []
        try:
            return reader.regions()
        finally:
            reader.close()

    def open_whole(self, process: lldb.SBProcess) -> HostTarget:
        """Open PROCESS with its threads; the caller closes it.  Raises OpenCLError."""
        reader = self.open(process)
        if reader is None or self._host is None:
            raise OpenCLError(
                "Only local processes and cores can be saved, by libompd-opencl-host."
            )
        if is_core(process):
            return reader
        reader.close()
        return self.open_stopped(process)

    def open_stopped(self, process: lldb.SBProcess) -> HostTarget:
        """Open a process that `open` accepts, with its threads; the caller closes it.  Raises
        OpenCLError."""
        assert self._host is not None
        threads = [(thread.GetThreadID(), read_registers(thread)) for thread in process.threads]
        return self._host.open_traced(process.GetProcessID(), threads)


def _has_same_threads(process: lldb.SBProcess) -> bool:
    """Whether a local process has this id and the threads that LLDB knows.  For LLDB all processes
    are remote."""
    try:
        here = set(os.listdir("/proc/%d/task" % process.GetProcessID()))
    except OSError:
        return False
    known = {str(thread.GetThreadID()) for thread in process.threads}
    return bool(known) and known <= here


def _reads_the_same(process: lldb.SBProcess, reader: HostTarget) -> bool:
    """Whether LLDB and READER read the same stacks and module headers."""
    same = 0
    for address in _probes(process):
        try:
            by_lldb = read_memory(process, address, _PROBE_SIZE)
            if bytes(reader.read(address, _PROBE_SIZE)) != by_lldb:
                return False
        except (NotSaved, NotThere, UnreadableMemory):
            continue
        same += 1
        if same == _PROBES:
            return True
    return False


def _probes(process: lldb.SBProcess) -> Iterator[int]:
    """The addresses to compare, without code, which has breakpoints."""
    for thread in process.threads:
        yield thread.GetFrameAtIndex(0).GetSP()
    target = process.GetTarget()
    for module in target.module_iter():
        yield module.GetObjectFileHeaderAddress().GetLoadAddress(target)
