# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A debugger as a front end of libompd-opencl-view.

No exception reaches C: each service catches all exceptions, stores them in the library object, and
returns a null result, which ends the command.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Tuple, TypeVar, Union

from . import view_structures as v
from .errors import CommandError, OpenCLError
from .host_library import HostLibrary
from .library import Library, is_interrupted
from .open_target import OpenTarget
from .protocols import Debugger, Shown, Use, Wording

if TYPE_CHECKING:
    from .new_file import NewFile

_ALL_ROWS = (1 << 64) - 1

_Result = TypeVar("_Result")


class FrontEnd:
    """The view of a debugger, and the services that it calls."""

    def __init__(self, library: Library, debugger: Debugger, wording: Wording) -> None:
        self._library = library
        self._debugger = debugger
        self._kept: List[Any] = []  # the last result of a service, kept alive
        self._used: Optional[Use] = None
        self._shown = Shown()
        self._opened: Optional[OpenTarget] = None  # the snapshot that a command reads
        self._file: Optional[NewFile] = None  # the file that a command writes
        self._names: Tuple[Optional[bytes], ...] = ()  # the names in the view
        self._wording = wording  # owns the texts that the view points to
        self._table = v.FrontEnd(
            struct_size=ctypes.sizeof(v.FrontEnd),
            verb_prefix=_encoded(wording.verb_prefix),
            option_prefix=_encoded(wording.option_prefix),
            help_before=_encoded(wording.help_before),
            introduction=_encoded(wording.introduction),
            limit_setting=_encoded(wording.limit_setting),
            memory_limit_setting=_encoded(wording.memory_limit_setting),
            holder=_encoded(wording.holder),
            json_is_array=wording.json_is_array,
            takes_expressions=wording.takes_expressions,
            write=v.WriteFunction(self._write),
            begin=v.BeginFunction(self._begin),
            code_place=v.CodePlaceFunction(self._code_place),
            data_symbol=v.DataSymbolFunction(self._data_symbol),
            thread_number=v.ThreadNumberFunction(self._thread_number),
            other_threads=v.OtherThreadsFunction(self._other_threads),
            evaluate=v.EvaluateFunction(self._evaluate),
            is_interrupted=v.IsInterruptedFunction(self._is_interrupted),
            width=v.WidthFunction(self._width),
            save=v.SaveFunction(self._save),
            open_snapshot=v.OpenSnapshotFunction(self._open_snapshot),
            file_begin=v.FileBeginFunction(self._file_begin),
            file_write=v.FileWriteFunction(self._file_write),
            file_end=v.FileEndFunction(self._file_end),
            draw=v.DrawFunction(self._draw),
            bindings=v.BindingsFunction(self._bindings),
        )
        self._view = ctypes.c_void_p()
        code = library.call("ompd_view_create", ctypes.byref(self._table), ctypes.byref(self._view))
        if code != 0:
            raise OpenCLError("Cannot use libompd-opencl-view (error code %d)." % code)

    def close(self) -> None:
        """Destroy the view; it cannot be used afterwards."""
        view, self._view = self._view, ctypes.c_void_p()
        self._library.ask("ompd_view_destroy", view)

    def run(self, verb: str, arguments: str) -> int:
        """Run a command; returns its Exit, which tells whether the answer is complete.  Raises
        CommandError or KeyboardInterrupt."""
        words = (verb.encode(), os.fsencode(arguments))
        return self._end(lambda: self._library.call("ompd_view_line_run", self._view, *words))

    def write_row(self, kind: int, row: bytes) -> None:
        """Write ROW, an info struct, as a line of JSON."""
        self._end(lambda: self._library.call("ompd_view_row_write", self._view, kind, row))

    def describe_row(self, kind: int, row: bytes) -> None:
        """Write a description of ROW, an info struct, without a newline."""
        self._end(lambda: self._library.call("ompd_view_row_describe", self._view, kind, row))

    def _end(self, work: Callable[[], int]) -> int:
        try:
            code = work()
        finally:
            self._used = None
            self._close_snapshot()
        if code == v.Exit.STOPPED:
            raise KeyboardInterrupt
        message = self.message()
        if message:
            raise CommandError(message)
        return code

    def message(self) -> str:
        """The failure of the last command."""
        message: bytes = self._library.ask("ompd_view_message_get", self._view) or b""
        return message.decode()

    def takes_files(self, name: str) -> bool:
        """Whether the operands of the command NAME are file names."""
        return any(
            verb.name == name.encode() and verb.takes & v.Takes.FILES for verb in self._verbs()
        )

    def verbs(self) -> Iterator[str]:
        """The names of all commands."""
        return (verb.name.decode() for verb in self._verbs())

    def sub_verbs(self, name: str) -> List[Tuple[str, str]]:
        """The words that may follow the command NAME, and the command that each is: "devices" after
        "embree" is embree-devices."""
        verbs = list(self.verbs())
        words = [word for word in self.completions(name, "")[0] if not word.startswith("-")]
        joined = ["%s-%s" % (name, word) for word in words]
        return [(word, both if both in verbs else word) for word, both in zip(words, joined)]

    def summary(self, name: str) -> str:
        """The help line of the command NAME; "": no such command."""
        found = (verb.summary for verb in self._verbs() if verb.name == name.encode())
        return " ".join((next(found, None) or b"").decode().split())

    def _verbs(self) -> Iterator[v.Verb]:
        index = 0
        while True:
            verb = self._library.ask("ompd_view_verb_get", self._view, index)
            if not verb:
                return
            yield verb.contents
            index += 1

    def help(self, verb: Optional[str] = None) -> str:
        """The help of a command, or of all commands."""
        text: bytes = self._library.ask("ompd_view_help_get", self._view, _encoded(verb)) or b""
        return text.decode().rstrip("\n")

    def completions(self, verb: str, text: str) -> Tuple[List[str], bool]:
        """Completions of the last word of TEXT after VERB, and whether it may be an expression."""
        is_expression = ctypes.c_bool()
        found: List[str] = []
        while True:
            candidate = self._library.ask(
                "ompd_view_completion_get",
                self._view,
                verb.encode(),
                text.encode(),
                len(found),
                ctypes.byref(is_expression),
            )
            if candidate is None:
                return found, is_expression.value
            found.append(candidate.decode())

    def forget(self, space: ctypes.c_void_p, is_gone: bool) -> None:
        """Forget cached names, because the target of SPACE changed, or SPACE is about to be
        released."""
        if self._view:
            self._library.ask("ompd_view_space_forget", self._view, space, is_gone)

    def _answer(self, work: Callable[[], _Result], nothing: _Result) -> _Result:
        """The result of WORK; NOTHING if it fails."""
        try:
            return work()
        except BaseException as failure:
            self._library.remember(failure)
            return nothing

    def _keep(self, text: Optional[str]) -> Optional[int]:
        """The address of a copy of TEXT, valid until the next one."""
        if text is None:
            return None
        buffer = ctypes.create_string_buffer(os.fsencode(text))
        self._kept = [buffer]
        return ctypes.addressof(buffer)

    def _write(self, _user: int, style: int, text: int, size: int) -> bool:
        def work() -> bool:
            if self._library.has_failed:
                return False
            self._debugger.write(ctypes.string_at(text, size).decode("utf-8", "replace"), style)
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
            if verb.contents.takes & v.Takes.SNAPSHOTS:
                self._shown = self._debugger.begin_snapshots(is_json)
                use.contents.row_limit = _limit(self._shown)
                return v.Exit.OK
            needs_objects = not verb.contents.takes & v.Takes.ANY_TARGET

            def begin() -> Use:
                if not verb.contents.takes & v.Takes.FILES:
                    return self._debugger.begin(needs_objects, is_json)
                # Names from the command also apply to what files contain.
                self._debugger.begin_snapshots(is_json)
                return self._debugger.begin_here()

            return self._fill(use, why, begin)

        return self._answer(work, int(v.Exit.STOPPED))

    def _fill(
        self,
        use: "ctypes._Pointer[v.Use]",
        why: "ctypes._Pointer[ctypes.c_void_p]",
        begin: Callable[[], Use],
    ) -> int:
        """Fill in the result of BEGIN, or why it failed."""
        try:
            used = self._used = begin()
        except OpenCLError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise
            why[0] = ctypes.c_void_p(self._keep(str(error)))
            return v.Exit.UNREADABLE
        use.contents.space = used.space.value
        use.contents.pid = used.pid
        use.contents.row_limit = _limit(used)
        use.contents.has_styles = used.has_styles
        if used.unsaved_reads is not None:
            use.contents.unsaved_reads = used.unsaved_reads
        use.contents.has_memory_limit = used.has_memory_limit
        self._names = tuple(map(_encoded, (used.program, used.file, used.build_id)))
        use.contents.program, use.contents.file, use.contents.build_id = self._names
        return v.Exit.OK

    def _current(self) -> Use:
        assert self._used is not None
        return self._used

    def _code_place(
        self, _user: int, address: int, is_caller: bool, place: "ctypes._Pointer[v.Place]"
    ) -> bool:
        def work() -> bool:
            symbols = self._current().symbols
            found = symbols.caller(address) if is_caller else symbols.function(address)
            if found is None:
                return False
            inlined = (ctypes.c_char_p * len(found.inlined_into))(
                *(os.fsencode(name) for name in found.inlined_into)
            )
            lines = (v.Line * len(found.inlined_at))(
                *(v.Line(_encoded(file), line) for file, line in found.inlined_at)
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
                lines if found.inlined_at else None,
            )
            self._kept = [made, inlined, lines]
            place[0] = made
            return True

        return self._answer(work, False)

    def _data_symbol(self, _user: int, address: int) -> Optional[int]:
        return self._answer(lambda: self._keep(self._current().symbols.data(address) or None), None)

    def _thread_number(self, _user: int, lwp: int) -> Optional[int]:
        def work() -> Optional[int]:
            threads = self._current().threads
            return self._keep(threads.number(lwp) or None) if threads is not None else None

        return self._answer(work, None)

    def _other_threads(
        self, _user: int, lwps: "ctypes._Pointer[ctypes.c_uint64]", count: int
    ) -> Optional[int]:
        def work() -> Optional[int]:
            threads = self._current().threads
            others = threads.others(lwps[:count]) if threads is not None else []
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
                value[0] = self._debugger.evaluate(os.fsdecode(expression))
            except OpenCLError as error:
                return self._keep(str(error))
            return None

        return self._answer(work, self._keep("Interrupted."))

    def _bindings(self, _user: int) -> Optional[int]:
        return self._answer(lambda: self._keep(self._debugger.bindings()), None)

    def _width(self, _user: int) -> int:
        return self._answer(self._debugger.width, 0)

    def _try(self, why: "ctypes._Pointer[ctypes.c_void_p]", work: Callable[[], None]) -> int:
        """Do WORK; returns its Exit, and sets WHY on failure."""

        def attempt() -> int:
            try:
                work()
            except OpenCLError as error:
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                why[0] = ctypes.c_void_p(self._keep(str(error)))
                return v.Exit.UNREADABLE
            return v.Exit.OK

        return self._answer(attempt, int(v.Exit.STOPPED))

    def _save(
        self,
        _user: int,
        path: bytes,
        size: "ctypes._Pointer[ctypes.c_uint64]",
        why: "ctypes._Pointer[ctypes.c_void_p]",
    ) -> int:
        def work() -> None:
            size[0] = self._debugger.save(os.fsdecode(path))

        return self._try(why, work)

    def _file_begin(self, _user: int, path: bytes, why: "ctypes._Pointer[ctypes.c_void_p]") -> int:
        def work() -> None:
            from .new_file import NewFile

            self._file = NewFile(os.path.expanduser(os.fsdecode(path)))

        return self._try(why, work)

    def _file_write(
        self, _user: int, text: int, size: int, why: "ctypes._Pointer[ctypes.c_void_p]"
    ) -> int:
        def work() -> None:
            assert self._file is not None
            self._file.write(ctypes.string_at(text, size))

        return self._try(why, work)

    def _file_end(self, _user: int, is_whole: bool, why: "ctypes._Pointer[ctypes.c_void_p]") -> int:
        def work() -> None:
            file, self._file = self._file, None
            assert file is not None
            file.end(is_whole)

        return self._try(why, work)

    def _draw(
        self,
        _user: int,
        graph: bytes,
        picture: "ctypes._Pointer[ctypes.c_void_p]",
        why: "ctypes._Pointer[ctypes.c_void_p]",
    ) -> int:
        def work() -> None:
            from .drawing import draw

            kept = ctypes.create_string_buffer(draw(graph))
            self._kept = [kept]
            picture[0] = ctypes.c_void_p(ctypes.addressof(kept))

        return self._try(why, work)

    def _open_snapshot(
        self,
        _user: int,
        path: Optional[bytes],
        use: "ctypes._Pointer[v.Use]",
        why: "ctypes._Pointer[ctypes.c_void_p]",
    ) -> int:
        def open_target() -> Use:
            if path is None:
                return self._debugger.begin_here()
            host = HostLibrary(self._library)
            file = os.path.expanduser(os.fsdecode(path))
            self._opened = OpenTarget(self._library, host.open_core(file))
            return self._opened.use(True)._replace(**self._shown._asdict())

        def work() -> int:
            self._close_snapshot()
            return self._fill(use, why, open_target)

        return self._answer(work, int(v.Exit.STOPPED))

    def _close_snapshot(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _is_interrupted(self, _user: int) -> bool:
        return self._answer(lambda: self._library.has_failed or is_interrupted(), True)


def _limit(shown: Union[Shown, Use]) -> int:
    return _ALL_ROWS if shown.row_limit is None else shown.row_limit


def _encoded(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else os.fsencode(text)
