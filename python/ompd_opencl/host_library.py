# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Local processes and cores, opened by libompd-opencl-host."""

from __future__ import annotations

import ctypes
import os
from typing import Iterator, List, NamedTuple, Optional, Tuple

from . import host_structures as h
from .core_file import Range
from .elf_image import Module
from .errors import OpenCLError, TargetError
from .library import Library, is_interrupted
from .places import find_beside
from .protocols import CodePlace, Frame
from .structures import Callbacks, Extra
from .structures import Frame as ToldFrame
from .structures import Region, ReturnCode

_HOST_LIBRARY = "libompd-opencl-host.so.0"


class NotSaved(Exception):
    """The core lacks the memory; the text is from the host library."""


class NotThere(Exception):
    """The address is not mapped."""


class TargetInfo(NamedTuple):
    """Information about a target; None and 0 if unknown."""

    file: Optional[str]  # of a core
    program: Optional[str]
    command_line: Optional[str]
    pid: int
    signal: int  # the fatal signal, or 0
    is_core: bool


def _state_of(path: Optional[str]) -> Optional[Tuple[int, ...]]:
    """The state of a file that changes when it is written; None without a file."""
    if path is None:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class HostTarget:
    """A target opened by the host library."""

    def __init__(
        self,
        library: Library,
        target: ctypes.c_void_p,
        options: h.Options,
        path: Optional[str],
    ) -> None:
        self._library = library
        self._options = options  # with the callback for the host library
        self.handle = target
        self._path = path  # of a core
        self._state = _state_of(path)

    def is_outdated(self) -> bool:
        """Whether the core file was rewritten.  It is mapped, and reading a truncated part would
        kill the debugger."""
        return _state_of(self._path) != self._state

    def read(self, address: int, size: int) -> memoryview:
        """SIZE bytes at ADDRESS; raises NotSaved or NotThere."""
        data = ctypes.create_string_buffer(size)
        code = self._library.ask("ompd_host_memory_read", self.handle, address, size, data)
        if code == h.HostCode.NOT_SAVED:
            raise NotSaved()
        if code != h.HostCode.OK:
            raise NotThere()
        return memoryview(data).cast("B")

    def region_after(self, address: int) -> Optional[Range]:
        """The first region that ends above ADDRESS."""
        region = Region(struct_size=ctypes.sizeof(Region))
        if not self._find("ompd_host_region_get", address, ctypes.byref(region)):
            return None
        return Range(
            region.start,
            region.end,
            bool(region.is_saved),
            region.permissions,
            region.whole_start,
            region.whole_end,
        )

    def regions(self) -> List[Range]:
        """All regions."""
        regions: List[Range] = []
        region = self.region_after(0)
        while region is not None:
            regions.append(region)
            region = self.region_after(region.end)
        return regions

    def module(self, index: int) -> Optional[Module]:
        """Module number INDEX; None after the last one; raises NotSaved if there may be more."""
        found = h.Module()
        if not self._find("ompd_host_module_get", index, ctypes.byref(found)):
            return None
        build_id = ctypes.string_at(found.build_id, found.build_id_size) if found.build_id else b""
        return Module(os.fsdecode(found.path), build_id, found.start, found.end)

    def find_symbol(self, name: str) -> Optional[int]:
        """The address of NAME in any module; raises NotSaved if not all modules are known."""
        address = ctypes.c_uint64()
        found = self._find("ompd_host_symbol_find", None, name.encode(), ctypes.byref(address))
        return address.value if found else None

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of NAME in module number INDEX; raises NotSaved."""
        address = ctypes.c_uint64()
        found = self._find(
            "ompd_host_module_symbol_find", index, name.encode(), ctypes.byref(address)
        )
        return address.value if found else None

    def place(self, address: int, is_caller: bool) -> Optional[CodePlace]:
        """Describe the code or data at ADDRESS; IS_CALLER: it is a return address."""
        found = h.Place()
        if self._ask("ompd_host_place_get", address, is_caller, ctypes.byref(found)):
            return None
        return CodePlace(
            _decoded(found.symbol),
            found.symbol_offset,
            _decoded(found.file),
            found.line,
            _decoded(found.module),
            found.module_offset if found.module else None,
            tuple(os.fsdecode(name) for name in found.inlined_into[: found.inlined_count]),
            tuple(
                (_decoded(line.file), line.line) for line in found.inlined_at[: found.inlined_count]
            ),
        )

    def threads(self) -> Iterator[int]:
        """The LWPs of its threads."""
        thread, index = h.Thread(), 0
        while self._ask("ompd_host_thread_get", index, ctypes.byref(thread)) == h.HostCode.OK:
            yield thread.lwp
            index += 1

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Stacks."""
        callbacks, extra, context = Callbacks(), Extra(), ctypes.c_void_p()
        told, count = (ToldFrame * capacity)(), ctypes.c_uint64()
        told[0].struct_size = ctypes.sizeof(ToldFrame)  # the distance between frames
        tables = ctypes.byref(callbacks), ctypes.byref(extra)
        if self._ask("ompd_host_callbacks_get", *tables, ctypes.byref(context)) != h.HostCode.OK:
            return []
        if extra.frames(context, lwp, capacity, told, ctypes.byref(count)) != ReturnCode.OK:
            return []
        return [_frame_of(frame) for frame in told[: count.value]]

    def info(self) -> TargetInfo:
        """The current value."""
        found = self._info()
        return TargetInfo(
            _decoded(found.file),
            _decoded(found.program),
            _decoded(found.command_line),
            found.pid,
            found.signal,
            found.is_core,
        )

    def unsaved_reads(self) -> "ctypes._Pointer[ctypes.c_uint64]":
        """The address of the counter of unsaved reads, valid while the target is open."""
        pointer: "ctypes._Pointer[ctypes.c_uint64]" = self._info().unsaved_reads
        return pointer

    def _info(self) -> h.TargetInfo:
        found = h.TargetInfo(struct_size=ctypes.sizeof(h.TargetInfo))
        self._ask("ompd_host_target_get", ctypes.byref(found))
        return found

    def _ask(self, function: str, *arguments: object) -> int:
        code: int = self._library.ask(function, self.handle, *arguments)
        return code

    def _find(self, function: str, *arguments: object) -> bool:
        """Call FUNCTION; returns whether it found something."""
        code = self._ask(function, *arguments)
        if code in (h.HostCode.OK, h.HostCode.NOT_FOUND):
            return code == h.HostCode.OK
        message = os.fsdecode(self._library.ask("ompd_host_message_get", self.handle))
        if code == h.HostCode.NOT_SAVED:
            raise NotSaved(message)
        raise OpenCLError("libompd-opencl-host: %s." % message)

    def save(self, path: str) -> int:
        """Save a snapshot to PATH, and return its size; raises TargetError."""
        size = ctypes.c_uint64()
        code = self._library.call(
            "ompd_host_snapshot_save", self.handle, os.fsencode(path), ctypes.byref(size)
        )
        if code != h.HostCode.OK:
            message = os.fsdecode(self._library.ask("ompd_host_message_get", self.handle))
            raise TargetError(code, "Nothing was saved: %s." % message.rstrip("."))
        return size.value

    def close(self) -> None:
        """Close the target; a stopped process continues."""
        target, self.handle = self.handle, ctypes.c_void_p()
        self._library.ask("ompd_host_target_close", target)


