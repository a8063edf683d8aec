# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB's call stacks: frames of OpenCL are folded into one line, and callbacks name their object.

To switch it off, use `disable frame-filter global ompd-opencl`, or `backtrace -no-filters`.
"""

from __future__ import annotations

import os
import re
from typing import Iterator, List, NamedTuple, Optional, Tuple, Union

import gdb
from gdb.FrameDecorator import FrameDecorator

from ompd_opencl.errors import OpenCLError

from .opencl_code import OpenCLCode, Owner
from .symbols import symbol_at
from .things import briefly, thing_of
from .values import Values, kind_of

NAME = "ompd-opencl"

# A runtime's names of OpenCL functions: clFinish, POclFinish.
_FUNCTION = r"^(?:PO)?(cl[A-Z]\w*)$"
# "call   0x555555556150 <clFinish@plt>"
_CALLED = r"<(cl[A-Z]\w*)(?:@[\w.]+)?>$"
_CALL_SIZES = (5, 6, 4)  # bytes of a call instruction, on any machine


class _Callback(NamedTuple):
    """A kind of OpenCL callback."""

    kind: str  # of the object in the first parameter
    others: Tuple[int, ...]  # type codes of the other parameters
    state: str  # of a thread that runs it
    words: str
    given_words: str = ""  # where the parameters alone identify it, if different


_POINTER = gdb.TYPE_CODE_PTR
_INTEGER = gdb.TYPE_CODE_INT
_DESTRUCTOR = "destructor callback of"
_CALLBACKS = (
    _Callback("memobj", (_POINTER,), "runs-destructor", _DESTRUCTOR),
    _Callback("context", (_POINTER,), "runs-destructor", _DESTRUCTOR),
    _Callback(
        "program",
        (_POINTER,),
        "runs-build-callback",
        "build callback of",
        "build or release callback of",
    ),
    _Callback("event", (_INTEGER, _POINTER), "runs-event-callback", "event callback of"),
    _Callback("queue", (_INTEGER, _POINTER, _POINTER), "runs-svm-free", "SVM-free callback in"),
)


class _Folded(FrameDecorator):
    """The outermost of a series of OpenCL frames, in place of all."""

    def __init__(self, frames: List[FrameDecorator], owners: List[Owner]) -> None:
        super().__init__(frames[-1])
        self._frames = frames
        self._owners = owners

    def function(self) -> Optional[str]:
        """Called by GDB."""
        name = _public_name(self._frames) or self._frames[-1].inferior_frame().name()
        levels = [frame.inferior_frame().level() for frame in self._frames]
        whose = " and ".join(sorted({owner.value for owner in self._owners}))
        if len(levels) == 1:
            return "%s [in %s]" % (name, whose) if name else None
        return "%s [#%d to #%d, in %s]" % (name or "OpenCL", levels[0], levels[-1], whose)

    def filename(self) -> Optional[str]:
        """Called by GDB."""
        name = gdb.current_progspace().solib_name(self._frames[-1].inferior_frame().pc())
        return os.path.basename(name) if name is not None else None

    def line(self) -> None:
        """Called by GDB."""
        return None

    def frame_args(self) -> None:
        """Called by GDB."""
        return None

    def frame_locals(self) -> None:
        """Called by GDB."""
        return None


class _CallbackFrame(FrameDecorator):
    """A callback of the program."""

    def __init__(self, frame: FrameDecorator, words: str) -> None:
        super().__init__(frame)
        self._words = words

    def function(self) -> Union[str, int, None]:
        """Called by GDB."""
        plain = super().function()
        return "%s [%s]" % (plain, self._words) if isinstance(plain, str) else plain


def _public_name(frames: List[FrameDecorator]) -> Optional[str]:
    """The OpenCL function that the program called to enter FRAMES; None: unknown."""
    outermost = frames[-1].inferior_frame()
    caller = outermost.older()
    # A loader may jump to the runtime without leaving a frame.
    called = _called_before(caller) if caller is not None else None
    if called is not None:
        return called
    for frame in reversed(frames):
        match = re.match(_FUNCTION, frame.inferior_frame().name() or "")
        if match is not None:
            return match.group(1)
    return None


def _called_before(caller: gdb.Frame) -> Optional[str]:
    """The OpenCL function called by the instruction before the return address."""
    for size in _CALL_SIZES:
        try:
            found = caller.architecture().disassemble(caller.pc() - size)[0]
        except (gdb.error, IndexError):
            continue
        match = re.search(_CALLED, found["asm"]) if found["length"] == size else None
        if match is not None:
            return match.group(1)
    return None


class Frames:
    """The frame filter: see "Frame Filter API" of GDB's manual."""

    def __init__(self, values: Values, code: OpenCLCode) -> None:
        self.name = NAME
        self.priority = 100
        self.enabled = True
        self._values = values
        self._code = code
        gdb.frame_filters[NAME] = self

    def filter(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        """Called by GDB with the frames of a thread from the inside out."""
        inside: List[FrameDecorator] = []
        owners: List[Owner] = []
        for decorated in frames:
            frame = decorated.inferior_frame()
            owner = self._code.owner(frame.pc())
            if owner is not None:
                inside.append(decorated)
                owners.append(owner)
                continue
            yield from _fold(inside, owners)
            inside, owners = [], []
            words = self._describe(frame)
            yield decorated if not words else _CallbackFrame(decorated, words)
        yield from _fold(inside, owners)

    def _describe(self, frame: gdb.Frame) -> str:
        """The object of the callback FRAME, in words, or ""."""
        try:
            caller = frame.older()
            owner = self._code.owner(caller.pc()) if caller is not None else None
            if owner is None or frame.type() == gdb.INLINE_FRAME:
                return ""
            found: Optional[Tuple[str, str, int]]
            if self._code.has_recorder():  # the recorder calls all callbacks
                found = self._recorded(frame) if owner == Owner.RECORDER else None
            else:
                found = _given(frame)
            return "%s %s" % (found[0], self._words(*found[1:])) if found is not None else ""
        except (OpenCLError, RuntimeError):  # gdb.error is a RuntimeError, as are others
            return ""

    def _recorded(self, frame: gdb.Frame) -> Optional[Tuple[str, str, int]]:
        """What the recorder knows of the callback FRAME: its noun, and the kind and handle of its
        object. It does not read any thread's stack."""
        thread = gdb.selected_thread()
        if thread is None or self._values.reads_slowly():
            return _given(frame)
        for activity in self._values.session().thread(thread.ptid[1]).activities:
            for callback in _CALLBACKS:
                function = activity.number("function")
                if function and activity.state == callback.state and _is_at(frame, function):
                    return callback.words, "", activity.number("handle") or 0
        return None

    def _words(self, kind: str, handle: int) -> str:
        """The object of a callback, in words; KIND is "" if it is unknown."""
        if not handle:
            return "an object that is optimized out"
        return briefly(thing_of(self._values, kind or None, handle))


def _is_at(frame: gdb.Frame, function: int) -> bool:
    """Whether FRAME is in the function that begins at FUNCTION."""
    if frame.function() is None:
        return symbol_at(function) == frame.name()
    block = _function_block(frame)
    return block is not None and block.start == function


def _function_block(frame: gdb.Frame) -> Optional[gdb.Block]:
    """The outermost block of FRAME's function, with its parameters."""
    block: Optional[gdb.Block] = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    return block


def _given(frame: gdb.Frame) -> Optional[Tuple[str, str, int]]:
    """The object of the callback FRAME from its parameters, by debug information, as _recorded
    returns it.  The handle is 0 if it cannot be read."""
    if frame.function() is None:
        return None
    parameters = [symbol for symbol in _function_block(frame) or () if symbol.is_argument]
    kind = kind_of(parameters[0].type) if parameters else None
    codes = tuple(parameter.type.strip_typedefs().code for parameter in parameters[1:])
    for callback in _CALLBACKS:
        if (callback.kind, callback.others) == (kind, codes):
            value = parameters[0].value(frame)
            handle = 0 if value.is_optimized_out else int(value) & (1 << 64) - 1
            return callback.given_words or callback.words, callback.kind, handle
    return None


def _fold(frames: List[FrameDecorator], owners: List[Owner]) -> Iterator[FrameDecorator]:
    if len(frames) == 1 and _public_name(frames) is None:
        yield frames[0]
    elif frames:
        yield _Folded(frames, owners)
