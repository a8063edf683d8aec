# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sessions: one address space per process or core, kept while it is the same."""

from __future__ import annotations

import ctypes
import sys
from typing import Dict, List, Optional

import lldb

from ompd_opencl.address_space import AddressSpace, TargetSpace, Watcher
from ompd_opencl.callbacks import CallbackTable
from ompd_opencl.errors import LibraryError, OpenCLError
from ompd_opencl.host_library import HostTarget
from ompd_opencl.layouts import Layouts
from ompd_opencl.library import Library
from ompd_opencl.open_target import HostSpace
from ompd_opencl.places import Places
from ompd_opencl.protocols import Use
from ompd_opencl.structures import ReturnCode

from .process import ProcessTarget
from .readers import Readers, core_path, is_core, program_path
from .search import Search
from .settings import AUTO, OFF, ON, Settings
from .symbols import Symbols
from .threads import Threads

# The library returns these for a target without a source of objects, as far as it can see.
_NO_SOURCE = (ReturnCode.UNAVAILABLE, ReturnCode.CALLBACK_ERROR)
_NO_PROCESS = (
    "No process: start the program with `process launch`, attach to one, or load a core with "
    "`target create --core`."
)
_NOT_KNOWN = (
    "Whether there is an OpenCL recorder or runtime is not known: LLDB lists only those "
    "modules of a core whose files it finds, and libompd-opencl-host cannot read this core."
)
_GONE = (
    lldb.eStateInvalid,
    lldb.eStateUnloaded,
    lldb.eStateConnected,
    lldb.eStateDetached,
    lldb.eStateExited,
)
_STOPPED = (lldb.eStateStopped, lldb.eStateCrashed, lldb.eStateSuspended)


def identity(process: lldb.SBProcess) -> int:
    """An identity that no other process of this LLDB had."""
    return int(process.GetUniqueID())


class View:
    """A process or core: its address space, and names for addresses and threads."""

    def __init__(self, process: lldb.SBProcess, space: AddressSpace, use: Use, stop: int) -> None:
        self.process = process
        self.space = space
        self.use = use
        self.stop = stop  # the stop that the space describes
        self.search: Optional[Search] = None  # too expensive to run unasked

    def why_none(self) -> str:
        """A better sentence than the library's about missing sources of objects; or ""."""
        return self.search.only_way() if self.search is not None else ""

    def is_outdated(self) -> bool:
        """Whether it must be replaced, because the core file was rewritten."""
        return False

    def has_ended(self) -> bool:
        """Whether its process has ended without LLDB's knowledge."""
        return False

    def mark_stale(self) -> None:
        """Note that the target ran or changed."""
        self.space.mark_stale()

    def release(self) -> None:
        """Release it."""
        self.space.release()

    def save(self, readers: Readers, path: str) -> int:
        """Save a snapshot to PATH, and return its size."""
        target = readers.open_whole(self.process)
        try:
            return target.save(path)
        finally:
            target.close()


class CoreView(View):
    """A core opened by the host library, with the library's callbacks."""

    def __init__(
        self, process: lldb.SBProcess, library: Library, host: HostTarget, settings: Settings
    ) -> None:
        self._host = host
        space = HostSpace(
            library, host, settings.memory_limit, "opencl set memory-limit", settings.log_level
        )
        info = host.info()
        use = Use(
            space.handle,
            Symbols(process, lambda: host),
            Threads(process),
            info.pid,
            host.unsaved_reads(),
            program=info.program,
            file=info.file,
        )
        super().__init__(process, space, use, process.GetStopID(True))

    def is_outdated(self) -> bool:
        """See View."""
        return self._host.is_outdated()

    def release(self) -> None:
        """See View."""
        super().release()
        self._host.close()


class ProcessView(View):
    """A process, or a core that LLDB reads."""

    def __init__(
        self,
        process: lldb.SBProcess,
        space: TargetSpace,
        target: ProcessTarget,
        core: Optional[str],
    ) -> None:
        self.target = target
        self._symbols = Symbols(process, target.host_reader)
        self._threads = Threads(process)
        use = Use(
            space.handle,
            self._symbols,
            self._threads,
            process.GetProcessID(),
            ctypes.pointer(target.unsaved_reads),
            program=program_path(process),
            file=core,
        )
        super().__init__(process, space, use, process.GetStopID(True))

    def has_ended(self) -> bool:
        """See View."""
        return self.target.has_ended()

    def why_none(self) -> str:
        """See View."""
        return _NOT_KNOWN if is_core(self.process) else super().why_none()

    def mark_stale(self) -> None:
        """See View."""
        super().mark_stale()
        self._symbols.forget()
        self._threads.forget()


