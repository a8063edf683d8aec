# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sessions, one per inferior, created on demand and kept as long as the target is the same."""

from __future__ import annotations

import os
from typing import Dict, List, NamedTuple, Optional

import gdb

from ompd_opencl.address_space import TargetSpace, Watcher
from ompd_opencl.callbacks import CallbackTable
from ompd_opencl.errors import LibraryError, OpenCLError
from ompd_opencl.layouts import Layouts
from ompd_opencl.library import Library
from ompd_opencl.places import Places
from ompd_opencl.sources import AUTOMATIC
from ompd_opencl.structures import LogLevel, ReturnCode

from .linux_process import process_id
from .readers import AUTO, Readers, connection_of
from .symbols import Symbols
from .target import InferiorTarget
from .threads import Threads

_RECORDER = "libompd-opencl-recorder.so"

# The library returns these for a target without a source of objects, as far as it can see.
_NO_SOURCE = (ReturnCode.UNAVAILABLE, ReturnCode.CALLBACK_ERROR)


class View:
    """What a command uses: the address space of the selected inferior, and names for addresses and
    threads."""

    def __init__(self, space: TargetSpace, target: InferiorTarget, inferior: gdb.Inferior) -> None:
        self.space = space
        self.target = target
        self.inferior = inferior
        self.symbols = Symbols(target.memory_map, target.host_reader)
        self.threads = Threads(inferior)

    def mark_stale(self) -> None:
        """Note that the target ran or changed."""
        self.space.mark_stale()
        self.symbols.forget()
        self.threads.forget()


class Identity(NamedTuple):
    """The identity of a target, which can change while the inferior is the same."""

    pid: int
    progspace: int
    connection: Optional[int]


def identity(inferior: gdb.Inferior) -> Identity:
    """The current identity of an inferior."""
    return Identity(inferior.pid, id(inferior.progspace), connection_of(inferior).number)


class Sessions:
    """The library, loaded once, and a View for each inferior in use."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._layouts = Layouts(places.layouts, _warn)
        self._library: Optional[Library] = None
        self._table: Optional[CallbackTable] = None
        self._sources = AUTOMATIC
        self._memory_limit = 0
        self._log_level: int = LogLevel.NONE
        self._readers: Optional[Readers] = None
        self._reader = AUTO
        self._views: Dict[int, View] = {}
        self._watchers: List[Watcher] = []
        self._identities: Dict[int, Identity] = {}

    def library(self) -> Library:
        """The library; raises OpenCLError if it cannot be loaded."""
        if self._library is None:
            library = Library(self._places.libraries)
            self._table = CallbackTable(library, _log)
            self._readers = Readers(library)
            self._readers.choice = self._reader
            self._library = library
        return self._library

    @property
    def has_memory_limit(self) -> bool:
        """Whether the library has a memory limit."""
        return self._memory_limit != 0

    def watch(self, watcher: Watcher) -> None:
        """Call WATCHER for each address space that changes, or is about to be released."""
        self._watchers.append(watcher)

    def view(self, needs_objects: bool) -> View:
        """The current View of the selected inferior.  With NEEDS_OBJECTS, raise OpenCLError if the
        target has no source of objects."""
        library = self.library()
        inferior = gdb.selected_inferior()
        if inferior.pid == 0:
            raise OpenCLError(
                "No process: start the program with `run`, attach to one, or load a core."
            )
        if any(thread.is_running() for thread in inferior.threads()):
            _check_running(inferior)
            self.mark_stale()  # GDB sends no event when a condition resumes the program
        try:
            return self._current_view(inferior)
        except LibraryError as error:
            view = self._views.get(inferior.num)
            if error.code not in _NO_SOURCE or view is None:
                raise
            if not needs_objects:
                return view
            if not view.target.has_registry:
                sentence = _missing_recorder(library, view)
                if sentence:
                    raise OpenCLError(sentence) from None
            raise

    def _current_view(self, inferior: gdb.Inferior) -> View:
        now = identity(inferior)
        view = self._views.get(inferior.num)
        if view and (view.space.is_released or self._identities[inferior.num] != now):
            self.drop(inferior.num)
            view = None
        if view is None:
            assert self._library is not None and self._table is not None
            assert self._readers is not None
            target = InferiorTarget(inferior, self._readers)
            space = TargetSpace(
                self._library,
                self._table,
                target,
                self._layouts,
                self._memory_limit,
                "set opencl memory-limit",
                self._log_level,
            )
            space.choose_sources(self._sources)
            for watcher in self._watchers:
                space.watch(watcher)
            view = View(space, target, inferior)
            self._views[inferior.num] = view
            self._identities[inferior.num] = now
            space.mark_stale()
        view.space.refresh()
        return view

    def save(self, path: str) -> int:
        """Save a snapshot of the selected inferior to PATH, and return its size."""
        self.library()
        assert self._readers is not None
        target = self._readers.open_whole(gdb.selected_inferior())
        try:
            return target.save(os.path.expanduser(path))
        finally:
            target.close()

    def drop(self, number: int) -> None:
        """End the session of an inferior."""
        view = self._views.pop(number, None)
        self._identities.pop(number, None)
        if view is not None:
            view.space.release()

    def drop_all(self) -> None:
        """End all sessions."""
        for number in list(self._views):
            self.drop(number)

    def limit_memory(self, size: int) -> None:
        """Limit the library's memory to SIZE bytes per session; 0: no limit."""
        self._memory_limit = size
        for view in self._views.values():
            if not view.space.is_released:
                view.space.limit_memory(size)

    def set_log_level(self, level: int) -> None:
        """Have the library log events up to LEVEL, in each session."""
        self._log_level = level
        for view in self._views.values():
            if not view.space.is_released:
                view.space.set_log_level(level)

    def choose_sources(self, name: str) -> None:
        """Choose the sources of objects in each session: see AddressSpace."""
        self._sources = name
        for view in self._views.values():
            if not view.space.is_released:
                view.space.choose_sources(name)
                view.mark_stale()

    def choose_reader(self, name: str) -> None:
        """Choose the reader of memory: "gdb", "host", or "auto"."""
        self._reader = name
        if self._readers is not None:
            self._readers.choice = name
        self.mark_stale()

    def mark_stale(self) -> None:
        """Note that a target ran or changed, so that the next command reads it again."""
        for view in self._views.values():
            view.mark_stale()

    def follow_events(self) -> None:
        """Follow GDB's events."""
        gdb.events.stop.connect(lambda event: self.mark_stale())
        gdb.events.cont.connect(lambda event: self.mark_stale())
        gdb.events.memory_changed.connect(lambda event: self.mark_stale())
        gdb.events.new_objfile.connect(lambda event: self.mark_stale())
        gdb.events.clear_objfiles.connect(lambda event: self.mark_stale())
        gdb.events.exited.connect(lambda event: self.drop(event.inferior.num))
        gdb.events.inferior_deleted.connect(lambda event: self.drop(event.inferior.num))
        gdb.events.connection_removed.connect(lambda event: self.drop_all())


