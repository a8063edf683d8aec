# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions for scripts: the OpenCL objects of a target as rows."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Dict, List, Optional, Protocol, Tuple, Union

from . import structures as c
from .address_space import AddressSpace
from .errors import ClosedError, LibraryError, NoSuchObjectError, OpenCLError
from .expressions import ALL_BITS, number_of
from .fields import KindInfo, load_kind
from .filters import Names, make_filter
from .front_end import FrontEnd
from .library import Library
from .protocols import BINDINGS_VARIABLE, CodePlace, Shown, Use, Wording
from .rows import Row, Rows

_FRAMES = 128  # maximum of a call stack
_PIECE = 65536  # bytes of a text per read

# A cl handle or an SVM pointer, as a number, as JSON has it ("0x55d0c0ffee00"), as a row of the
# object, or as a debugger's value.
Handle = Union[int, str, "SupportsInt", Row]

# Kinds of objects with a handle.
_FINDABLE = (
    *(c.Kind.MEMOBJ, c.Kind.CONTEXT, c.Kind.QUEUE, c.Kind.EVENT, c.Kind.KERNEL, c.Kind.PROGRAM),
    *(c.Kind.SAMPLER, c.Kind.SVM, c.Kind.COMMAND_BUFFER, c.Kind.SEMAPHORE),
    *(c.Kind.EMBREE_DEVICE, c.Kind.EMBREE_SCENE, c.Kind.EMBREE_GEOMETRY, c.Kind.EMBREE_BUFFER),
)


class SupportsInt(Protocol):
    """Values that int() accepts."""

    def __int__(self) -> int:
        """Its value."""


class Opened(Protocol):
    """An open target."""

    library: Library

    def use(self, needs_objects: bool) -> Use:
        """What commands use.  With NEEDS_OBJECTS, a target without any source of objects may be an
        error. Raises OpenCLError."""

    def space(self) -> AddressSpace:
        """The current address space.  Raises OpenCLError; ClosedError if it no longer exists."""

    def save(self, path: str) -> int:
        """Save a snapshot to PATH; returns its size.  Raises OpenCLError."""

    def close(self) -> None:
        """Close it, if it belongs to the session."""


