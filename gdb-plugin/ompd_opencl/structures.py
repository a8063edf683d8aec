# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C types of <ompd-opencl.h> and <omp-tools.h> that cross the border to the library."""

from __future__ import annotations

import ctypes

# ompd_rc_t
RC_OK = 0
RC_UNAVAILABLE = 1
RC_STALE_HANDLE = 2
RC_BAD_INPUT = 3
RC_ERROR = 4
RC_UNSUPPORTED = 5
RC_INCOMPATIBLE = 7
RC_DEVICE_READ_ERROR = 8
RC_NOMEM = 10
RC_INCOMPLETE = 11
RC_CALLBACK_ERROR = 12

# OMPD_CL_VERSION_MAJOR and _MINOR of the header that this package follows.
VERSION_MAJOR = 0
VERSION_MINOR = 1


class Address(ctypes.Structure):
    """ompd_address_t"""

    _fields_ = [("segment", ctypes.c_uint64), ("address", ctypes.c_uint64)]


class TypeSizes(ctypes.Structure):
    """ompd_device_type_sizes_t"""

    _fields_ = [
        ("sizeof_char", ctypes.c_uint8),
        ("sizeof_short", ctypes.c_uint8),
        ("sizeof_int", ctypes.c_uint8),
        ("sizeof_long", ctypes.c_uint8),
        ("sizeof_long_long", ctypes.c_uint8),
        ("sizeof_pointer", ctypes.c_uint8),
    ]


class Region(ctypes.Structure):
    """ompd_cl_region_t"""

    _fields_ = [
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("is_saved", ctypes.c_uint32),
        ("permissions", ctypes.c_uint32),
    ]


class Module(ctypes.Structure):
    """ompd_cl_module_t"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("build_id", ctypes.c_char_p),
        ("build_id_size", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
    ]


_RC = ctypes.c_int
_CONTEXT = ctypes.c_void_p

AllocMemory = ctypes.CFUNCTYPE(_RC, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p))
FreeMemory = ctypes.CFUNCTYPE(_RC, ctypes.c_void_p)
PrintString = ctypes.CFUNCTYPE(_RC, ctypes.c_char_p, ctypes.c_int)
SizeofType = ctypes.CFUNCTYPE(_RC, _CONTEXT, ctypes.POINTER(TypeSizes))
SymbolAddrLookup = ctypes.CFUNCTYPE(
    _RC, _CONTEXT, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Address), ctypes.c_char_p
)
ReadMemory = ctypes.CFUNCTYPE(
    _RC, _CONTEXT, ctypes.c_void_p, ctypes.POINTER(Address), ctypes.c_uint64, ctypes.c_void_p
)
DeviceToHost = ctypes.CFUNCTYPE(
    _RC, _CONTEXT, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p
)
GetThreadContext = ctypes.CFUNCTYPE(
    _RC,
    _CONTEXT,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
)
MemoryRegion = ctypes.CFUNCTYPE(_RC, _CONTEXT, ctypes.c_uint64, ctypes.POINTER(Region))
Lend = ctypes.CFUNCTYPE(
    _RC, _CONTEXT, ctypes.c_uint64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p)
)
FindModule = ctypes.CFUNCTYPE(_RC, _CONTEXT, ctypes.c_uint64, ctypes.POINTER(Module))
ModuleSymbol = ctypes.CFUNCTYPE(
    _RC, _CONTEXT, ctypes.c_uint64, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)
)
Progress = ctypes.CFUNCTYPE(ctypes.c_bool, _CONTEXT, ctypes.c_uint64, ctypes.c_uint64)

MemoryMonitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_bool)


class Callbacks(ctypes.Structure):
    """ompd_callbacks_t"""

    _fields_ = [
        ("alloc_memory", AllocMemory),
        ("free_memory", FreeMemory),
        ("print_string", PrintString),
        ("sizeof_type", SizeofType),
        ("symbol_addr_lookup", SymbolAddrLookup),
        ("read_memory", ReadMemory),
        ("write_memory", ReadMemory),
        ("read_string", ReadMemory),
        ("device_to_host", DeviceToHost),
        ("host_to_device", DeviceToHost),
        ("get_thread_context_for_thread_id", GetThreadContext),
    ]


class Extra(ctypes.Structure):
    """ompd_cl_extra_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("memory_region", MemoryRegion),
        ("lend", Lend),
        ("monitor", MemoryMonitor),
        ("monitor_user_ptr", ctypes.c_void_p),
        ("memory_limit", ctypes.c_uint64),
        ("module", FindModule),
        ("module_symbol", ModuleSymbol),
        ("progress", Progress),
    ]
