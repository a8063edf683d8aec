# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registers of threads that GDB traces, from the kernel."""

from __future__ import annotations

import ctypes

from ompd_opencl.errors import OpenCLError

# From <sys/ptrace.h> and <elf.h>.
_GETREGSET = 0x4204
_PRSTATUS = 1
_SIZE = 4096  # bytes: more than the registers of any machine


class _Area(ctypes.Structure):
    """struct iovec"""

    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def read_registers(lwp: int) -> bytes:
    """The registers of the thread LWP, in the format of the note NT_PRSTATUS.  The kernel gives
    them only to the tracing thread, which in GDB is the thread that runs Python."""
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.restype = ctypes.c_long
    ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    buffer = ctypes.create_string_buffer(_SIZE)
    area = _Area(ctypes.addressof(buffer), _SIZE)
    if ptrace(_GETREGSET, lwp, _PRSTATUS, ctypes.addressof(area)) != 0:
        raise OpenCLError("The registers of LWP %d cannot be read." % lwp)
    return buffer.raw[: area.length]