class Session:
    """A stopped process, or a core.  All functions raise OpenCLError, and KeyboardInterrupt after
    Ctrl-C, which also invalidates objects read before."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._kinds: Dict[int, KindInfo] = {}
        self._commands: List[_Commands] = []  # none or one
        self._end = weakref.finalize(self, _end, opened, self._commands)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session.  Rows keep their fields; reading the target raises ClosedError."""
        self._end()

    def choose_sources(self, name: str) -> None:
        """Choose where objects come from: "recorder", "layouts", "all", or "auto", which at first
        searches memory only where the recorder may have missed objects."""
        self._opened.space().choose_sources(name)

    # ---- Lists -----------------------------------------------------------------------------------

    def platforms(self) -> Rows:
        """The OpenCL platforms of contexts."""
        return Rows(self, c.Kind.PLATFORM, None, None)

    def contexts(self, *, state: Optional[Names] = None) -> Rows:
        """OpenCL contexts."""
        return self._list(c.Kind.CONTEXT, state=state)

    def queues(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Command queues."""
        return self._list(c.Kind.QUEUE, state=state, context=context)

    def memobjs(
        self,
        *,
        kind: Optional[Names] = None,
        state: Optional[Names] = None,
        context: Optional[Handle] = None,
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        """Buffers, sub-buffers, images and pipes.  KIND and STATE are one or more names ("buffer",
        "buffer,pipe", ["image2d"]) or common beginnings of names ("image").  CONTEXT is a row or cl
        handle of an OpenCL context.  MIN_SIZE is a number of bytes, or "1M"."""
        return self._list(c.Kind.MEMOBJ, kind, state, context, min_size)

    def destructors(self, *, state: Optional[Names] = None) -> Rows:
        """Destructor callbacks of all objects, object by object."""
        return self._list(c.Kind.DESTRUCTOR, state=state)

    def svm(
        self,
        *,
        kind: Optional[Names] = None,
        state: Optional[Names] = None,
        context: Optional[Handle] = None,
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        """Allocations of shared virtual memory."""
        return self._list(c.Kind.SVM, kind, state, context, min_size)

    def svm_frees(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """clEnqueueSVMFree commands."""
        return self._list(c.Kind.SVM_FREE, state=state, context=context)

    def devices(self) -> Rows:
        """The devices of OpenCL contexts; recorder only."""
        return Rows(self, c.Kind.DEVICE, None, None)

    def commands(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Unfinished and recent commands of queues; recorder only."""
        return self._list(c.Kind.COMMAND, state=state, context=context)

    def events(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Events and the progress of their commands."""
        return self._list(c.Kind.EVENT, state=state, context=context)

    def kernels(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Kernels."""
        return self._list(c.Kind.KERNEL, state=state, context=context)

    def programs(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Programs and their build results."""
        return self._list(c.Kind.PROGRAM, state=state, context=context)

    def samplers(self, *, state: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """Samplers."""
        return self._list(c.Kind.SAMPLER, state=state, context=context)

    def command_buffers(
        self, *, state: Optional[Names] = None, context: Optional[Handle] = None
    ) -> Rows:
        """Command buffers; recorder only."""
        return self._list(c.Kind.COMMAND_BUFFER, state=state, context=context)

    def semaphores(
        self, *, state: Optional[Names] = None, context: Optional[Handle] = None
    ) -> Rows:
        """Semaphores; recorder only."""
        return self._list(c.Kind.SEMAPHORE, state=state, context=context)

    def threads(self, *, state: Optional[Names] = None) -> Rows:
        """Threads that have used OpenCL; recorder only."""
        return self._list(c.Kind.THREAD, state=state)

    def usage(self) -> Rows:
        """The current and peak number of objects of each kind; recorder only."""
        return Rows(self, c.Kind.USAGE, None, None)

    def findings(self) -> Rows:
        """Findings: OpenCL misuse visible at this stop."""
        return Rows(self, c.Kind.FINDING, None, None)

    def hops(self) -> Rows:
        """What each thread and queue waits for: the wait steps of each chain, in order."""
        return Rows(self, c.Kind.WAIT_STEP, None, None)

    def destroyed(self, *, kind: Optional[Names] = None, context: Optional[Handle] = None) -> Rows:
        """The last destroyed objects of each kind; recorder only."""
        return self._list(c.Kind.DESTROYED, kind=kind, context=context)

    def errors(self) -> Rows:
        """Recent OpenCL calls that returned an error; recorder only."""
        return Rows(self, c.Kind.ERROR, None, None)

    def messages(self, *, context: Optional[Handle] = None) -> Rows:
        """Recent messages of runtimes to the pfn_notify of contexts; recorder only."""
        return self._list(c.Kind.MESSAGE, context=context)

    def ledger(self, *, kind: Optional[Names] = None) -> Rows:
        """The creations, retains and releases of objects, if OMPD_OPENCL_LEDGER is set for the
        recorder."""
        return self._list(c.Kind.LEDGER, kind=kind)

    def calls(self) -> Rows:
        """The last OpenCL calls of each thread, if OMPD_OPENCL_CALLS is set for the recorder."""
        return Rows(self, c.Kind.CALL, None, None)

    def callbacks(
        self,
        *,
        kind: Optional[Names] = None,
        state: Optional[Names] = None,
        context: Optional[Handle] = None,
    ) -> Rows:
        """Pending and running callbacks of events and builds; recorder only."""
        return self._list(c.Kind.CALLBACK, kind=kind, state=state, context=context)

    def holders(self, of: Row) -> Rows:
        """The reference sites of the object OF: variables, stacks and heap blocks with its
        handle."""
        return Rows(self, c.Kind.REFERENCE_SITE, of, None)

    def leaks(self) -> Rows:
        """Objects that the program has not released, and whether it still has their handles; and
        released objects that others keep alive."""
        return Rows(self, c.Kind.LEAK, None, None)

    def embree_devices(
        self, *, state: Optional[Names] = None, min_size: Union[int, str, None] = None
    ) -> Rows:
        """Embree devices, and the memory that each holds."""
        return self._embree_list(c.Kind.EMBREE_DEVICE, state, None, min_size)

    def embree_scenes(
        self,
        *,
        state: Optional[Names] = None,
        device: Optional[Handle] = None,
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        """Embree scenes.  DEVICE is a row or an RTCDevice."""
        return self._embree_list(c.Kind.EMBREE_SCENE, state, device, min_size)

    def embree_geometries(
        self, *, state: Optional[Names] = None, device: Optional[Handle] = None
    ) -> Rows:
        """Embree geometries."""
        return self._embree_list(c.Kind.EMBREE_GEOMETRY, state, device)

    def embree_buffers(
        self,
        *,
        state: Optional[Names] = None,
        device: Optional[Handle] = None,
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        """Embree buffers."""
        return self._embree_list(c.Kind.EMBREE_BUFFER, state, device, min_size)

    def runtimes(self) -> Rows:
        """The OpenCL runtimes in the target, with or without a layout."""
        return Rows(self, c.Kind.RUNTIME, None, None)

    # ---- One object ------------------------------------------------------------------------------

    def find(self, handle: Handle) -> Row:
        """The object that has a handle, of whatever kind; raises NoSuchObjectError."""
        number = _number(handle)
        is_incomplete = False
        for kind in _FINDABLE:
            try:
                return self._get(kind, number)
            except NoSuchObjectError as error:
                is_incomplete = is_incomplete or error.code == c.ReturnCode.INCOMPLETE
        if is_incomplete:
            raise NoSuchObjectError(
                c.ReturnCode.INCOMPLETE,
                "No object %#x was found, but it may be in memory that could not be read." % number,
            )
        self.overview()  # without a source of objects, nothing is known of any
        raise NoSuchObjectError(
            c.ReturnCode.UNAVAILABLE,
            "There is no object %#x; it was never created, or has been destroyed." % number,
        )

    def context(self, handle: Handle) -> Row:
        """The OpenCL context of a cl handle; raises NoSuchObjectError."""
        return self._get(c.Kind.CONTEXT, handle)

    def queue(self, handle: Handle) -> Row:
        """The command queue of a cl handle."""
        return self._get(c.Kind.QUEUE, handle)

    def memobj(self, handle: Handle) -> Row:
        """The memory object of a cl handle."""
        return self._get(c.Kind.MEMOBJ, handle)

    def svm_allocation(self, pointer: Handle) -> Row:
        """The SVM allocation that POINTER is the start of."""
        return self._get(c.Kind.SVM, pointer)

    def svm_free(self, handle: Handle) -> Row:
        """The clEnqueueSVMFree command of an event, or that frees a pointer."""
        number = _number(handle)
        for row in self.svm_frees():
            if row.event == number or any(part.pointer == number for part in row.pointers):
                return row
        raise NoSuchObjectError(
            c.ReturnCode.UNAVAILABLE,
            "No SVM-free command has the event %#x or frees that pointer." % number,
        )

    def event(self, handle: Handle) -> Row:
        """The event of a cl handle."""
        return self._get(c.Kind.EVENT, handle)

    def kernel(self, handle: Handle) -> Row:
        """The kernel of a cl handle."""
        return self._get(c.Kind.KERNEL, handle)

    def program(self, handle: Handle) -> Row:
        """The program of a cl handle."""
        return self._get(c.Kind.PROGRAM, handle)

    def sampler(self, handle: Handle) -> Row:
        """The sampler of a cl handle."""
        return self._get(c.Kind.SAMPLER, handle)

    def command_buffer(self, handle: Handle) -> Row:
        """The command buffer of a cl handle."""
        return self._get(c.Kind.COMMAND_BUFFER, handle)

    def semaphore(self, handle: Handle) -> Row:
        """The semaphore of a cl handle."""
        return self._get(c.Kind.SEMAPHORE, handle)

    def embree_device(self, handle: Handle) -> Row:
        """The Embree device of an RTCDevice."""
        return self._get(c.Kind.EMBREE_DEVICE, handle)

    def embree_scene(self, handle: Handle) -> Row:
        """The Embree scene of an RTCScene."""
        return self._get(c.Kind.EMBREE_SCENE, handle)

    def embree_geometry(self, handle: Handle) -> Row:
        """The Embree geometry of an RTCGeometry."""
        return self._get(c.Kind.EMBREE_GEOMETRY, handle)

    def embree_buffer(self, handle: Handle) -> Row:
        """The Embree buffer of an RTCBuffer."""
        return self._get(c.Kind.EMBREE_BUFFER, handle)

    def thread(self, lwp: int) -> Row:
        """The thread LWP, if it has entered OpenCL."""
        return self._get(c.Kind.THREAD, lwp)

    # ---- Other data
    # -------------------------------------------------------------------------------

    def overview(self) -> Row:
        """The counts: `overview().memory_objects`."""
        return self._whole(c.Kind.OVERVIEW, "ompd_cl_overview_get")

    def memory(self) -> Row:
        """The library's own memory use for this session."""
        return self._whole(c.Kind.LIBRARY_MEMORY, "ompd_cl_library_memory_get")

    def run(self, verb: str, arguments: str = "") -> str:
        """The output of a command: run("memobjs", "-group made-at")."""
        return self._written().run(verb, arguments)

    # ---- For rows --------------------------------------------------------------------------------

    def kind(self, number: int) -> KindInfo:
        """The description of a kind of row."""
        found = self._kinds.get(number)
        if found is None:
            found = self._kinds[number] = load_kind(self._opened.library, number)
        return found

    def space(self) -> AddressSpace:
        """The library's address space, up to date."""
        return self._alive().space()

    def place(self, address: int, is_caller: bool) -> Optional[CodePlace]:
        """Describe the code at ADDRESS; IS_CALLER: it is a return address."""
        symbols = self._alive().use(False).symbols
        return symbols.caller(address) if is_caller else symbols.function(address)

    def frames(self, stack: int) -> Tuple[int, ...]:
        """The return addresses of a recorded call stack, innermost first; empty if it is
        unavailable."""
        frames, count = (ctypes.c_uint64 * _FRAMES)(), ctypes.c_uint64()
        space = self.space()
        try:
            space.call("ompd_cl_stack_get", stack, _FRAMES, frames, ctypes.byref(count))
        except LibraryError:
            return ()
        return tuple(frames[: min(count.value, _FRAMES)])

    def text(self, key: int) -> Optional[bytes]:
        """A whole text, by the key of its field; None if it can no longer be read."""
        piece, count = ctypes.create_string_buffer(_PIECE), ctypes.c_uint64(_PIECE)
        whole = bytearray()
        space = self.space()
        try:
            while count.value == _PIECE:
                space.call("ompd_cl_text_read", key, len(whole), _PIECE, piece, ctypes.byref(count))
                whole += piece.raw[: count.value]
        except LibraryError:
            return None
        return bytes(whole)

    def row_json(self, kind: KindInfo, data: bytes) -> str:
        """The JSON of a row."""
        if kind.number == c.Kind.OVERVIEW:
            return self.run("overview", "-json").rstrip("\n")
        return self._written().row(kind.number, data).rstrip("\n")

    def row_words(self, kind: KindInfo, data: bytes) -> str:
        """A description of a row."""
        return self._written().words(kind.number, data)

    def _list(
        self,
        number: int,
        kind: Optional[Names] = None,
        state: Optional[Names] = None,
        context: Optional[Handle] = None,
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        # Refuse an unknown context, as the commands do.
        handle = 0 if context is None else self.context(context)["handle"]
        info = self.kind(number)
        return Rows(self, number, None, make_filter(info, kind, state, handle, min_size))

    def _embree_list(
        self,
        number: int,
        state: Optional[Names],
        device: Optional[Handle],
        min_size: Union[int, str, None] = None,
    ) -> Rows:
        handle = 0 if device is None else self.embree_device(device)["handle"]
        info = self.kind(number)
        return Rows(self, number, None, make_filter(info, None, state, handle, min_size))

    def _get(self, number: int, handle: Handle) -> Row:
        kind, space = self.kind(number), self.space()
        name = "%s %s" % (
            kind.name,
            _number(handle) if number == c.Kind.THREAD else hex(_number(handle)),
        )
        found = ctypes.c_uint64()
        try:
            space.call("ompd_cl_object_find", number, _number(handle), ctypes.byref(found))
        except NoSuchObjectError as error:
            text = str(error)
            raise NoSuchObjectError(error.code, "%s: %s%s" % (name, text[:1].lower(), text[1:]))
        if found.value == 0:
            raise NoSuchObjectError(
                c.ReturnCode.INCOMPLETE,
                "%s: it was not found, but may be in memory that could not be read." % name,
            )
        return self._filled(kind, space, "ompd_cl_object_get", number, found)

    def _whole(self, number: int, function: str) -> Row:
        return self._filled(self.kind(number), self.space(), function)

    def _filled(
        self, kind: KindInfo, space: AddressSpace, function: str, *arguments: object
    ) -> Row:
        """The row that FUNCTION fills."""
        buffer = ctypes.create_string_buffer(kind.size)
        ctypes.c_uint64.from_buffer(buffer).value = kind.size
        space.call(function, *arguments, buffer)
        return Row(self, space, kind, buffer.raw)

    def _written(self) -> "_Commands":
        opened = self._alive()
        if not self._commands:
            self._commands.append(_Commands(opened))
        return self._commands[0]

    def _alive(self) -> Opened:
        if not self._end.alive:
            raise ClosedError("The session is closed.")
        return self._opened


def _end(opened: Opened, commands: List["_Commands"]) -> None:
    """Close a session that is closed or no longer referenced."""
    for command in commands:
        command.front_end.close()
    opened.close()


class _Commands:
    """The commands, with their output collected."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._text: List[str] = []
        self._watched: Optional[AddressSpace] = None
        self.front_end = FrontEnd(opened.library, self, Wording(holder="Python"))

    def run(self, verb: str, arguments: str) -> str:
        """The output of a command."""
        self._text = []
        self.front_end.run(verb, arguments)
        return "".join(self._text)

    def row(self, kind: int, data: bytes) -> str:
        """The output for a row."""
        self._text = []
        self.front_end.write_row(kind, data)
        return "".join(self._text)

    def words(self, kind: int, data: bytes) -> str:
        """A description of a row."""
        self._text = []
        self.front_end.describe_row(kind, data)
        return "".join(self._text)

    def begin(self, needs_objects: bool, _is_json: bool) -> Use:
        """See protocols.Debugger."""
        use = self._opened.use(needs_objects)
        space = self._opened.space()
        if space is not self._watched:
            space.watch(self.front_end.forget)
            self._watched = space
        return use

    def begin_snapshots(self, _is_json: bool) -> Shown:
        """See protocols.Debugger."""
        return Shown()

    def begin_here(self) -> Use:
        """See protocols.Debugger."""
        return self.begin(True, False)

    def write(self, text: str, _style: int) -> None:
        """See protocols.Output."""
        self._text.append(text)

    def bindings(self) -> str:
        """See protocols.Debugger."""
        return os.environ.get(BINDINGS_VARIABLE, "")

    def width(self) -> int:
        """See protocols.Output."""
        return 0

    def evaluate(self, text: str) -> int:
        """See protocols.Expressions: never asked."""
        return int(text, 0)

    def save(self, path: str) -> int:
        """See protocols.Debugger."""
        return self._opened.save(path)


def _number(handle: Handle) -> int:
    """The number of a handle; raises OpenCLError."""
    if isinstance(handle, Row):
        for name in ("handle", "pointer", "event"):
            if name in handle.keys():
                return int(handle[name] or 0)
    try:
        number = number_of(handle) if isinstance(handle, str) else int(handle) & ALL_BITS
    except (TypeError, ValueError):
        number = None
    if number is None:
        raise OpenCLError("%r is not a handle; use a number such as 0x55d0c0ffee00." % (handle,))
    return number
