# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session: the library's address space for one inferior, and what was asked of it."""

from __future__ import annotations

import ctypes
from itertools import islice
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Type

from . import fields
from . import structures as c
from .callbacks import CallbackTable
from .errors import LibraryError
from .fields import Kind, Row
from .layouts import Layouts, State
from .library import CallbackEscape, Library
from .printable import printable
from .sizes import count_of
from .target import InferiorTarget

# Kinds whose lists take no filter.
_UNFILTERED = (fields.PLATFORM, fields.USAGE, fields.RUNTIME)

_BATCH = 256
_SMALL_BATCH = 16
_STACK_FRAMES = 128


class RowFilter(NamedTuple):
    """Conditions of a list; 0 sets none."""

    context: int = 0
    kinds: int = 0
    states: int = 0
    min_size: int = 0


class RowList:
    """A walk over a list: an iterator of rows.  To be used in a `with` statement, or to its end."""

    def __init__(
        self,
        session: "Session",
        kind: Kind,
        open_list: Callable[[c.Identifier], None],
        capacity: int = _BATCH,
    ) -> None:
        self._session = session
        self._kind = kind
        self._open = open_list
        self._number = c.Identifier()
        self._capacity = capacity
        self._buffer = ctypes.create_string_buffer(kind.size * capacity)
        self._count = 0  # rows in the buffer
        self._position = 0  # of them, those given already
        self._is_at_end = False
        self._is_open = False
        self.total = 0  # rows so far
        self.unreadable = 0  # rows so far that could not be read
        self.is_unknown = False  # at the end: none was given, but there may be some
        # At the end of a list of all objects: what the library says of what it leaves open, and
        # whether part of it is missing.
        self.gaps: List[str] = []
        self.is_short = False
        self._unsaved_reads = session.target.unsaved_reads

    def __enter__(self) -> "RowList":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], *_exception: object) -> None:
        try:
            self.close()
        except LibraryError:
            if kind is None:  # else the user hears of what went wrong first
                raise

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        if self._position == self._count and not self._fetch():
            raise StopIteration
        row = self._kind.decode(self._buffer, self._position * self._kind.size)
        self._position += 1
        return row

    def _end(self, code: int) -> None:
        if self._capacity == _BATCH:
            self.gaps = self._session.gaps()
        self.is_short = bool(self.gaps) and code == c.RC_INCOMPLETE
        self.is_unknown = code == c.RC_INCOMPLETE and not self.total and not self.unreadable
        self.close()

    def describe_missing(self) -> str:
        """Why rows are missing, if any are."""
        unreadable = [self.describe_unreadable()] if self.unreadable else []
        return " ".join(unreadable + (self.gaps if self.is_short else []))

    def describe_unreadable(self) -> str:
        """The sentence for the rows that could not be read."""
        rows = count_of(self.unreadable, "more row")
        if self._session.target.unsaved_reads > self._unsaved_reads:
            return "%s could not be read: not saved in the core." % rows
        return "%s could not be read." % rows

    def take(self, count: int) -> List[Row]:
        """The next COUNT rows, or as many as there are."""
        return list(islice(self, count))

    def count_rest(self) -> int:
        """How many rows there are more; goes to the list's end."""
        rest = self._count - self._position
        while self._fetch():
            rest += self._count
        return rest

    def close(self) -> None:
        """Give the list back."""
        self._is_at_end = True
        # Forgotten first: a Ctrl-C that is seen after the call must not have it closed again.
        number, self._number = self._number, c.Identifier()
        if number.id:
            self._session.close_list(number)

    def _fetch(self) -> bool:
        """Have the library write the next rows; tells whether there are any."""
        self._count = self._position = 0
        if self._is_at_end:
            return False
        if not self._is_open:
            self._is_open = True
            self._open(self._number)
        ctypes.c_uint64.from_buffer(self._buffer).value = self._kind.size
        count = ctypes.c_uint64()
        unreadable = ctypes.c_uint64()
        code = self._session.call(
            "ompd_cl_%s_list_next" % self._kind.name,
            self._number,
            self._capacity,
            ctypes.addressof(self._buffer),
            ctypes.byref(count),
            ctypes.byref(unreadable),
        )
        self.unreadable = unreadable.value
        self._count = count.value
        self.total += self._count
        if self._count == 0:
            self._end(code)
        return self._count > 0