class Sessions:
    """The library, loaded once, and a View for each process in use."""

    def __init__(self, places: Places, settings: Settings) -> None:
        self.library = Library(places.libraries)
        self.readers = Readers(self.library, settings)
        self._settings = settings
        self._layouts = Layouts(places.layouts, _warn)
        self._table = CallbackTable(self.library, _log)
        self._views: Dict[int, View] = {}
        self._watchers: List[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Call WATCHER for each address space that changes, or is about to be released."""
        self._watchers.append(watcher)

    def view(self, process: lldb.SBProcess, needs_objects: bool, is_new: bool = False) -> View:
        """The View of PROCESS, which must be stopped.  With NEEDS_OBJECTS, raise OpenCLError if the
        target has no source of objects.  IS_NEW: read it again, because LLDB does not report memory
        writes."""
        self._drop_dead()
        view = self._views.get(identity(process))
        if view is not None and view.has_ended():
            raise OpenCLError(_NO_PROCESS)
        _check_stopped(process)
        if view is not None and (view.space.is_released or view.is_outdated()):
            self.drop(process)
            view = None
        if view is None:
            view = self._views[identity(process)] = self._make(process)
            for watcher in self._watchers:
                view.space.watch(watcher)
            view.mark_stale()
        elif view.stop != process.GetStopID(True) or (is_new and isinstance(view, ProcessView)):
            view.stop = process.GetStopID(True)
            view.mark_stale()
        try:
            view.space.refresh()
        except LibraryError as error:
            if error.code not in _NO_SOURCE:
                raise
            if needs_objects:
                raise OpenCLError(view.why_none() or str(error)) from None
        return view

    def _make(self, process: lldb.SBProcess) -> View:
        view = self._core_view(process) or self._process_view(process)
        try:
            if view.search is not None or self._settings.get("search") == OFF:
                view.space.choose_sources("recorder")
            elif self._settings.get("search") == ON:
                view.space.choose_sources("all")
        except BaseException:
            view.release()
            raise
        return view

    def _core_view(self, process: lldb.SBProcess) -> Optional[View]:
        """The view of a core that the host library reads; None: not a core, or unreadable."""
        host = self.readers.open(process) if is_core(process) else None
        if host is None:
            return None
        try:
            return CoreView(process, self.library, host, self._settings)
        except BaseException:
            host.close()
            raise

    def _process_view(self, process: lldb.SBProcess) -> View:
        core = core_path(process, self._settings) if is_core(process) else None
        target = ProcessTarget(process, self.readers, core)
        space = TargetSpace(
            self.library,
            self._table,
            target,
            self._layouts,
            self._settings.memory_limit,
            "opencl set memory-limit",
            self._settings.log_level,
        )
        view = ProcessView(process, space, target, core)
        is_dear = not is_core(process) and target.host_reader() is None
        if is_dear and self._settings.get("search") == AUTO:
            view.search = Search(process, target.regions.data_size())
        return view

    def drop(self, process: lldb.SBProcess) -> None:
        """End the session of a process."""
        view = self._views.pop(identity(process), None)
        if view is not None:
            view.release()

    def drop_all(self) -> None:
        """End all sessions."""
        while self._views:
            self._views.popitem()[1].release()

    def _drop_dead(self) -> None:
        """End the sessions of processes that have ended."""
        for number, view in list(self._views.items()):
            if not view.process.IsValid() or view.process.GetState() in _GONE:
                del self._views[number]
                view.release()


def _check_stopped(process: lldb.SBProcess) -> None:
    state = process.GetState() if process.IsValid() else lldb.eStateInvalid
    if state not in _GONE + _STOPPED:
        raise OpenCLError("The program is running: stop it first with `process interrupt`.")
    if state in _GONE or _has_ended(process):
        raise OpenCLError(_NO_PROCESS)


def _has_ended(process: lldb.SBProcess) -> bool:
    """Whether a process that LLDB considers stopped has ended.  After `kill`, LLDB runs the next
    command before it learns of the end."""
    if is_core(process):
        return False
    error = lldb.SBError()
    process.ReadMemory(process.GetSelectedThread().GetFrameAtIndex(0).GetSP(), 1, error)
    return not error.Success()


def _log(line: str) -> None:
    print(line, file=sys.stderr, end="", flush=True)


def _warn(sentence: str) -> None:
    print("warning: %s" % sentence, file=sys.stderr, flush=True)