def running_threads(inferior: gdb.Inferior) -> int:
    """The number of running threads of INFERIOR, in non-stop mode."""
    if not gdb.parameter("non-stop"):
        return 0
    return sum(thread.is_running() for thread in inferior.threads())


def _check_running(inferior: gdb.Inferior) -> None:
    """Raise OpenCLError if the selected thread of INFERIOR is running."""
    if not gdb.parameter("non-stop"):
        if not _is_in_condition():
            raise OpenCLError("The program is running: stop it first with `interrupt`.")
        return
    selected = gdb.selected_thread()
    if selected is not None and not selected.is_running():
        return
    if all(thread.is_running() for thread in inferior.threads()):
        raise OpenCLError("The program is running: stop it first with `interrupt -a`.")
    raise OpenCLError(
        "The selected thread is running; select a stopped thread with `thread`, or stop all "
        "with `interrupt -a`."
    )


def _is_in_condition() -> bool:
    """Whether GDB is evaluating a breakpoint condition: all threads are stopped, although GDB
    reports them as running."""
    try:
        gdb.selected_frame()
    except gdb.error:
        return False
    return True


def _warn(sentence: str) -> None:
    gdb.write("warning: %s\n" % sentence, gdb.STDERR)


def _log(line: str) -> None:
    gdb.write(line, gdb.STDLOG)


def _missing_recorder(library: Library, view: View) -> str:
    """A sentence about a process without recorder and layout, if GDB knows more about it than the
    library; else ""."""
    pid = process_id(view.inferior)
    mapped = view.target.memory_map.find_file(_RECORDER)
    if mapped is not None:
        return (
            "The recorder is in process %d, but GDB has no symbols of %s; name the running program "
            "(gdb PROGRAM CORE, or `file`), then type `sharedlibrary`." % (pid, mapped)
        )
    if view.target.why_unknown:
        why = view.target.why_unknown
        return "Whether there is an OpenCL recorder is not known: %s." % why
    if view.space.has_layouts:
        return ""
    recorder = os.path.join(os.path.dirname(os.path.abspath(library.path)), _RECORDER)
    return (
        "No OpenCL recorder in process %d: start the program with OPENCL_LAYERS=%s in its "
        "environment; its first OpenCL call loads the recorder." % (pid, recorder)
    )
