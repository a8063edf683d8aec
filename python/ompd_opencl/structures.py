# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of <ompd-opencl.h> and <omp-tools.h> is used here: numbers, C types and functions.

A test compares them with the headers.  The info structs are not here: rows are read by the
library's own table of fields.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any, Dict, List, Tuple
from typing import Type as PythonType

from .enumerations import Kind as Kind
from .enumerations import Permission as Permission
from .enumerations import ReturnCode as ReturnCode
from .enumerations import Source as Source
from .enumerations import Status as Status
from .enumerations import Type as Type

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
        ("whole_start", ctypes.c_uint64),
        ("whole_end", ctypes.c_uint64),
        ("reserved", ctypes.c_uint64 * 2),
    ]


class TargetThread(ctypes.Structure):
    """ompd_cl_target_thread_t"""

    _fields_ = [
        ("lwp", ctypes.c_uint64),
        ("pthread", ctypes.c_uint64),
        ("own_lwp", ctypes.c_uint64),
        ("main_lwp", ctypes.c_uint64),
        ("reserved", ctypes.c_uint64 * 2),
    ]


class Register(ctypes.Structure):
    """ompd_cl_register_t"""

    _fields_ = [
        ("number", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("value", ctypes.c_uint64),
    ]


class Frame(ctypes.Structure):
    """ompd_cl_frame_t"""

    _fields_ = [
        ("pc", ctypes.c_uint64),
        ("frame_address", ctypes.c_uint64),
        ("function", ctypes.c_uint64),
        ("is_caller", ctypes.c_uint32),
        ("register_count", ctypes.c_uint32),
        ("registers", ctypes.POINTER(Register)),
        ("reserved", ctypes.c_uint64 * 4),
    ]


class Module(ctypes.Structure):
    """ompd_cl_module_t"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("build_id", ctypes.c_char_p),
        ("build_id_size", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("reserved", ctypes.c_uint64 * 4),
    ]


class Value(ctypes.Structure):
    """ompd_cl_value_t"""

    _fields_ = [
        ("value", ctypes.c_uint64),
        ("status", ctypes.c_uint16),
        ("source", ctypes.c_uint16),
        ("lwp", ctypes.c_uint32),
    ]


TEXT_SIZE = 120  # OMPD_CL_TEXT_SIZE


class Text(ctypes.Structure):
    """ompd_cl_text_t"""

    _fields_ = [
        ("status", ctypes.c_uint16),
        ("source", ctypes.c_uint16),
        ("lwp", ctypes.c_uint32),
        ("text", ctypes.c_char * TEXT_SIZE),
    ]


class Name(ctypes.Structure):
    """ompd_cl_name_t"""

    _fields_ = [("value", ctypes.c_uint64), ("name", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class Noun(ctypes.Structure):
    """ompd_cl_noun_t"""

    _fields_ = [
        ("article", ctypes.c_char_p),
        ("singular", ctypes.c_char_p),
        ("plural", ctypes.c_char_p),
    ]


class Field(ctypes.Structure):
    """ompd_cl_field_t"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("title", ctypes.c_char_p),
        ("help", ctypes.c_char_p),
        ("unit", ctypes.c_char_p),
        ("names", ctypes.POINTER(Name)),
        ("name_count", ctypes.c_uint32),
        ("type", ctypes.c_uint32),
        ("offset", ctypes.c_uint32),
        ("in_table", ctypes.c_uint32),
    ]


