# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libompd-opencl and libompd-opencl-view, loaded: their functions, and the one way to call them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import Any, Dict, List, Optional, Tuple

from . import structures as c
from . import view_structures as v
from .errors import OpenCLError

_VIEW_LIBRARY = "libompd-opencl-view.so.0"

_SPACE = ctypes.c_void_p
_VIEW = ctypes.c_void_p
_TEXT = ctypes.c_char_p

# What a function returns, and what it is given.
_Prototypes = Dict[str, Tuple[Any, List[Any]]]

_PROTOTYPES: _Prototypes = {
    "ompd_cl_get_version": (
        ctypes.c_int,
        [ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32)],
    ),
    "ompd_cl_address_space_create": (
        ctypes.c_int,
        [
            ctypes.POINTER(c.Callbacks),
            ctypes.POINTER(c.Extra),
            ctypes.c_void_p,
            ctypes.POINTER(_SPACE),
        ],
    ),
    "ompd_rel_address_space_handle": (ctypes.c_int, [_SPACE]),
    "ompd_cl_refresh": (ctypes.c_int, [_SPACE]),
    "ompd_cl_message_get": (ctypes.c_int, [_SPACE, ctypes.POINTER(_TEXT)]),
    "ompd_cl_memory_limit_set": (ctypes.c_int, [_SPACE, ctypes.c_uint64]),
    "ompd_cl_layout_add": (ctypes.c_int, [_SPACE, _TEXT, ctypes.c_uint64]),
}

_VIEW_PROTOTYPES: _Prototypes = {
    "ompd_view_create": (
        ctypes.c_int,
        [ctypes.POINTER(v.FrontEnd), ctypes.POINTER(_VIEW)],
    ),
    "ompd_view_line_run": (ctypes.c_int, [_VIEW, _TEXT, _TEXT]),
    "ompd_view_message_get": (_TEXT, [_VIEW]),
    "ompd_view_verb_get": (ctypes.POINTER(v.Verb), [_VIEW, ctypes.c_size_t]),
    "ompd_view_help_get": (_TEXT, [_VIEW, _TEXT]),
    "ompd_view_completion_get": (
        _TEXT,
        [_VIEW, _TEXT, _TEXT, ctypes.c_size_t, ctypes.POINTER(ctypes.c_bool)],
    ),
    "ompd_view_space_forget": (None, [_VIEW, _SPACE, ctypes.c_bool]),
}


class CallbackEscape(OpenCLError):
    """An exception left a callback where no code of ours could stop it: C went on with a result
    that was never computed, and what the library has read since may not be used."""


class Library:
    """The C functions, and the exceptions that callbacks must not let through to C."""

    def __init__(self, candidates: List[str]) -> None:
        self.path = path = find_library(candidates)
        self._functions: Dict[str, Any] = {}
        self._load(path, _PROTOTYPES)
        self._failure: Optional[BaseException] = None
        self._escapes: List[BaseException] = []
        self.version = self._get_version()
        if self.version[0] != c.VERSION_MAJOR:
            raise OpenCLError(
                "%s is of version %d.%d; this plugin is for version %d."
                % (path, self.version[0], self.version[1], c.VERSION_MAJOR)
            )
        self._load(_view_library([path] + candidates), _VIEW_PROTOTYPES)

    def _load(self, path: str, prototypes: _Prototypes) -> None:
        try:
            functions = ctypes.CDLL(path)
        except OSError as error:
            raise OpenCLError(
                "Cannot load libompd-opencl (%s): build or install ompd-opencl, or set "
                "OMPD_OPENCL_LIBRARY to its path." % error
            ) from None
        for name, (result, arguments) in prototypes.items():
            function = getattr(functions, name, None)
            if function is None:
                raise OpenCLError(
                    "%s has no function %s: it is not the libompd-opencl of this plugin."
                    % (path, name)
                )
            function.argtypes = arguments
            function.restype = result
            self._functions[name] = function

    def _get_version(self) -> Tuple[int, int]:
        major, minor = ctypes.c_uint32(), ctypes.c_uint32()
        self.call("ompd_cl_get_version", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def remember(self, failure: BaseException) -> None:
        """Called by a callback that failed: raise FAILURE again once the library has returned."""
        if self._failure is None:
            self._failure = failure

    @property
    def has_failed(self) -> bool:
        """Whether a callback has failed since the library was called."""
        return self._failure is not None

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call a function that calls no callback."""
        return self._functions[name](*arguments)

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function of the library; returns its ompd_rc_t or ompd_view_exit_t.

        ctypes turns an exception that leaves a callback into a result that nobody computed.  So
        callbacks catch all and `remember`; and because Python may raise KeyboardInterrupt at a
        function's entry, before any `try`, SIGINT waits while the library runs: callbacks look for
        it (`is_interrupted`).  What escapes all the same is seen by the hook, and reported.
        """
        self._failure = None
        self._escapes.clear()
        function = self._functions[name]
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


def _view_library(paths: List[str]) -> str:
    """The library of commands that lies beside one of PATHS."""
    for path in paths:
        beside = os.path.join(os.path.dirname(os.path.abspath(path)), _VIEW_LIBRARY)
        if os.path.exists(beside):
            return beside
    return _VIEW_LIBRARY


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
