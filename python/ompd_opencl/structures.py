# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python uses of <ompd-opencl-types.h> and <ompd-opencl.h>.

schema/generate.py has written it from there.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any, Dict, List, Tuple
from typing import Type as PythonType

from .enumerations import Kind as Kind
from .enumerations import LogLevel as LogLevel
from .enumerations import Permission as Permission
from .enumerations import ReturnCode as ReturnCode
from .enumerations import Source as Source
from .enumerations import Status as Status
from .enumerations import Type as Type

# Of the header that this package follows.
VERSION_MAJOR = 0
TEXT_SIZE = 120


class Address(ctypes.Structure):
    """ompd_address_t"""

    _fields_ = [
        ("segment", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
    ]


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
        ("struct_size", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("is_saved", ctypes.c_uint32),
        ("permissions", ctypes.c_uint32),
        ("whole_start", ctypes.c_uint64),
        ("whole_end", ctypes.c_uint64),
    ]


class TargetThread(ctypes.Structure):
    """ompd_cl_target_thread_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("lwp", ctypes.c_uint64),
        ("pthread", ctypes.c_uint64),
        ("own_lwp", ctypes.c_uint64),
        ("main_lwp", ctypes.c_uint64),
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
        ("struct_size", ctypes.c_uint64),
        ("pc", ctypes.c_uint64),
        ("frame_address", ctypes.c_uint64),
        ("function", ctypes.c_uint64),
        ("is_caller", ctypes.c_uint32),
        ("register_count", ctypes.c_uint32),
        ("registers", ctypes.POINTER(Register)),
        ("register_size", ctypes.c_uint64),
    ]


class Module(ctypes.Structure):
    """ompd_cl_module_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("build_id", ctypes.POINTER(ctypes.c_uint8)),
        ("build_id_size", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
    ]


class Value(ctypes.Structure):
    """ompd_cl_value_t"""

    _fields_ = [
        ("value", ctypes.c_uint64),
        ("status", ctypes.c_uint16),
        ("source", ctypes.c_uint16),
        ("lwp", ctypes.c_uint32),
    ]


class Text(ctypes.Structure):
    """ompd_cl_text_t"""

    _fields_ = [
        ("status", ctypes.c_uint16),
        ("source", ctypes.c_uint16),
        ("lwp", ctypes.c_uint32),
        ("key", ctypes.c_uint64),
        ("length", ctypes.c_uint64),
        ("text", ctypes.c_char * 120),
    ]


class Name(ctypes.Structure):
    """ompd_cl_name_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
    ]


class Noun(ctypes.Structure):
    """ompd_cl_noun_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("article", ctypes.c_char_p),
        ("singular", ctypes.c_char_p),
        ("plural", ctypes.c_char_p),
    ]


