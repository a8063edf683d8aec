# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB as a front end of libompd-opencl-view: the services that commands need.

No service lets an exception through to C: each catches all, has the library object remember it, and
answers with nothing, with which the command ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
from contextlib import ExitStack
from typing import Any, Callable, List, Optional, TypeVar

import gdb

from . import style
from . import view_structures as v
from .errors import LibraryError, OpenCLError
from .expressions import evaluate_handle
from .library import Library, is_interrupted
from .plugin import Plugin
from .sessions import View

_ALL_ROWS = (1 << 64) - 1

_INTRODUCTION = b"""Show what OpenCL holds in the program: alone, an overview.

What is shown comes from layouts of the OpenCL runtimes, for any program, and from ompd-opencl's
recorder in the program, which knows more of it: run it with OPENCL_LAYERS naming
libompd-opencl-recorder.so.  Nothing here resumes the program or changes anything in it.

"""

_Result = TypeVar("_Result")


class FrontEnd:
    """What the commands of one GDB are made of: the view, and the services that it calls."""

    def __init__(self, plugin: Plugin, library: Library) -> None:
        self._plugin = plugin
        self._library = library
        self._kept: List[Any] = []  # what a service returned last
        self._is_interactive = False
        self._used: Optional[View] = None
        self._settings = ExitStack()  # of GDB, changed for one command
        self._table = v.FrontEnd(
            struct_size=ctypes.sizeof(v.FrontEnd),
            verb_prefix=b"opencl ",
            option_prefix=b"-",
            help_before=b"help opencl",
            introduction=_INTRODUCTION,
            limit_setting=b"set opencl limit",
            memory_limit_setting=b"set opencl memory-limit",
            holder=b"GDB",
            json_is_array=True,
            takes_expressions=True,
            write=v.Write(self._write),
            begin=v.Begin(self._begin),
            code_place=v.FindPlace(self._code_place),
            data_symbol=v.NameData(self._data_symbol),
            thread_number=v.NumberThread(self._thread_number),
            other_threads=v.OtherThreads(self._other_threads),
            evaluate=v.Evaluate(self._evaluate),
            is_interrupted=v.IsInterrupted(self._is_interrupted),
        )
        self.view = ctypes.c_void_p()
        library.call("ompd_view_create", ctypes.byref(self._table), ctypes.byref(self.view))
        plugin.sessions.watch(self._forget)

    def run(self, verb: str, arguments: str, is_interactive: bool) -> None:
        """Run a command; raises OpenCLError."""
        self._is_interactive = is_interactive
        with ExitStack() as self._settings:
            try:
                code = self._library.call(
                    "ompd_view_line_run", self.view, verb.encode(), os.fsencode(arguments)
                )
            finally:
                self._used = None
        message: bytes = self._library.ask("ompd_view_message_get", self.view) or b""
        if code == v.STOPPED:
            raise KeyboardInterrupt
        if message:
            raise OpenCLError(message.decode("utf-8", "surrogateescape"))

    def message(self) -> str:
        """Why the last command ended early."""
        message: bytes = self._library.ask("ompd_view_message_get", self.view) or b""
        return message.decode("utf-8", "surrogateescape")

    def _forget(self, space: ctypes.c_void_p, is_gone: bool) -> None:
        self._library.ask("ompd_view_space_forget", self.view, space, is_gone)

    def _answer(self, work: Callable[[], _Result], nothing: _Result) -> _Result:
        """What WORK returns; NOTHING when it fails."""
        try:
            return work()
        except BaseException as failure:
            self._library.remember(failure)
            return nothing

    def _keep(self, text: Optional[str]) -> Optional[int]:
        """The address of TEXT, which stays until the next one is kept."""
        if text is None:
            return None
        buffer = ctypes.create_string_buffer(os.fsencode(text))
        self._kept = [buffer]
        return ctypes.addressof(buffer)

    def _write(self, _user: int, kind: int, text: int, size: int) -> bool:
        def work() -> bool:
            if self._library.has_failed:
                return False
            written = ctypes.string_at(text, size).decode("utf-8", "replace")
            # GDB's pager waits for a key, which Ctrl-C may be.
            previous = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            try:
                gdb.write(style.paint(written, kind))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, previous)
            return True

        return self._answer(work, False)

    def _begin(
        self,
        _user: int,
        verb: "ctypes._Pointer[v.Verb]",
        is_json: bool,
        use: "ctypes._Pointer[v.Use]",
        why: "ctypes._Pointer[ctypes.c_void_p]",
    ) -> int:
        def work() -> int:
            needs_objects = not verb.contents.takes & v.TAKES_ANY_TARGET
            try:
                self._used = self._plugin.sessions.view(needs_objects)
            except LibraryError as error:
                why[0] = ctypes.c_void_p(self._keep(str(error)))
                return v.UNREADABLE
            except OpenCLError as error:
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                why[0] = ctypes.c_void_p(self._keep(str(error)))
                return v.UNREADABLE
            if is_json:  # is not for GDB's pager
                self._settings.enter_context(gdb.with_parameter("pagination", False))
            limit = self._plugin.parameters.limit
            use.contents.space = self._used.session.space.value
            use.contents.pid = self._used.inferior.pid
            use.contents.row_limit = _ALL_ROWS if limit is None else limit
            use.contents.has_styles = self._is_interactive and not is_json and style.is_wanted()
            use.contents.unsaved_reads = ctypes.pointer(self._used.session.target.unsaved_reads)
            use.contents.has_memory_limit = self._plugin.sessions.has_memory_limit
            return v.OK

        return self._answer(work, v.STOPPED)

    def _current(self) -> View:
        assert self._used is not None
        return self._used

    def _code_place(
        self, _user: int, address: int, is_caller: bool, place: "ctypes._Pointer[v.Place]"
    ) -> bool:
        def work() -> bool:
            symbols = self._current().symbols
            found = symbols.caller(address) if is_caller else symbols.function(address)
            inlined = (ctypes.c_char_p * len(found.inlined_into))(
                *(os.fsencode(name) for name in found.inlined_into)
            )
            made = v.Place(
                ctypes.sizeof(v.Place),
                _encoded(found.symbol),
                found.offset if found.file is None else 0,
                _encoded(found.file),
                found.line,
                _encoded(found.module),
                found.module_offset is not None,
                found.module_offset or 0,
                inlined,
                len(found.inlined_into),
            )
            self._kept = [made, inlined]
            place[0] = made
            return True

        return self._answer(work, False)

    def _data_symbol(self, _user: int, address: int) -> Optional[int]:
        return self._answer(lambda: self._keep(self._current().symbols.data(address) or None), None)

    def _thread_number(self, _user: int, lwp: int) -> Optional[int]:
        return self._answer(lambda: self._keep(self._current().threads.number(lwp) or None), None)

    def _other_threads(
        self, _user: int, lwps: "ctypes._Pointer[ctypes.c_uint64]", count: int
    ) -> Optional[int]:
        def work() -> Optional[int]:
            others = self._current().threads.others(lwps[:count])
            if not others:
                return None
            is_one = len(others) == 1 and "-" not in others[0]
            return self._keep("%s %s" % ("thread" if is_one else "threads", ", ".join(others)))

        return self._answer(work, None)

    def _evaluate(
        self, _user: int, expression: bytes, value: "ctypes._Pointer[ctypes.c_uint64]"
    ) -> Optional[int]:
        def work() -> Optional[int]:
            try:
                value[0] = evaluate_handle(os.fsdecode(expression))
            except OpenCLError as error:
                return self._keep(str(error))
            return None

        return self._answer(work, self._keep("Interrupted."))

    def _is_interrupted(self, _user: int) -> bool:
        return self._answer(lambda: self._library.has_failed or is_interrupted(), True)


def _encoded(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else os.fsencode(text)
