# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of <ompd-opencl-view.h> is used here: a test compares it with the header."""

from __future__ import annotations

import ctypes
import enum
from typing import Dict, Tuple
from typing import Type as PythonType

from .enumerations import Exit as Exit
from .enumerations import Style as Style
from .enumerations import Takes as Takes
from .structures import SPACE, Prototypes


class Verb(ctypes.Structure):
    """ompd_view_verb_t"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("summary", ctypes.c_char_p),
        ("operand", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("also", ctypes.c_void_p),
        ("takes", ctypes.c_uint32),
        ("own_options", ctypes.c_uint32),
        ("run", ctypes.c_void_p),
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


# A text that a service returns is an address: ctypes has no way to return a char *.
_TEXT = ctypes.c_void_p
_USER = ctypes.c_void_p

Write = ctypes.CFUNCTYPE(ctypes.c_bool, _USER, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
Begin = ctypes.CFUNCTYPE(
    ctypes.c_int,
    _USER,
    ctypes.POINTER(Verb),
    ctypes.c_bool,
    ctypes.POINTER(Use),
    ctypes.POINTER(_TEXT),
)
TakeOption = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.c_void_p, ctypes.c_char_p)
FindPlace = ctypes.CFUNCTYPE(
    ctypes.c_bool, _USER, ctypes.c_uint64, ctypes.c_bool, ctypes.POINTER(Place)
)
NameData = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.c_uint64)
NumberThread = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.c_uint64)
OtherThreads = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t)
Evaluate = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64))
Explain = ctypes.CFUNCTYPE(_TEXT, _USER, ctypes.c_int, ctypes.c_char_p)
DescribeTarget = ctypes.CFUNCTYPE(_TEXT, _USER)
Progress = ctypes.CFUNCTYPE(None, _USER, ctypes.c_char_p, ctypes.c_uint64)
IsInterrupted = ctypes.CFUNCTYPE(ctypes.c_bool, _USER)
Width = ctypes.CFUNCTYPE(ctypes.c_uint32, _USER)
Save = ctypes.CFUNCTYPE(
    ctypes.c_int,
    _USER,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ctypes.c_void_p),
)

Look = ctypes.CFUNCTYPE(
    ctypes.c_int,
    _USER,
    ctypes.c_char_p,
    ctypes.POINTER(Use),
    ctypes.POINTER(ctypes.c_void_p),
)

_WHY = ctypes.POINTER(ctypes.c_void_p)
FileBegin = ctypes.CFUNCTYPE(ctypes.c_int, _USER, ctypes.c_char_p, _WHY)
FileWrite = ctypes.CFUNCTYPE(ctypes.c_int, _USER, ctypes.c_void_p, ctypes.c_size_t, _WHY)
FileEnd = ctypes.CFUNCTYPE(ctypes.c_int, _USER, ctypes.c_bool, _WHY)
Draw = ctypes.CFUNCTYPE(ctypes.c_int, _USER, ctypes.c_char_p, _WHY, _WHY)
Bindings = ctypes.CFUNCTYPE(_TEXT, _USER)


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
        ("write", Write),
        ("begin", Begin),
        ("take_option", TakeOption),
        ("code_place", FindPlace),
        ("data_symbol", NameData),
        ("thread_number", NumberThread),
        ("other_threads", OtherThreads),
        ("evaluate", Evaluate),
        ("explain", Explain),
        ("describe_target", DescribeTarget),
        ("progress", Progress),
        ("is_interrupted", IsInterrupted),
        ("width", Width),
        ("save", Save),
        ("look", Look),
        ("file_begin", FileBegin),
        ("file_write", FileWrite),
        ("file_end", FileEnd),
        ("draw", Draw),
        ("bindings", Bindings),
    ]


_VIEW = ctypes.c_void_p  # ompd_view_t *

PROTOTYPES: Prototypes = {
    "ompd_view_create": (
        ctypes.c_int,
        [ctypes.POINTER(FrontEnd), ctypes.POINTER(_VIEW)],
    ),
    "ompd_view_destroy": (None, [_VIEW]),
    "ompd_view_line_run": (ctypes.c_int, [_VIEW, ctypes.c_char_p, ctypes.c_char_p]),
    "ompd_view_row_describe": (ctypes.c_int, [_VIEW, ctypes.c_int, ctypes.c_void_p]),
    "ompd_view_row_write": (ctypes.c_int, [_VIEW, ctypes.c_int, ctypes.c_void_p]),
    "ompd_view_message_get": (ctypes.c_char_p, [_VIEW]),
    "ompd_view_verb_get": (ctypes.POINTER(Verb), [_VIEW, ctypes.c_size_t]),
    "ompd_view_help_get": (ctypes.c_char_p, [_VIEW, ctypes.c_char_p]),
    "ompd_view_completion_get": (
        ctypes.c_char_p,
        [
            _VIEW,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.POINTER(ctypes.c_bool),
        ],
    ),
    "ompd_view_code_is_binding": (
        ctypes.c_bool,
        [_VIEW, ctypes.c_char_p, ctypes.c_char_p],
    ),
    "ompd_view_space_forget": (None, [_VIEW, SPACE, ctypes.c_bool]),
}

# See structures.py.
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