class Field(ctypes.Structure):
    """ompd_cl_field_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
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

    _fields_ = [
        ("id", ctypes.c_uint64),
    ]


AllocMemoryFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.POINTER(ctypes.c_void_p),
)

FreeMemoryFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
)

PrintStringFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_int,
)

SizeofTypeFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.POINTER(TypeSizes),
)

SymbolAddrLookupFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(Address),
    ctypes.c_char_p,
)

ReadMemoryFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(Address),
    ctypes.c_uint64,
    ctypes.c_void_p,
)

WriteMemoryFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(Address),
    ctypes.c_uint64,
    ctypes.c_void_p,
)

DeviceToHostFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
)

GetThreadContextForThreadIdFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
)


class Callbacks(ctypes.Structure):
    """ompd_callbacks_t"""

    _fields_ = [
        ("alloc_memory", AllocMemoryFunction),
        ("free_memory", FreeMemoryFunction),
        ("print_string", PrintStringFunction),
        ("sizeof_type", SizeofTypeFunction),
        ("symbol_addr_lookup", SymbolAddrLookupFunction),
        ("read_memory", ReadMemoryFunction),
        ("write_memory", WriteMemoryFunction),
        ("read_string", ReadMemoryFunction),
        ("device_to_host", DeviceToHostFunction),
        ("host_to_device", DeviceToHostFunction),
        ("get_thread_context_for_thread_id", GetThreadContextForThreadIdFunction),
    ]


MemoryRegionFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.POINTER(Region),
)

MapMemoryFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.POINTER(ctypes.c_void_p),
)

MonitorFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_ssize_t,
    ctypes.c_bool,
)

ModuleFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.POINTER(Module),
)

ModuleSymbolFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_uint64),
)

ProgressFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
)

ThreadFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.POINTER(TargetThread),
)

FramesFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.POINTER(Frame),
    ctypes.POINTER(ctypes.c_uint64),
)

OnReadFunction = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_uint64,
)


class Extra(ctypes.Structure):
    """ompd_cl_extra_t"""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("memory_region", MemoryRegionFunction),
        ("map_memory", MapMemoryFunction),
        ("monitor", MonitorFunction),
        ("monitor_user_ptr", ctypes.c_void_p),
        ("memory_limit", ctypes.c_uint64),
        ("module", ModuleFunction),
        ("module_symbol", ModuleSymbolFunction),
        ("progress", ProgressFunction),
        ("thread", ThreadFunction),
        ("frames", FramesFunction),
        ("on_read", OnReadFunction),
        ("log_level", ctypes.c_uint32),
    ]


# What a function returns, and what it is given.
PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "ompd_rel_address_space_handle": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_cl_version_get": (
        ctypes.c_int,
        [
            ctypes.POINTER(ctypes.c_uint32),
            ctypes.POINTER(ctypes.c_uint32),
        ],
    ),
    "ompd_cl_address_space_create": (
        ctypes.c_int,
        [
            ctypes.POINTER(Callbacks),
            ctypes.POINTER(Extra),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_cl_address_space_refresh": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_cl_message_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_char_p),
        ],
    ),
    "ompd_cl_memory_limit_set": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
        ],
    ),
    "ompd_cl_log_level_set": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
        ],
    ),
    "ompd_cl_field_get": (
        ctypes.c_int,
        [
            ctypes.c_int,
            ctypes.c_uint32,
            ctypes.POINTER(ctypes.POINTER(Field)),
        ],
    ),
    "ompd_cl_kind_get": (
        ctypes.c_int,
        [
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_cl_layout_add": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_uint64,
        ],
    ),
    "ompd_cl_sources_set": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint32,
        ],
    ),
    "ompd_cl_overview_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
    "ompd_cl_note_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.POINTER(ctypes.c_char_p),
        ],
    ),
    "ompd_cl_library_memory_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
    "ompd_cl_list_open": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.POINTER(Filter),
            ctypes.POINTER(ListNumber),
        ],
    ),
    "ompd_cl_object_list_open": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_uint64,
            ctypes.POINTER(ListNumber),
        ],
    ),
    "ompd_cl_list_next": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ListNumber,
            ctypes.c_int,
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_uint64),
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_cl_list_close": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ListNumber,
        ],
    ),
    "ompd_cl_object_find": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_uint64,
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_cl_object_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_uint64,
            ctypes.c_void_p,
        ],
    ),
    "ompd_cl_stack_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.POINTER(ctypes.c_uint64),
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_cl_text_read": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
}

# By their names in C: numbers, with what each name begins with there, and types.
ENUMS: Dict[str, Tuple[str, PythonType[enum.IntEnum]]] = {
    "ompd_rc_t": ("ompd_rc_", ReturnCode),
    "ompd_cl_permission_t": ("ompd_cl_permission_", Permission),
    "ompd_cl_log_level_t": ("ompd_cl_log_level_", LogLevel),
    "ompd_cl_status_t": ("ompd_cl_status_", Status),
    "ompd_cl_source_t": ("ompd_cl_source_", Source),
    "ompd_cl_kind_t": ("ompd_cl_kind_", Kind),
    "ompd_cl_type_t": ("ompd_cl_type_", Type),
}
STRUCTURES: Dict[str, PythonType[ctypes.Structure]] = {
    "ompd_address_t": Address,
    "ompd_device_type_sizes_t": TypeSizes,
    "ompd_cl_region_t": Region,
    "ompd_cl_target_thread_t": TargetThread,
    "ompd_cl_register_t": Register,
    "ompd_cl_frame_t": Frame,
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