class Session:
    """The address space of one inferior.  All public functions raise OpenCLError."""

    def __init__(
        self,
        library: Library,
        table: CallbackTable,
        kinds: Dict[int, Kind],
        target: InferiorTarget,
        memory_limit: int,
        layouts: Layouts,
    ) -> None:
        self._library = library
        self._table = table
        self.kinds = kinds
        self.target = target
        self._memory_limit = memory_limit  # bytes, 0 for none
        self._layouts = layouts
        self._given: State = ()  # the layouts that the library has
        self._is_stale = False
        self._space = ctypes.c_void_p()
        self._stacks: Dict[int, List[int]] = {}
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
    def is_released(self) -> bool:
        """Whether the address space is gone."""
        return not self._space

    def mark_stale(self) -> None:
        """The target ran, or its memory or modules changed."""
        self._is_stale = True
        self._stacks.clear()
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

    def gaps(self) -> List[str]:
        """What the last answer leaves open, in the library's sentences."""
        sentences: List[str] = []
        note = ctypes.c_char_p()
        while True:
            code = self._library.call(
                "ompd_cl_note_get", self._space, len(sentences), ctypes.byref(note)
            )
            if code != c.RC_OK or not note.value:
                return sentences
            text = printable(note.value.decode("utf-8", "surrogateescape"))
            sentences.append(text[:1].upper() + text[1:])

    def overview(self) -> Row:
        """What is in the target."""
        return self._row(fields.OVERVIEW, "ompd_cl_overview_get")

    def memory(self) -> Row:
        """What the library itself holds for this session."""
        return self._row(fields.MEMORY, "ompd_cl_memory_get")

    def limit_memory(self, size: int) -> None:
        """Let the library hold at most SIZE bytes for this session, 0 for no limit."""
        self._memory_limit = size
        self.call("ompd_cl_memory_limit_set", size)

    def get(self, kind: int, number: int) -> Row:
        """One object by its id."""
        name = "ompd_cl_%s_get" % self.kinds[kind].name
        return self._row(kind, name, c.Identifier(number))

    def _row(self, kind_number: int, name: str, *arguments: Any) -> Row:
        kind = self.kinds[kind_number]
        buffer = ctypes.create_string_buffer(kind.size)
        ctypes.c_uint64.from_buffer(buffer).value = kind.size
        self.call(name, *arguments, ctypes.addressof(buffer))
        return kind.decode(buffer, 0)

    def find(self, kind: int, handle: int) -> Optional[int]:
        """The id of the object of a cl handle; None when neither source knows such an object.
        Raises LibraryError where it may be there all the same."""
        number = c.Identifier()
        name = "ompd_cl_%s_find" % self.kinds[kind].name
        try:
            code = self.call(name, handle, ctypes.byref(number))
        except LibraryError as error:
            if error.code == c.RC_UNAVAILABLE:
                return None
            raise
        identifier: int = number.id
        if not identifier:
            raise LibraryError(code, self._message(code))
        return identifier

    def rows(self, kind: int, row_filter: RowFilter = RowFilter()) -> RowList:
        """All objects of a kind that meet the filter."""
        name = "ompd_cl_%s_list_open" % self.kinds[kind].name
        conditions = c.Filter(ctypes.sizeof(c.Filter), *row_filter)

        def open_list(number: c.Identifier) -> None:
            if kind in _UNFILTERED:
                self.call(name, ctypes.byref(number))
            else:
                self.call(name, ctypes.byref(conditions), ctypes.byref(number))

        return RowList(self, self.kinds[kind], open_list)

    def parts(self, kind: int, owner: Row) -> RowList:
        """What belongs to one object: its destructor callbacks in call order, an SVM-free command's
        pointers or the events it waits for, the calls and callbacks that a thread is in."""
        part = self.kinds[kind].name
        if kind == fields.DESTRUCTOR:
            part = "%s_%s" % (owner.kind.name, part)
        name = "ompd_cl_%s_list_open" % part

        def open_list(number: c.Identifier) -> None:
            self.call(name, c.Identifier(owner.id), ctypes.byref(number))

        return RowList(self, self.kinds[kind], open_list, _SMALL_BATCH)

    def close_list(self, number: c.Identifier) -> None:
        """Give a list back."""
        if not self.is_released:
            self.call("ompd_cl_list_close", number)

    def stack(self, key: int) -> List[int]:
        """The return addresses of a call stack, innermost first."""
        frames = self._stacks.get(key)
        if frames is None:
            frames = self._stacks[key] = self._read_stack(key)
        return frames

    def _read_stack(self, key: int) -> List[int]:
        buffer = (ctypes.c_uint64 * _STACK_FRAMES)()
        count = ctypes.c_uint64()
        try:
            self.call("ompd_cl_stack_get", key, _STACK_FRAMES, buffer, ctypes.byref(count))
        except LibraryError as error:
            if error.code in (c.RC_BAD_INPUT, c.RC_UNAVAILABLE):
                return []
            raise
        return list(buffer[: min(count.value, _STACK_FRAMES)])
