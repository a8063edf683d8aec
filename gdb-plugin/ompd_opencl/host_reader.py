# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a process of this machine or of a core, read by libompd-opencl-host instead of GDB.

The plugin is complete without that library.
"""

from __future__ import annotations

import ctypes
import os
from typing import Optional, Tuple

_RC_OK = 0
_RC_NOT_SAVED = 6

_TARGET = ctypes.c_void_p


class NotSaved(Exception):
    """The core does not have the memory."""


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
    ]


_OPTIONS = ctypes.POINTER(_Options)
_PROTOTYPES = {
    "ompd_host_process_open": [ctypes.c_int, _OPTIONS, ctypes.POINTER(_TARGET)],
    "ompd_host_core_open": [ctypes.c_char_p, _OPTIONS, ctypes.POINTER(_TARGET)],
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

    def open_process(self, pid: int) -> Optional[HostReader]:
        """A process that GDB has stopped; None when it cannot be read."""
        options = _Options(struct_size=ctypes.sizeof(_Options), leaves_running=True)
        target = ctypes.c_void_p()
        code = self._functions.ompd_host_process_open(pid, options, ctypes.byref(target))
        return HostReader(self._functions, target) if code == _RC_OK else None

    def open_core(self, path: str, executable: Optional[str]) -> Optional[HostReader]:
        """A core; None when it cannot be read."""
        file = os.fsencode(executable) if executable else None
        options = _Options(struct_size=ctypes.sizeof(_Options), executable=file)
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
