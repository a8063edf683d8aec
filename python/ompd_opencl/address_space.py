# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's address space for one target.  All functions raise OpenCLError."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Optional

from . import structures as c
from .callbacks import CallbackTable
from .errors import ClosedError, LibraryError, NoSuchObjectError, UnavailableError
from .layouts import Layouts, State
from .library import CallbackEscape, Library
from .protocols import Target
from .sources import sources_of


# Receives the library's handle after its data changed, and whether it will be released.
Watcher = Callable[[ctypes.c_void_p, bool], None]


class AddressSpace:
    """An address space.  Subclasses implement `_create` and `_released`."""

    def __init__(
        self,
        library: Library,
        memory_limit: int = 0,
        limit_setting: str = "",
        log_level: int = c.LogLevel.NONE,
    ) -> None:
        """MEMORY_LIMIT in bytes, 0: none.  LIMIT_SETTING is the setting that raises it.  LOG_LEVEL
        is the level of the diagnostic log."""
        self.library = library
        self._memory_limit = memory_limit
        self._limit_setting = limit_setting
        self._is_stale = False
        self._watchers: List[Watcher] = []
        self._abandoned: List[c.ListNumber] = []
        self.handle = ctypes.c_void_p()
        try:
            code = self._create(memory_limit)
            if code != c.ReturnCode.OK:
                raise self.error(code)
            if log_level != c.LogLevel.NONE:
                self.set_log_level(log_level)
        except BaseException:
            self.release()
            raise

    def _create(self, memory_limit: int) -> int:
        """Create `handle`; returns the library's ompd_rc_t."""
        raise NotImplementedError

    def _released(self) -> None:
        """Called after `handle` was released."""

    def _forget(self) -> None:
        """Drop caches, because the target ran."""

    def _prepare(self) -> None:
        """Called before the library reads the target again."""

    def choose_sources(self, name: str) -> None:
        """Choose the sources of objects: "auto", "all", "recorder" or "layouts"."""
        self.call("ompd_cl_sources_set", sources_of(name))

    def watch(self, watcher: Watcher) -> None:
        """Call WATCHER on changes."""
        self._watchers.append(watcher)

    def release(self) -> None:
        """Release it; it cannot be used afterwards."""
        handle, self.handle = self.handle, ctypes.c_void_p()
        if handle:
            for watcher in self._watchers:
                watcher(handle, True)
            self.library.call("ompd_rel_address_space_handle", handle)
        self._released()

    @property
    def is_released(self) -> bool:
        """Whether the address space was released."""
        return not self.handle

    def mark_stale(self) -> None:
        """Note that the target ran, or that its memory or modules changed."""
        self._is_stale = True
        self._forget()
        if self.handle:
            for watcher in self._watchers:
                watcher(self.handle, False)

    def refresh(self) -> None:
        """Refresh the library's snapshot, if the target changed."""
        if self._is_stale:
            self._prepare()
            self.call("ompd_cl_address_space_refresh")
            self._is_stale = False

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function on this address space; raises LibraryError unless its result may be
        used."""
        if self.is_released:
            raise ClosedError("This belongs to a session that has ended.")
        try:
            while self._abandoned:
                self.library.call("ompd_cl_list_close", self.handle, self._abandoned.pop())
            code = self.library.call(name, self.handle, *arguments)
        except (CallbackEscape, KeyboardInterrupt):
            # Whatever the library has read since may be wrong or incomplete.
            self.release()
            raise
        if code in (c.ReturnCode.OK, c.ReturnCode.INCOMPLETE):
            return code
        raise self.error(code, is_find=name.endswith("_find"))

    def abandon(self, number: c.ListNumber) -> None:
        """Close an unused list with the next call.  Python may collect it within a callback, which
        must not call the library."""
        self._abandoned.append(number)

    def error(self, code: int, is_find: bool = False) -> LibraryError:
        """The exception for a call that returned CODE."""
        message = ctypes.c_char_p()
        self.library.call("ompd_cl_message_get", self.handle or None, ctypes.byref(message))
        text = (message.value or b"").decode("utf-8", "surrogateescape")
        if code == c.ReturnCode.NOMEM and self._memory_limit and self._limit_setting:
            text = "%s (`%s`)." % (text.rstrip("."), self._limit_setting)
        text = text[:1].upper() + text[1:] or "The library returned error code %d." % code
        if code == c.ReturnCode.UNAVAILABLE:
            return (NoSuchObjectError if is_find else UnavailableError)(code, text)
        return LibraryError(code, text)

    def limit_memory(self, size: int) -> None:
        """Limit the library's memory for this target to SIZE bytes; 0: no limit."""
        self._memory_limit = size
        self.call("ompd_cl_memory_limit_set", size)

    def set_log_level(self, level: int) -> None:
        """Log events up to LEVEL, a LogLevel."""
        self.call("ompd_cl_log_level_set", level)

    def text_of(self, name: str, *arguments: Any) -> str:
        """The text in the last out parameter of a function."""
        text = ctypes.c_char_p()
        self.call(name, *arguments, ctypes.byref(text))
        return (text.value or b"").decode("utf-8", "surrogateescape")


class TargetSpace(AddressSpace):
    """An address space with a Target's callbacks and the layouts of this machine."""

    def __init__(
        self,
        library: Library,
        table: CallbackTable,
        target: Target,
        layouts: Layouts,
        memory_limit: int = 0,
        limit_setting: str = "",
        log_level: int = c.LogLevel.NONE,
    ) -> None:
        self._table = table
        self.target = target
        self._layouts = layouts
        self._given: Optional[State] = None  # the layouts passed to the library
        self._tool_context = table.add(target)
        super().__init__(library, memory_limit, limit_setting, log_level)

    def _create(self, memory_limit: int) -> int:
        self._table.extra.memory_limit = memory_limit
        return self.library.call(
            "ompd_cl_address_space_create",
            ctypes.byref(self._table.callbacks),
            ctypes.byref(self._table.extra),
            self._tool_context,
            ctypes.byref(self.handle),
        )

    def _released(self) -> None:
        self.target.forget()
        self._table.remove(self._tool_context)

    def _forget(self) -> None:
        self.target.forget()

    @property
    def has_layouts(self) -> bool:
        """Whether this machine has layouts."""
        return bool(self._given)

    def _prepare(self) -> None:
        """Add the layouts of this machine.  If one has changed, add all again: for one build the
        library uses the layout added last."""
        files = self._layouts.state()
        if files == self._given:
            return
        for file in reversed(files):
            text = self._layouts.read(file)
            try:
                if text:
                    self.call("ompd_cl_layout_add", text, len(text))
            except LibraryError as error:
                if error.code not in (c.ReturnCode.BAD_INPUT, c.ReturnCode.INCOMPATIBLE):
                    raise
                self._layouts.refuse(file, str(error))
        self._given = files