def _frame_of(told: ToldFrame) -> Frame:
    registers = told.registers[: told.register_count]
    values = {register.number: register.value for register in registers}
    return Frame(told.pc, told.frame_address, bool(told.is_caller), values)


class HostLibrary:
    """libompd-opencl-host, from OMPD_OPENCL_HOST_LIBRARY, or beside LIBRARY, which gets its
    functions. Raises OpenCLError if it is missing."""

    def __init__(self, library: Library) -> None:
        beside = find_beside(_HOST_LIBRARY, [library.path])
        library.load(os.environ.get("OMPD_OPENCL_HOST_LIBRARY") or beside, h.PROTOTYPES)
        self._library = library

    def open_process(self, pid: int, leaves_running: bool) -> HostTarget:
        """Open a process, stopped until it is closed, or running; raises TargetError."""
        options = self._options()
        options.leaves_running = leaves_running
        return self._open("ompd_host_process_open", (pid,), options)

    def open_traced(self, pid: int, threads: List[Tuple[int, bytes]]) -> HostTarget:
        """Open a process that this process traces and has stopped.  THREADS are its LWPs, each with
        its registers.  Raises TargetError."""
        told = (h.TracedThread * len(threads))()
        kept = [ctypes.create_string_buffer(registers) for _lwp, registers in threads]
        for thread, (lwp, registers), buffer in zip(told, threads, kept):
            thread.lwp = lwp
            thread.registers = ctypes.addressof(buffer)
            thread.size = len(registers)
        return self._open("ompd_host_traced_process_open", (pid, told, len(told)))

    def open_core(
        self, path: str, program: Optional[str] = None, sysroot: Optional[str] = None
    ) -> HostTarget:
        """Open a core; PROGRAM overrides its program path, and SYSROOT is the root folder of its
        files.  Raises TargetError."""
        options = self._options()
        options.executable = os.fsencode(program) if program else None
        options.sysroot = os.fsencode(sysroot) if sysroot else None
        return self._open("ompd_host_core_open", (os.fsencode(path),), options, path)

    def _options(self) -> h.Options:
        return h.Options(
            struct_size=ctypes.sizeof(h.Options),
            progress=h.ProgressFunction(self._progress),
            is_interrupted=h.IsInterruptedFunction(self._is_interrupted),
        )

    def _open(
        self,
        function: str,
        subject: Tuple[object, ...],
        options: Optional[h.Options] = None,
        path: Optional[str] = None,
    ) -> HostTarget:
        target = ctypes.c_void_p()
        options = options if options is not None else self._options()
        code = self._library.call(function, *subject, options, ctypes.byref(target))
        if code != h.HostCode.OK:
            message = os.fsdecode(self._library.ask("ompd_host_message_get", None))
            raise TargetError(code, message.rstrip(".") + ".")
        return HostTarget(self._library, target, options, path)

    def _progress(self, _user: int, _work: int, _done: int, _whole: int) -> bool:
        return not self._is_interrupted(_user)

    def _is_interrupted(self, _user: int) -> bool:
        try:
            if is_interrupted():
                self._library.remember(KeyboardInterrupt())
                return True
            return False
        except BaseException as failure:
            self._library.remember(failure)
            return True


def _decoded(text: Optional[bytes]) -> Optional[str]:
    return None if text is None else os.fsdecode(text)
