# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a process of this machine or of a core, read by libompd-opencl-host instead of GDB.

The plugin is complete without that library.
"""

from __future__ import annotations

import ctypes
import os
from typing import Optional, Tuple

from . import structures as c
from .core_file import Range
from .elf_image import Module
from .errors import OpenCLError

_RC_OK = 0
_RC_NOT_FOUND = 3
_RC_NOT_SAVED = 6

_TARGET = ctypes.c_void_p


class NotSaved(Exception):
    """The core does not have the memory; the text is what the host library says."""


class NotThere(Exception):
    """There is no memory at the address."""


class _Options(ctypes.Structure):
    """ompd_host_options_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("executable", ctypes.c_char_p),
        ("sysroot", ctypes.c_char_p),
        ("leaves_running", ctypes.c_bool),
        ("asks_debuginfod", ctypes.c_bool),
        ("progress", ctypes.c_void_p),
        ("progress_user_ptr", ctypes.c_void_p),
    ]


class _Module(ctypes.Structure):
    """ompd_host_module_t"""

    _fields_ = [
        ("path", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("build_id", ctypes.c_void_p),
        ("build_id_size", ctypes.c_size_t),
    ]


_OPTIONS = ctypes.POINTER(_Options)
_PROTOTYPES = {
    "ompd_host_process_open": [ctypes.c_int, _OPTIONS, ctypes.POINTER(_TARGET)],
    "ompd_host_core_open": [ctypes.c_char_p, _OPTIONS, ctypes.POINTER(_TARGET)],
    "ompd_host_region_get": [_TARGET, ctypes.c_uint64, ctypes.POINTER(c.Region)],
    "ompd_host_module_get": [_TARGET, ctypes.c_size_t, ctypes.POINTER(_Module)],
    "ompd_host_symbol_find": [
        _TARGET,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_uint64),
    ],
    "ompd_host_module_symbol_find": [
        _TARGET,
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_uint64),
    ],
    "ompd_host_memory_read": [_TARGET, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p],
}


def _state_of(path: Optional[str]) -> Optional[Tuple[int, ...]]:
    """What changes when a file is written; None without one."""
    if path is None:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class HostReader:
    """A target that the host library has open."""

    def __init__(
        self, functions: ctypes.CDLL, target: ctypes.c_void_p, path: Optional[str] = None
    ) -> None:
        self._functions = functions
        self._target = target
        self._path = path  # of a core
        self._state = _state_of(path)

    def is_outdated(self) -> bool:
        """Whether the core's file was written since.  It is mapped: to read what was cut off it
        meanwhile would end GDB."""
        return _state_of(self._path) != self._state

    def read(self, address: int, size: int) -> memoryview:
        """SIZE bytes at ADDRESS; raises NotSaved or NotThere."""
        data = ctypes.create_string_buffer(size)
        code = self._functions.ompd_host_memory_read(self._target, address, size, data)
        if code == _RC_NOT_SAVED:
            raise NotSaved()
        if code != _RC_OK:
            raise NotThere()
        return memoryview(data).cast("B")

    def region_after(self, address: int) -> Optional[Range]:
        """The first region that ends above ADDRESS."""
        region = c.Region()
        if not self._find("ompd_host_region_get", address, ctypes.byref(region)):
            return None
        return Range(region.start, region.end, bool(region.is_saved), region.permissions)

    def module(self, index: int) -> Optional[Module]:
        """Module number INDEX; None past the last one; raises NotSaved where there may be more."""
        found = _Module()
        if not self._find("ompd_host_module_get", index, ctypes.byref(found)):
            return None
        build_id = ctypes.string_at(found.build_id, found.build_id_size) if found.build_id else b""
        return Module(os.fsdecode(found.path), build_id, found.start, found.end)

    def find_symbol(self, name: str) -> Optional[int]:
        """The address of NAME in any module; raises NotSaved where not all modules are known."""
        address = ctypes.c_uint64()
        found = self._find("ompd_host_symbol_find", None, name.encode(), ctypes.byref(address))
        return address.value if found else None

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of NAME in module number INDEX alone; raises NotSaved."""
        address = ctypes.c_uint64()
        found = self._find(
            "ompd_host_module_symbol_find", index, name.encode(), ctypes.byref(address)
        )
        return address.value if found else None

    def _find(self, function: str, *arguments: object) -> bool:
        """Call FUNCTION; whether there is what it looks for."""
        code = getattr(self._functions, function)(self._target, *arguments)
        if code in (_RC_OK, _RC_NOT_FOUND):
            return bool(code == _RC_OK)
        message = os.fsdecode(self._functions.ompd_host_message_get(self._target))
        if code == _RC_NOT_SAVED:
            raise NotSaved(message)
        raise OpenCLError("libompd-opencl-host: %s." % message)

    def close(self) -> None:
        """Give the target back; a process is left as it is."""
        target, self._target = self._target, ctypes.c_void_p()
        self._functions.ompd_host_target_close(target)


class HostLibrary:
    """libompd-opencl-host, loaded."""

    def __init__(self, functions: ctypes.CDLL) -> None:
        self._functions = functions
        for name, arguments in _PROTOTYPES.items():
            function = getattr(functions, name)
            function.argtypes = arguments
            function.restype = ctypes.c_int
        functions.ompd_host_target_close.argtypes = [_TARGET]
        functions.ompd_host_target_close.restype = None
        functions.ompd_host_message_get.argtypes = [_TARGET]
        functions.ompd_host_message_get.restype = ctypes.c_char_p

    def open_process(self, pid: int) -> Optional[HostReader]:
        """A process that GDB has stopped; None when it cannot be read."""
        options = _Options(struct_size=ctypes.sizeof(_Options), leaves_running=True)
        target = ctypes.c_void_p()
        code = self._functions.ompd_host_process_open(pid, options, ctypes.byref(target))
        return HostReader(self._functions, target) if code == _RC_OK else None

    def open_core(self, path: str, executable: Optional[str], sysroot: str) -> Optional[HostReader]:
        """A core, whose files lie below SYSROOT, if that is not ""; None when it cannot be read."""
        options = _Options(
            struct_size=ctypes.sizeof(_Options),
            executable=os.fsencode(executable) if executable else None,
            sysroot=os.fsencode(sysroot) if sysroot else None,
        )
        target = ctypes.c_void_p()
        code = self._functions.ompd_host_core_open(os.fsencode(path), options, ctypes.byref(target))
        return HostReader(self._functions, target, path) if code == _RC_OK else None


def load_host_library(library: str) -> Optional[HostLibrary]:
    """The host library of OMPD_OPENCL_HOST_LIBRARY, or beside LIBRARY; None without one."""
    beside = os.path.join(os.path.dirname(library), "libompd-opencl-host.so.0")
    path = os.environ.get("OMPD_OPENCL_HOST_LIBRARY") or beside
    try:
        return HostLibrary(ctypes.CDLL(path))
    except (OSError, AttributeError):
        return None
