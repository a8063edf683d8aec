# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libompd-opencl, loaded: its functions, and the one way to call them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import Any, List, Optional, Tuple

from . import structures as c
from .errors import OpenCLError

_SPACE = ctypes.c_void_p
_ID = c.Identifier
_ID_OUT = ctypes.POINTER(c.Identifier)
_FILTER = ctypes.POINTER(c.Filter)
_SIZE_OUT = ctypes.POINTER(ctypes.c_uint64)
_U64 = ctypes.c_uint64

_PROTOTYPES = {
    "ompd_cl_get_version": [ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32)],
    "ompd_cl_address_space_create": [
        ctypes.POINTER(c.Callbacks),
        ctypes.POINTER(c.Extra),
        ctypes.c_void_p,
        ctypes.POINTER(_SPACE),
    ],
    "ompd_rel_address_space_handle": [_SPACE],
    "ompd_cl_refresh": [_SPACE],
    "ompd_cl_message_get": [_SPACE, ctypes.POINTER(ctypes.c_char_p)],
    "ompd_cl_note_get": [_SPACE, ctypes.c_uint32, ctypes.POINTER(ctypes.c_char_p)],
    "ompd_cl_field_get": [
        ctypes.c_int,
        ctypes.c_uint32,
        ctypes.POINTER(ctypes.POINTER(c.FieldDescription)),
    ],
    "ompd_cl_kind_get": [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), _SIZE_OUT],
    "ompd_cl_overview_get": [_SPACE, ctypes.c_void_p],
    "ompd_cl_memory_get": [_SPACE, ctypes.c_void_p],
    "ompd_cl_memory_limit_set": [_SPACE, _U64],
    "ompd_cl_layout_add": [_SPACE, ctypes.c_char_p, _U64],
    "ompd_cl_list_close": [_SPACE, _ID],
    "ompd_cl_stack_get": [_SPACE, _U64, _U64, ctypes.POINTER(ctypes.c_uint64), _SIZE_OUT],
}

for _kind in ("context", "queue", "memobj", "destructor", "svm", "svm_free", "thread"):
    _PROTOTYPES["ompd_cl_%s_list_open" % _kind] = [_SPACE, _FILTER, _ID_OUT]
for _kind in ("memobj_destructor", "context_destructor", "svm_pointer", "wait", "activity"):
    _PROTOTYPES["ompd_cl_%s_list_open" % _kind] = [_SPACE, _ID, _ID_OUT]
for _kind in ("platform", "usage", "runtime"):
    _PROTOTYPES["ompd_cl_%s_list_open" % _kind] = [_SPACE, _ID_OUT]
for _kind in (
    "platform",
    "context",
    "queue",
    "memobj",
    "destructor",
    "svm",
    "svm_free",
    "svm_pointer",
    "wait",
    "thread",
    "activity",
    "usage",
    "runtime",
):
    _PROTOTYPES["ompd_cl_%s_list_next" % _kind] = [
        _SPACE,
        _ID,
        _U64,
        ctypes.c_void_p,
        _SIZE_OUT,
        _SIZE_OUT,
    ]
for _kind in ("context", "queue", "memobj", "svm"):
    _PROTOTYPES["ompd_cl_%s_find" % _kind] = [_SPACE, _U64, _ID_OUT]
for _kind in ("context", "queue", "memobj", "svm", "svm_free"):
    _PROTOTYPES["ompd_cl_%s_get" % _kind] = [_SPACE, _ID, ctypes.c_void_p]


class CallbackEscape(OpenCLError):
    """An exception left a callback where no code of ours could stop it: C went on with a result
    that was never computed, and what the library has read since may not be used."""


class Library:
    """The C functions, and the exceptions that callbacks must not let through to C."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._functions = ctypes.CDLL(path)
        except OSError as error:
            raise OpenCLError(
                "Cannot load libompd-opencl (%s): build or install ompd-opencl, or set "
                "OMPD_OPENCL_LIBRARY to its path." % error
            ) from None
        for name, arguments in _PROTOTYPES.items():
            function = getattr(self._functions, name, None)
            if function is None:
                raise OpenCLError(
                    "%s has no function %s: it is not the libompd-opencl of this plugin."
                    % (path, name)
                )
            function.argtypes = arguments
            function.restype = ctypes.c_int
        self._failure: Optional[BaseException] = None
        self._escapes: List[BaseException] = []
        self.version = self._get_version()
        if self.version[0] != c.VERSION_MAJOR:
            raise OpenCLError(
                "%s is of version %d.%d; this plugin is for version %d."
                % (path, self.version[0], self.version[1], c.VERSION_MAJOR)
            )

    def _get_version(self) -> Tuple[int, int]:
        major, minor = ctypes.c_uint32(), ctypes.c_uint32()
        self.call("ompd_cl_get_version", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def remember(self, failure: BaseException) -> None:
        """Called by a callback that failed: raise FAILURE again once the library has returned."""
        if self._failure is None:
            self._failure = failure

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function of the library; returns its ompd_rc_t.

        ctypes turns an exception that leaves a callback into a result that nobody computed.  So
        callbacks catch all and `remember`; and because Python may raise KeyboardInterrupt at a
        function's entry, before any `try`, SIGINT waits while the library runs: callbacks look for
        it (`is_interrupted`).  What escapes all the same is seen by the hook, and reported.
        """
        self._failure = None
        self._escapes.clear()
        function = getattr(self._functions, name)
        previous_hook = sys.unraisablehook
        with _InterruptsHeld():
            sys.unraisablehook = self._escaped
            try:
                code: int = function(*arguments)
            finally:
                sys.unraisablehook = previous_hook
        failure, self._failure = self._failure, None
        if self._escapes:
            escape = self._escapes[0]
            if isinstance(escape, KeyboardInterrupt):
                raise CallbackEscape("Interrupted.") from escape
            raise CallbackEscape("A callback failed: %s." % (escape or type(escape).__name__))
        if failure is not None:
            raise failure
        return code

    def _escaped(self, unraisable: Any) -> None:
        self._escapes.append(unraisable.exc_value or RuntimeError("unknown exception"))


class _InterruptsHeld:
    """Keep SIGINT from this thread; one that is pending is handled before and after."""

    def __enter__(self) -> None:
        self._is_holding = threading.current_thread() is threading.main_thread()
        if self._is_holding:
            self._previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def __exit__(self, *_exception: object) -> None:
        if self._is_holding:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._previous)


def is_interrupted() -> bool:
    """Tell whether the user has pressed Ctrl-C since the library was called."""
    return signal.SIGINT in signal.sigpending()


def find_library(candidates: List[str]) -> str:
    """The library to load: OMPD_OPENCL_LIBRARY, else the first candidate that exists."""
    override = os.environ.get("OMPD_OPENCL_LIBRARY")
    if override:
        return override
    for candidate in candidates:
        if os.path.exists(candidate):
            return candidate
    raise OpenCLError(
        "libompd-opencl.so.0 was not found (looked for %s): build or install ompd-opencl, or set "
        "OMPD_OPENCL_LIBRARY to its path." % ", ".join(candidates)
    )