class Filter(ctypes.Structure):
    """ompd_cl_filter_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("context", ctypes.c_uint64),
        ("kinds", ctypes.c_uint64),
        ("states", ctypes.c_uint64),
        ("min_size", ctypes.c_uint64),
        ("queue", ctypes.c_uint64),
    ]


class ListNumber(ctypes.Structure):
    """ompd_cl_list_t"""

    _fields_ = [("id", ctypes.c_uint64)]


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
FindThread = ctypes.CFUNCTYPE(_RC, _CONTEXT, ctypes.c_uint64, ctypes.POINTER(TargetThread))
FindFrames = ctypes.CFUNCTYPE(
    _RC,
    _CONTEXT,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.POINTER(Frame),
    ctypes.POINTER(ctypes.c_uint64),
)
LookedAt = ctypes.CFUNCTYPE(None, _CONTEXT, ctypes.c_uint64, ctypes.c_uint64)

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
        ("thread", FindThread),
        ("frames", FindFrames),
        ("looked_at", LookedAt),
    ]


# What a function returns, and what it is given.
Prototypes = Dict[str, Tuple[Any, List[Any]]]

SPACE = ctypes.c_void_p  # ompd_address_space_handle_t *
_TEXT = ctypes.c_char_p
_SIZE = ctypes.c_uint64
_LIST = ctypes.POINTER(ListNumber)


def _prototypes() -> Prototypes:
    """The functions of <ompd-opencl.h>: all return an ompd_rc_t."""
    arguments: Dict[str, List[Any]] = {
        "ompd_cl_get_version": [ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32)],
        "ompd_cl_address_space_create": [
            ctypes.POINTER(Callbacks),
            ctypes.POINTER(Extra),
            ctypes.c_void_p,
            ctypes.POINTER(SPACE),
        ],
        "ompd_rel_address_space_handle": [SPACE],
        "ompd_cl_refresh": [SPACE],
        "ompd_cl_message_get": [SPACE, ctypes.POINTER(_TEXT)],
        "ompd_cl_memory_limit_set": [SPACE, _SIZE],
        "ompd_cl_layout_add": [SPACE, _TEXT, _SIZE],
        "ompd_cl_sources_set": [SPACE, ctypes.c_uint32],
        "ompd_cl_kind_get": [ctypes.c_int, ctypes.POINTER(_TEXT), ctypes.POINTER(_SIZE)],
        "ompd_cl_noun_get": [ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Noun))],
        "ompd_cl_name_find": [
            ctypes.c_int,
            ctypes.c_uint64,
            ctypes.POINTER(ctypes.POINTER(Name)),
        ],
        "ompd_cl_field_get": [
            ctypes.c_int,
            ctypes.c_uint32,
            ctypes.POINTER(ctypes.POINTER(Field)),
        ],
        "ompd_cl_overview_get": [SPACE, ctypes.c_void_p],
        "ompd_cl_memory_get": [SPACE, ctypes.c_void_p],
        "ompd_cl_note_get": [SPACE, ctypes.c_uint32, ctypes.POINTER(_TEXT)],
        "ompd_cl_list_open": [SPACE, ctypes.c_int, ctypes.POINTER(Filter), _LIST],
        "ompd_cl_object_list_open": [SPACE, ctypes.c_int, ctypes.c_uint64, _LIST],
        "ompd_cl_list_next": [
            SPACE,
            ListNumber,
            ctypes.c_int,
            _SIZE,
            ctypes.c_void_p,
            ctypes.POINTER(_SIZE),
            ctypes.POINTER(_SIZE),
        ],
        "ompd_cl_list_close": [SPACE, ListNumber],
        "ompd_cl_object_find": [SPACE, ctypes.c_int, ctypes.c_uint64, ctypes.POINTER(_SIZE)],
        "ompd_cl_object_get": [SPACE, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p],
        "ompd_cl_stack_get": [
            SPACE,
            ctypes.c_uint64,
            _SIZE,
            ctypes.POINTER(ctypes.c_uint64),
            ctypes.POINTER(_SIZE),
        ],
    }
    return {name: (_RC, list_of_types) for name, list_of_types in arguments.items()}


PROTOTYPES = _prototypes()

# By their names in C: numbers, each with what its names begin with there, and types.
ENUMS: Dict[str, Tuple[str, PythonType[enum.IntEnum]]] = {
    "ompd_rc_t": ("ompd_rc_", ReturnCode),
    "ompd_cl_permission_t": ("ompd_cl_permission_", Permission),
    "ompd_cl_status_t": ("ompd_cl_status_", Status),
    "ompd_cl_source_t": ("ompd_cl_source_", Source),
    "ompd_cl_kind_t": ("ompd_cl_kind_", Kind),
    "ompd_cl_type_t": ("ompd_cl_type_", Type),
}
STRUCTURES: Dict[str, PythonType[ctypes.Structure]] = {
    "ompd_address_t": Address,
    "ompd_device_type_sizes_t": TypeSizes,
    "ompd_cl_region_t": Region,
    "ompd_cl_module_t": Module,
    "ompd_cl_value_t": Value,
    "ompd_cl_text_t": Text,
    "ompd_cl_name_t": Name,
    "ompd_cl_noun_t": Noun,
    "ompd_cl_field_t": Field,
    "ompd_cl_filter_t": Filter,
    "ompd_cl_list_t": ListNumber,
    "ompd_callbacks_t": Callbacks,
    "ompd_cl_extra_t": Extra,
}
