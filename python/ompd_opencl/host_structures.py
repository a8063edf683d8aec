# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python uses of <ompd-opencl-host.h>.

schema/generate.py has written it from there.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any, Dict, List, Tuple
from typing import Type as PythonType

from .enumerations import HostCode as HostCode
from .structures import Callbacks, Extra, Region


ProgressFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.c_uint64,
)

IsInterruptedFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
)


class Options(ctypes.Structure):
    """ompd_host_options_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("executable", ctypes.c_char_p),
        ("sysroot", ctypes.c_char_p),
        ("leaves_running", ctypes.c_bool),
        ("asks_debuginfod", ctypes.c_bool),
        ("progress", ProgressFunction),
        ("progress_user_ptr", ctypes.c_void_p),
        ("is_interrupted", IsInterruptedFunction),
        ("opens_no_files", ctypes.c_bool),
        ("log_level", ctypes.c_uint32),
    ]


class TargetInfo(ctypes.Structure):
    """ompd_host_target_info_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("file", ctypes.c_char_p),
        ("program", ctypes.c_char_p),
        ("command_line", ctypes.c_char_p),
        ("host_name", ctypes.c_char_p),
        ("size", ctypes.c_uint64),
        ("whole_size", ctypes.c_uint64),
        ("saved_bytes", ctypes.c_uint64),
        ("left_out_bytes", ctypes.c_uint64),
        ("unsaved_reads", ctypes.POINTER(ctypes.c_uint64)),
        ("time", ctypes.c_int64),
        ("pid", ctypes.c_int32),
        ("signal", ctypes.c_int32),
        ("signal_lwp", ctypes.c_int32),
        ("pointer_size", ctypes.c_uint32),
        ("thread_count", ctypes.c_uint32),
        ("is_core", ctypes.c_bool),
        ("is_swapped", ctypes.c_bool),
        ("is_running", ctypes.c_bool),
        ("is_cut", ctypes.c_bool),
        ("is_snapshot", ctypes.c_bool),
        ("short_places", ctypes.c_uint64),
    ]


class TracedThread(ctypes.Structure):
    """ompd_host_traced_thread_t"""

    _fields_ = [
        ("lwp", ctypes.c_uint32),
        ("registers", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("reserved", ctypes.c_uint64 * 4),
    ]


class Module(ctypes.Structure):
    """ompd_host_module_t"""

    _fields_ = [
        ("path", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("build_id", ctypes.POINTER(ctypes.c_uint8)),
        ("build_id_size", ctypes.c_size_t),
        ("reserved", ctypes.c_uint64 * 4),
    ]


class Line(ctypes.Structure):
    """ompd_host_line_t"""

    _fields_ = [
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
    ]


class Place(ctypes.Structure):
    """ompd_host_place_t"""

    _fields_ = [
        ("symbol", ctypes.c_char_p),
        ("symbol_offset", ctypes.c_uint64),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("module", ctypes.c_char_p),
        ("module_offset", ctypes.c_uint64),
        ("inlined_into", ctypes.POINTER(ctypes.c_char_p)),
        ("inlined_count", ctypes.c_size_t),
        ("inlined_at", ctypes.POINTER(Line)),
        ("reserved", ctypes.c_uint64 * 3),
    ]


class Thread(ctypes.Structure):
    """ompd_host_thread_t"""

    _fields_ = [
        ("lwp", ctypes.c_uint32),
        ("pthread", ctypes.c_uint64),
        ("own_lwp", ctypes.c_uint32),
        ("reserved", ctypes.c_uint64 * 3),
    ]


# What a function returns, and what it is given.
PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "ompd_host_process_open": (
        ctypes.c_int,
        [
            ctypes.c_int,
            ctypes.POINTER(Options),
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_host_traced_process_open": (
        ctypes.c_int,
        [
            ctypes.c_int,
            ctypes.POINTER(TracedThread),
            ctypes.c_size_t,
            ctypes.POINTER(Options),
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_host_core_open": (
        ctypes.c_int,
        [
            ctypes.c_char_p,
            ctypes.POINTER(Options),
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_host_target_close": (
        None,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_host_message_get": (
        ctypes.c_char_p,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_host_target_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.POINTER(TargetInfo),
        ],
    ),
    "ompd_host_address_space_create": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_host_callbacks_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.POINTER(Callbacks),
            ctypes.POINTER(Extra),
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_host_snapshot_save": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_host_memory_read": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_size_t,
            ctypes.c_void_p,
        ],
    ),
    "ompd_host_region_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.POINTER(Region),
        ],
    ),
    "ompd_host_module_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(Module),
        ],
    ),
    "ompd_host_symbol_find": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_host_module_symbol_find": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_uint64),
        ],
    ),
    "ompd_host_place_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_bool,
            ctypes.POINTER(Place),
        ],
    ),
    "ompd_host_thread_get": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(Thread),
        ],
    ),
}

# By their names in C: numbers, with what each name begins with there, and types.
ENUMS: Dict[str, Tuple[str, PythonType[enum.IntEnum]]] = {
    "ompd_host_rc_t": ("ompd_host_rc_", HostCode),
}
STRUCTURES: Dict[str, PythonType[ctypes.Structure]] = {
    "ompd_host_options_t": Options,
    "ompd_host_target_info_t": TargetInfo,
    "ompd_host_traced_thread_t": TracedThread,
    "ompd_host_module_t": Module,
    "ompd_host_line_t": Line,
    "ompd_host_place_t": Place,
    "ompd_host_thread_t": Thread,
}
