# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python uses of <ompd-opencl-view.h>.

schema/generate.py has written it from there.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any, Dict, List, Tuple
from typing import Type as PythonType

from .enumerations import Exit as Exit
from .enumerations import Style as Style
from .enumerations import Takes as Takes


RunFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
)


class Verb(ctypes.Structure):
    """ompd_view_verb_t"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("summary", ctypes.c_char_p),
        ("operand", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("also", ctypes.POINTER(ctypes.c_char_p)),
        ("takes", ctypes.c_uint32),
        ("own_options", ctypes.c_uint32),
        ("run", RunFunction),
    ]


class Line(ctypes.Structure):
    """ompd_view_line_place_t"""

    _fields_ = [
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
    ]


class Place(ctypes.Structure):
    """ompd_view_place_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("symbol", ctypes.c_char_p),
        ("symbol_offset", ctypes.c_uint64),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("module", ctypes.c_char_p),
        ("has_module_offset", ctypes.c_bool),
        ("module_offset", ctypes.c_uint64),
        ("inlined_into", ctypes.POINTER(ctypes.c_char_p)),
        ("inlined_count", ctypes.c_size_t),
        ("inlined_at", ctypes.POINTER(Line)),
    ]


class Use(ctypes.Structure):
    """ompd_view_use_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("space", ctypes.c_void_p),
        ("pid", ctypes.c_int64),
        ("row_limit", ctypes.c_uint64),
        ("has_styles", ctypes.c_bool),
        ("is_seen", ctypes.c_bool),
        ("unsaved_reads", ctypes.POINTER(ctypes.c_uint64)),
        ("has_memory_limit", ctypes.c_bool),
        ("program", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("build_id", ctypes.c_char_p),
    ]


WriteFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_size_t,
)

BeginFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.POINTER(Verb),
    ctypes.c_bool,
    ctypes.POINTER(Use),
    ctypes.POINTER(ctypes.c_void_p),
)

TakeOptionFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_char_p,
)

CodePlaceFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_uint64,
    ctypes.c_bool,
    ctypes.POINTER(Place),
)

DataSymbolFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_uint64,
)

ThreadNumberFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_uint64,
)

OtherThreadsFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.c_size_t,
)

EvaluateFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_uint64),
)

ExplainFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_char_p,
)

DescribeTargetFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
)

ProgressFunction = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_uint64,
)

IsInterruptedFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
)

WidthFunction = ctypes.CFUNCTYPE(
    ctypes.c_uint32,
    ctypes.c_void_p,
)

SaveFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ctypes.c_void_p),
)

OpenSnapshotFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(Use),
    ctypes.POINTER(ctypes.c_void_p),
)

FileBeginFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_void_p),
)

FileWriteFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p),
)

FileEndFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_bool,
    ctypes.POINTER(ctypes.c_void_p),
)

DrawFunction = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
)

BindingsFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
)


class FrontEnd(ctypes.Structure):
    """ompd_view_front_end_t"""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("user_ptr", ctypes.c_void_p),
        ("verb_prefix", ctypes.c_char_p),
        ("option_prefix", ctypes.c_char_p),
        ("usage", ctypes.c_char_p),
        ("help_before", ctypes.c_char_p),
        ("help_after", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("introduction", ctypes.c_char_p),
        ("conclusion", ctypes.c_char_p),
        ("limit_setting", ctypes.c_char_p),
        ("memory_limit_setting", ctypes.c_char_p),
        ("holder", ctypes.c_char_p),
        ("json_is_array", ctypes.c_bool),
        ("takes_expressions", ctypes.c_bool),
        ("verbs", ctypes.POINTER(Verb)),
        ("verb_count", ctypes.c_size_t),
        ("options", ctypes.c_void_p),
        ("option_count", ctypes.c_size_t),
        ("write", WriteFunction),
        ("begin", BeginFunction),
        ("take_option", TakeOptionFunction),
        ("code_place", CodePlaceFunction),
        ("data_symbol", DataSymbolFunction),
        ("thread_number", ThreadNumberFunction),
        ("other_threads", OtherThreadsFunction),
        ("evaluate", EvaluateFunction),
        ("explain", ExplainFunction),
        ("describe_target", DescribeTargetFunction),
        ("progress", ProgressFunction),
        ("is_interrupted", IsInterruptedFunction),
        ("width", WidthFunction),
        ("save", SaveFunction),
        ("open_snapshot", OpenSnapshotFunction),
        ("file_begin", FileBeginFunction),
        ("file_write", FileWriteFunction),
        ("file_end", FileEndFunction),
        ("draw", DrawFunction),
        ("bindings", BindingsFunction),
    ]


# What a function returns, and what it is given.
PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "ompd_view_create": (
        ctypes.c_int,
        [
            ctypes.POINTER(FrontEnd),
            ctypes.POINTER(ctypes.c_void_p),
        ],
    ),
    "ompd_view_destroy": (
        None,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_view_line_run": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
        ],
    ),
    "ompd_view_row_write": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_void_p,
        ],
    ),
    "ompd_view_row_describe": (
        ctypes.c_int,
        [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_void_p,
        ],
    ),
    "ompd_view_message_get": (
        ctypes.c_char_p,
        [
            ctypes.c_void_p,
        ],
    ),
    "ompd_view_verb_get": (
        ctypes.POINTER(Verb),
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
        ],
    ),
    "ompd_view_help_get": (
        ctypes.c_char_p,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
        ],
    ),
    "ompd_view_completion_get": (
        ctypes.c_char_p,
        [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.POINTER(ctypes.c_bool),
        ],
    ),
    "ompd_view_space_forget": (
        None,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_bool,
        ],
    ),
}

# By their names in C: numbers, with what each name begins with there, and types.
ENUMS: Dict[str, Tuple[str, PythonType[enum.IntEnum]]] = {
    "ompd_view_exit_t": ("ompd_view_exit_", Exit),
    "ompd_view_style_t": ("ompd_view_style_", Style),
    "ompd_view_takes_t": ("ompd_view_takes_", Takes),
}
STRUCTURES: Dict[str, PythonType[ctypes.Structure]] = {
    "ompd_view_verb_t": Verb,
    "ompd_view_line_place_t": Line,
    "ompd_view_place_t": Place,
    "ompd_view_use_t": Use,
    "ompd_view_front_end_t": FrontEnd,
}
