# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session: the library's address space for one inferior, and what was asked of it."""

from __future__ import annotations

import ctypes
from typing import Any

from . import structures as c
from .callbacks import CallbackTable
from .errors import LibraryError
from .layouts import Layouts, State
from .library import CallbackEscape, Library
from .target import InferiorTarget


class Session:
    """The address space of one inferior.  All public functions raise OpenCLError."""

    def __init__(
        self,
        library: Library,
        table: CallbackTable,
        target: InferiorTarget,
        memory_limit: int,
        layouts: Layouts,
    ) -> None:
        self._library = library
        self._table = table
        self.target = target
        self._memory_limit = memory_limit  # bytes, 0 for none
        self._layouts = layouts
        self._given: State = ()  # the layouts that the library has
        self._is_stale = False
        self._space = ctypes.c_void_p()
        self._tool_context = table.add(target)
        try:
            self._create()
        except BaseException:
            self.release()
            raise

    def _create(self) -> None:
        self._table.extra.memory_limit = self._memory_limit
        code = self._library.call(
            "ompd_cl_address_space_create",
            ctypes.byref(self._table.callbacks),
            ctypes.byref(self._table.extra),
            self._tool_context,
            ctypes.byref(self._space),
        )
        if code != c.RC_OK:
            raise LibraryError(code, self._message(code))

    def release(self) -> None:
        """End the session.  It can't be used any more."""
        space, self._space = self._space, ctypes.c_void_p()
        if space:
            self._library.call("ompd_rel_address_space_handle", space)
        self.target.forget()
        self._table.remove(self._tool_context)

    @property
    def space(self) -> ctypes.c_void_p:
        """The library's handle."""
        return self._space

    @property
    def is_released(self) -> bool:
        """Whether the address space is gone."""
        return not self._space

    def mark_stale(self) -> None:
        """The target ran, or its memory or modules changed."""
        self._is_stale = True
        self.target.forget()

    def refresh(self) -> None:
        """Have the library look at the target anew, if anything happened since."""
        if self._is_stale:
            self._give_layouts()
            self.call("ompd_cl_refresh")
            self._is_stale = False

    @property
    def has_layouts(self) -> bool:
        """Whether there are layouts on this machine."""
        return bool(self._given)

    def _give_layouts(self) -> None:
        """Give the library the layouts of this machine, all of them when one has changed: of two
        for one build it takes the later."""
        files = self._layouts.state()
        if files == self._given:
            return
        for file in reversed(files):
            text = self._layouts.read(file)
            try:
                if text:
                    self.call("ompd_cl_layout_add", text, len(text))
            except LibraryError as error:
                if error.code not in (c.RC_BAD_INPUT, c.RC_INCOMPATIBLE):
                    raise
                self._layouts.refuse(file, str(error))
        self._given = files

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function on this address space; raises LibraryError unless rows may be used."""
        try:
            code = self._library.call(name, self._space, *arguments)
        except CallbackEscape:
            # What the library has read since may be nonsense.
            self.release()
            raise
        if code in (c.RC_OK, c.RC_INCOMPLETE):
            return code
        raise LibraryError(code, self._message(code))

    def _message(self, code: int) -> str:
        """The library's sentence for the call that failed."""
        message = ctypes.c_char_p()
        space = self._space or None
        self._library.call("ompd_cl_message_get", space, ctypes.byref(message))
        text = (message.value or b"").decode("utf-8", "surrogateescape")
        if code == c.RC_NOMEM and self._memory_limit:
            text = text.rstrip(".") + " (`set opencl memory-limit`)."
        return text[:1].upper() + text[1:] or "The library failed with code %d." % code

    def limit_memory(self, size: int) -> None:
        """Let the library hold at most SIZE bytes for this session, 0 for no limit."""
        self._memory_limit = size
        self.call("ompd_cl_memory_limit_set", size)
