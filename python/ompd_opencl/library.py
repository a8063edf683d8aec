# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loaded libompd-opencl and libompd-opencl-view, and calls of their functions."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import structures as c
from . import view_structures as v
from .errors import OpenCLError
from .places import find_beside, find_library

_VIEW_LIBRARY = "libompd-opencl-view.so.0"

# The result and the parameters of a function.
Prototypes = Dict[str, Tuple[Any, List[Any]]]


class CallbackEscape(OpenCLError):
    """An exception left a callback in a place where it could not be caught.  C continued with an
    undefined result, so data read since must not be used."""


class Library:
    """The C functions, and exceptions stored by callbacks."""

    def __init__(self, candidates: List[str]) -> None:
        self.path = path = find_library(candidates)
        self._functions: Dict[str, Any] = {}
        self.load(path, c.PROTOTYPES)
        self._failure: Optional[BaseException] = None
        self._escapes: List[BaseException] = []
        self.version = self._get_version()
        if self.version[0] != c.VERSION_MAJOR:
            raise OpenCLError(
                "%s has version %d.%d, but this plugin or script needs version %d: install both "
                "from one release of ompd-opencl, or set OMPD_OPENCL_LIBRARY to the path of a "
                "library of that version."
                % (path, self.version[0], self.version[1], c.VERSION_MAJOR)
            )
        self.load(find_beside(_VIEW_LIBRARY, [path] + candidates), v.PROTOTYPES)

    def load(self, path: str, prototypes: Prototypes) -> None:
        """Load the functions of PROTOTYPES from the library at PATH."""
        try:
            functions = ctypes.CDLL(path)
        except OSError as error:
            raise OpenCLError(
                "Cannot load a library of ompd-opencl (%s): build or install ompd-opencl, or set "
                "OMPD_OPENCL_LIBRARY to its path." % error
            ) from None
        for name, (result, arguments) in prototypes.items():
            function = getattr(functions, name, None)
            if function is None:
                raise OpenCLError(
                    "%s has no function %s: it has another version than this plugin or script; "
                    "install both from one release of ompd-opencl." % (path, name)
                )
            function.argtypes = arguments
            function.restype = result
            self._functions[name] = function

    def _get_version(self) -> Tuple[int, int]:
        major, minor = ctypes.c_uint32(), ctypes.c_uint32()
        self.call("ompd_cl_version_get", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def remember(self, failure: BaseException) -> None:
        """Store FAILURE of a callback, to be raised again when the library returns."""
        if self._failure is None:
            self._failure = failure

    @property
    def has_failed(self) -> bool:
        """Whether a callback has failed since the library was called."""
        return self._failure is not None

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call a function that does not call callbacks."""
        return self._functions[name](*arguments)

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function of the library; returns its ompd_rc_t or ompd_view_exit_t.

        ctypes turns an exception that leaves a callback into an undefined result.  So callbacks
        catch all exceptions and `remember` them.  Python may raise KeyboardInterrupt at a
        function's entry, before any `try`, so SIGINT is blocked while the library runs, and
        callbacks poll for it (`is_interrupted`).  The hook reports exceptions that escape anyway.
        """
        outer = self._failure, self._escapes  # a callback may make calls, too
        self._failure, self._escapes = None, []
        try:
            with _InterruptsHeld(self._escaped):
                code: int = self._functions[name](*arguments)
            failure, escapes = self._failure, self._escapes
        finally:
            self._failure, self._escapes = outer
        if escapes:
            escape = escapes[0]
            if isinstance(escape, KeyboardInterrupt):
                raise CallbackEscape("Interrupted.") from escape
            raise CallbackEscape("A callback failed: %s." % (escape or type(escape).__name__))
        if failure is not None:
            raise failure
        return code

    def _escaped(self, unraisable: Any) -> None:
        self._escapes.append(unraisable.exc_value or RuntimeError("unknown exception"))


class _InterruptsHeld:
    """Block SIGINT in this thread; a pending one is handled before and after.  ESCAPED receives
    exceptions that leave a callback.  Both concern only the main thread, which handles signals."""

    def __init__(self, escaped: Callable[[Any], None]) -> None:
        self._escaped = escaped

    def __enter__(self) -> None:
        self._is_holding = threading.current_thread() is threading.main_thread()
        if self._is_holding:
            self._previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            self._previous_hook = sys.unraisablehook
            sys.unraisablehook = self._escaped

    def __exit__(self, *_exception: object) -> None:
        if self._is_holding:
            sys.unraisablehook = self._previous_hook
            signal.pthread_sigmask(signal.SIG_SETMASK, self._previous)


_askers: List[Callable[[], bool]] = []


def ask_for_interrupts(asker: Callable[[], bool]) -> None:
    """Set ASKER, which also reports Ctrl-C, for a debugger that receives SIGINT in its own
    thread."""
    _askers.append(asker)


def is_interrupted() -> bool:
    """Whether the user has pressed Ctrl-C since the library was called."""
    return signal.SIGINT in signal.sigpending() or any(asker() for asker in _askers)
