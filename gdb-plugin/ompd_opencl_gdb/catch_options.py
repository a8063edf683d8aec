# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conditions of a catchpoint: the words of `opencl catch`, and how they match events."""

from __future__ import annotations

import shlex
from typing import Dict, List, NamedTuple, Optional, Tuple

from ompd_opencl.errors import OpenCLError
from ompd_opencl.sizes import parse_size

from .expressions import evaluate_handle

EVENTS: Dict[str, str] = {
    "create": "a call has created an object",
    "release": "a call has released a reference or freed SVM",
    "error": "a call has failed",
    "mistake": "a call breaks a rule of OpenCL",
    "destructor": "a destructor callback begins",
    "svm-free": "the callback of clEnqueueSVMFree begins",
}
OPTIONS = ("-kind", "-min-size", "-object", "-temporary")
_MEMOBJS = (
    "buffer",
    "sub-buffer",
    "image1d",
    "image1d_array",
    "image1d_buffer",
    "image2d",
    "image2d_array",
    "image3d",
    "pipe",
)
_OTHERS = ("context", "event", "kernel", "memobj", "program", "queue", "sampler", "svm")
KINDS = tuple(sorted((*_MEMOBJS, *_OTHERS, "image")))
_SIZED = ("memobj", "svm")


class Thing(NamedTuple):
    """The object of an event."""

    kind: str = ""  # for example "memobj"; "" if unknown
    memobj_kind: str = ""  # for example "buffer"; "" if unknown
    handles: Tuple[int, ...] = ()  # empty: unknown
    size: Optional[int] = None  # bytes
    words: str = ""


class Wanted(NamedTuple):
    """The conditions of a catchpoint."""

    event: str
    min_size: int = 0
    handle: Optional[int] = None
    kinds: Tuple[str, ...] = ()
    is_temporary: bool = False

    def title(self) -> str:
        """See catchpoints.Wanted."""
        return "opencl " + self.event

    def report(self, thing: Thing) -> str:
        """See catchpoints.Wanted."""
        return thing.words

    def words(self) -> str:
        """The command that creates it, as `info breakpoints` shows it."""
        words = ["opencl", "catch", self.event]
        words += ["-min-size %d" % self.min_size] if self.min_size else []
        words += ["-object %#x" % self.handle] if self.handle is not None else []
        words += ["-kind %s" % ",".join(self.kinds)] if self.kinds else []
        return " ".join(words)

    def matches(self, thing: Thing) -> bool:
        """Whether to stop for THING.  An unknown property never prevents a stop."""
        if self.handle is not None and thing.handles and self.handle not in thing.handles:
            return False
        if self.min_size and not self._is_large(thing):
            return False
        return not self.kinds or not thing.kind or any(_is_of(thing, kind) for kind in self.kinds)

    def _is_large(self, thing: Thing) -> bool:
        if thing.size is None:
            return thing.kind in _SIZED
        return thing.size >= self.min_size


def _is_of(thing: Thing, kind: str) -> bool:
    if kind in _OTHERS or thing.kind != "memobj":
        return thing.kind == kind
    return not thing.memobj_kind or _begins(thing.memobj_kind, kind)


def _begins(name: str, kind: str) -> bool:
    """Whether NAME matches KIND: equal to it, or, for "image", any kind of image."""
    return name == kind if kind in _MEMOBJS else name.startswith(kind)


def split(command: str, line: str) -> List[str]:
    """The words of LINE, the arguments of COMMAND; raises OpenCLError."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise OpenCLError("%s: %s." % (command, error)) from None


def parse(command: str, line: str) -> Wanted:
    """Parse LINE, the arguments of COMMAND ("opencl catch"); raises OpenCLError."""
    words = split(command, line)
    wanted: Optional[Wanted] = None
    given: List[Tuple[str, str]] = []
    while words:
        word = words.pop(0)
        if word.startswith("-"):
            option = find_name(command, "option", word, OPTIONS)
            has_value = option != "-temporary"
            given.append((option, take_value(command, option, words) if has_value else ""))
        elif wanted is not None:
            raise OpenCLError("%s takes one event; unexpected '%s'." % (command, word))
        else:
            wanted = Wanted(find_name(command, "event", word, tuple(EVENTS)))
    if wanted is None:
        raise OpenCLError("%s needs an event: %s." % (command, ", ".join(EVENTS)))
    for option, value in given:
        wanted = _with(command, wanted, option, value)
    return wanted


def take_value(command: str, option: str, words: List[str]) -> str:
    """Remove the value of OPTION from the beginning of WORDS; raises OpenCLError."""
    if not words:
        raise OpenCLError("%s: %s needs a value." % (command, option))
    return words.pop(0)


def find_name(command: str, noun: str, word: str, names: Tuple[str, ...]) -> str:
    """The one of NAMES that WORD is, or begins; raises OpenCLError."""
    found = [name for name in names if name.startswith(word)]
    if word in names:
        return word
    if len(found) != 1:
        raise OpenCLError(
            "%s: unknown %s '%s'; choose from %s." % (command, noun, word, _all(names))
        )
    return found[0]


def _all(names: Tuple[str, ...]) -> str:
    return "%s and %s" % (", ".join(names[:-1]), names[-1])


def _with(command: str, wanted: Wanted, option: str, value: str) -> Wanted:
    if option == "-temporary":
        return wanted._replace(is_temporary=True)
    if option == "-object":
        return wanted._replace(handle=evaluate_handle(value))
    if option == "-min-size":
        return wanted._replace(min_size=size_of(command, value))
    kinds = tuple(find_name(command, "kind", kind, KINDS) for kind in value.split(","))
    return wanted._replace(kinds=wanted.kinds + kinds)


def size_of(command: str, value: str) -> int:
    """The number of bytes in an option's VALUE; raises OpenCLError."""
    try:
        return parse_size(value)
    except ValueError:
        raise OpenCLError(
            "%s: '%s' is not a size; use a number with an optional K, M or G." % (command, value)
        ) from None


def complete(text: str, word: str) -> List[str]:
    """Complete WORD at the end of TEXT."""
    words = text.split()
    last = words[-1] if words and not text[-1:].isspace() else ""
    before = words[:-1] if last else words
    if before and before[-1] in OPTIONS and before[-1] != "-temporary":
        names: Tuple[str, ...] = KINDS if before[-1] == "-kind" else ()
    elif last.startswith("-") or any(name in EVENTS for name in before):
        names = OPTIONS
    else:
        names = tuple(EVENTS)
    return ends_of(names, last, word)


def ends_of(names: Tuple[str, ...], last: str, word: str) -> List[str]:
    """Those of NAMES that begin with the word LAST, as GDB completes them.  It has removed the
    beginning of LAST, so that WORD is left."""
    return [name[max(len(last) - len(word), 0) :] for name in names if name.startswith(last)]
