# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's callback tables: C functions that call a Target.

One set of C functions serves all address spaces; the tool context is a number that identifies the
Target.  No exception reaches C: each callback catches all exceptions, stores them in the library
object, and returns an error.  Callbacks that the library does not need are NULL.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Callable, Dict, List, Optional

from . import structures as c
from .errors import UnreadableMemory
from .library import Library, is_interrupted
from .protocols import Target


def fill(given: ctypes.Structure, known: ctypes.Structure) -> None:
    """Copy KNOWN to a struct of the library, up to its struct_size."""
    size = min(given.struct_size, ctypes.sizeof(known))
    first = ctypes.sizeof(ctypes.c_uint64)  # struct_size does not change
    source = ctypes.addressof(known) + first
    ctypes.memmove(ctypes.addressof(given) + first, source, max(size - first, 0))


class CallbackTable:
    """The two tables of C functions, and their targets."""

    def __init__(self, library: Library, log: Callable[[str], None]) -> None:
        """LOG gets the lines of the diagnostic log."""
        self._library = library
        self._log = log
        self._targets: Dict[int, Target] = {}
        self._next_number = 1
        self._told = c.Module()
        self._told_registers: List["ctypes.Array[c.Register]"] = []
        libc = ctypes.CDLL(None)
        self._malloc = libc.malloc
        self._malloc.argtypes = [ctypes.c_size_t]
        self._malloc.restype = ctypes.c_void_p
        self._free = libc.free
        self._free.argtypes = [ctypes.c_void_p]
        self._free.restype = None
        self._memmove = ctypes.memmove
        self.callbacks = c.Callbacks(
            alloc_memory=c.AllocMemoryFunction(self._guarded(self._alloc_memory)),
            free_memory=c.FreeMemoryFunction(self._guarded(self._free_memory)),
            print_string=c.PrintStringFunction(self._guarded(self._print_string)),
            sizeof_type=c.SizeofTypeFunction(self._guarded(self._sizeof_type)),
            symbol_addr_lookup=c.SymbolAddrLookupFunction(self._guarded(self._symbol_addr_lookup)),
            read_memory=c.ReadMemoryFunction(self._guarded(self._read_memory)),
            device_to_host=c.DeviceToHostFunction(self._guarded(self._device_to_host)),
            get_thread_context_for_thread_id=c.GetThreadContextForThreadIdFunction(
                self._guarded(self._get_thread_context)
            ),
        )
        # `map_memory` is not offered. A mapping must remain valid until the next refresh, which may
        # be many commands later. If a core file is truncated meanwhile, reading its mapping would
        # crash the debugger.
        self.extra = c.Extra(
            struct_size=ctypes.sizeof(c.Extra),
            memory_region=c.MemoryRegionFunction(self._guarded(self._memory_region)),
            module=c.ModuleFunction(self._guarded(self._module)),
            module_symbol=c.ModuleSymbolFunction(self._guarded(self._module_symbol)),
            progress=c.ProgressFunction(self._progress),
            thread=c.ThreadFunction(self._guarded(self._thread)),
            frames=c.FramesFunction(self._guarded(self._frames)),
        )

    def add(self, target: Target) -> int:
        """Add TARGET; returns its tool context."""
        number = self._next_number
        self._next_number += 1
        self._targets[number] = target
        return number

    def remove(self, tool_context: int) -> None:
        """Remove a target, after its address space was released."""
        self._targets.pop(tool_context, None)

    def _failed(self, failure: BaseException) -> int:
        self._library.remember(failure)
        if isinstance(failure, KeyboardInterrupt):
            return c.ReturnCode.INTERRUPTED  # the library makes no more calls and returns
        return c.ReturnCode.CALLBACK_ERROR

    def _guarded(self, function: Callable[..., int]) -> Callable[..., int]:
        """FUNCTION wrapped for C, so that no exception passes through."""

        def answer(*arguments: object) -> int:
            try:
                return function(*arguments)
            except UnreadableMemory:
                return c.ReturnCode.DEVICE_READ_ERROR
            except BaseException as failure:
                return self._failed(failure)

        return answer

    def _alloc_memory(self, size: int, pointer: "ctypes._Pointer[ctypes.c_void_p]") -> int:
        address = self._malloc(size)
        if not address:
            return c.ReturnCode.NOMEM
        pointer[0] = ctypes.c_void_p(address)
        return c.ReturnCode.OK

    def _free_memory(self, pointer: int) -> int:
        self._free(pointer)
        return c.ReturnCode.OK

    def _print_string(self, string: bytes, _category: int) -> int:
        self._log(string.decode("ascii", "replace"))
        return c.ReturnCode.OK

    def _sizeof_type(self, tool_context: int, sizes: "ctypes._Pointer[c.TypeSizes]") -> int:
        sizes[0] = c.TypeSizes(*self._targets[tool_context].type_sizes())
        return c.ReturnCode.OK

    def _symbol_addr_lookup(
        self,
        tool_context: int,
        thread_context: Optional[int],
        name: bytes,
        found: "ctypes._Pointer[c.Address]",
        _file_name: Optional[bytes],
    ) -> int:
        if thread_context is not None:
            return c.ReturnCode.UNSUPPORTED  # thread-local: the library never asks for one
        address = self._targets[tool_context].find_symbol(name.decode("ascii"))
        if address is None:
            return c.ReturnCode.UNAVAILABLE
        found[0] = c.Address(0, address)
        return c.ReturnCode.OK

    def _read_memory(
        self,
        tool_context: int,
        _thread_context: Optional[int],
        address: "ctypes._Pointer[c.Address]",
        size: int,
        buffer: int,
    ) -> int:
        if is_interrupted():
            return self._failed(KeyboardInterrupt())
        data = self._targets[tool_context].read(address[0].address, size)
        self._memmove(buffer, data.tobytes(), size)
        return c.ReturnCode.OK

    def _device_to_host(
        self, tool_context: int, source: int, unit_size: int, count: int, result: int
    ) -> int:
        data = ctypes.string_at(source, unit_size * count)
        is_host_little_endian = struct.pack("=H", 1) == b"\1\0"
        if self._targets[tool_context].is_little_endian() != is_host_little_endian:
            units = range(0, len(data), unit_size)
            data = b"".join(data[start : start + unit_size][::-1] for start in units)
        self._memmove(result, data, len(data))
        return c.ReturnCode.OK

    def _get_thread_context(
        self,
        _tool_context: int,
        _kind: int,
        _size: int,
        _thread_id: int,
        context: "ctypes._Pointer[ctypes.c_void_p]",
    ) -> int:
        # The library identifies a thread by its ID alone and reads no thread-local memory. Any
        # context other than NULL works.
        context[0] = ctypes.c_void_p(1)
        return c.ReturnCode.OK

    def _memory_region(
        self, tool_context: int, address: int, region: "ctypes._Pointer[c.Region]"
    ) -> int:
        found = self._targets[tool_context].region_after(address)
        if found is None:
            return c.ReturnCode.UNAVAILABLE
        fill(
            region.contents,
            c.Region(
                start=found.start,
                end=found.end,
                is_saved=int(found.is_saved),
                permissions=found.permissions,
                whole_start=found.whole_start,
                whole_end=found.whole_end,
            ),
        )
        return c.ReturnCode.OK

    def _module(self, tool_context: int, index: int, module: "ctypes._Pointer[c.Module]") -> int:
        found = self._targets[tool_context].module(index)
        if found is None:
            return c.ReturnCode.UNAVAILABLE
        # The library may read the texts until the next callback.
        self._told = c.Module(
            name=os.fsencode(found.name),
            build_id_size=len(found.build_id),
            start=found.start,
            end=found.end,
        )
        if found.build_id:
            self._told.build_id = (ctypes.c_uint8 * len(found.build_id))(*found.build_id)
        fill(module.contents, self._told)
        return c.ReturnCode.OK

    def _module_symbol(
        self,
        tool_context: int,
        index: int,
        name: bytes,
        address: "ctypes._Pointer[ctypes.c_uint64]",
    ) -> int:
        target = self._targets[tool_context]
        found = target.find_module_symbol(index, name.decode("ascii"))
        if found is None:
            return c.ReturnCode.UNAVAILABLE
        address[0] = ctypes.c_uint64(found)
        return c.ReturnCode.OK

    def _thread(
        self, tool_context: int, index: int, thread: "ctypes._Pointer[c.TargetThread]"
    ) -> int:
        found = self._targets[tool_context].stopped_thread(index)
        if found is None:
            return c.ReturnCode.UNAVAILABLE
        fill(thread.contents, c.TargetThread(0, *found))
        return c.ReturnCode.OK

    def _frames(
        self,
        tool_context: int,
        lwp: int,
        capacity: int,
        frames: "ctypes._Pointer[c.Frame]",
        count: "ctypes._Pointer[ctypes.c_uint64]",
    ) -> int:
        found = self._targets[tool_context].innermost_frames(lwp, capacity)
        if not found or capacity == 0:
            return c.ReturnCode.UNAVAILABLE
        size = self._targets[tool_context].type_sizes()[-1]
        # The library may read the registers until the next callback.
        self._told_registers = []
        first, stride = ctypes.addressof(frames.contents), frames.contents.struct_size
        for place, frame in enumerate(found[:capacity]):
            registers = frame.registers.items()
            told = [c.Register(number, size, value) for number, value in registers]
            self._told_registers.append((c.Register * len(told))(*told))
            known = c.Frame(
                pc=frame.pc,
                frame_address=frame.address,
                is_caller=frame.is_caller,
                register_count=len(told),
                registers=self._told_registers[-1],
                register_size=ctypes.sizeof(c.Register),
            )
            given = c.Frame.from_address(first + stride * place)
            given.struct_size = stride
            fill(given, known)
        count[0] = ctypes.c_uint64(min(len(found), capacity))
        return c.ReturnCode.OK

    def _progress(self, _tool_context: int, _done: int, _whole: int) -> bool:
        try:
            if is_interrupted():
                self._library.remember(KeyboardInterrupt())
                return False
            return True
        except BaseException as failure:
            self._library.remember(failure)
            return False
