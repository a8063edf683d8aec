# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From what the user typed to one object: a row number, or an expression of a cl handle."""

from __future__ import annotations

from typing import Sequence

from . import fields
from .errors import LibraryError, OpenCLError
from .expressions import evaluate_handle
from .fields import Row
from .last_list import LastList, parse_number
from .nouns import NOUNS
from .session import Session
from .structures import RC_STALE_HANDLE

# Kinds that have a cl handle (or a pointer) to be found by, and the command that shows one.
_FINDABLE = {
    fields.MEMOBJ: "opencl memobj",
    fields.CONTEXT: "opencl context",
    fields.QUEUE: "opencl queue",
    fields.SVM: "opencl svm",
}

# Kinds whose rows are about another object, which their number may stand for.
_ABOUT_OBJECTS = (fields.DESTRUCTOR, fields.THREAD)


def find_row(session: Session, last_list: LastList, text: str, kinds: Sequence[int]) -> Row:
    """The object of one of KINDS that TEXT names; raises OpenCLError when there is none."""
    number = parse_number(text)
    if number is not None:
        return _numbered_row(session, last_list, number, kinds)
    return _row_of_handle(session, evaluate_handle(text), text, kinds)


def _numbered_row(session: Session, last_list: LastList, number: int, kinds: Sequence[int]) -> Row:
    kind, identifier, handle = last_list.get(number)
    if kind in kinds and identifier:
        try:
            return session.get(kind, identifier)
        except LibraryError as error:
            if error.code != RC_STALE_HANDLE:
                raise
            name = NOUNS[kind].singular + (" %#x" % handle if handle else "")
            raise OpenCLError("#%d of the last list, %s, is gone." % (number, name)) from None
    if kind in _ABOUT_OBJECTS and handle:
        return _row_of_handle(session, handle, "#%d" % number, kinds)
    raise OpenCLError(
        "#%d of the last list is %s, not %s." % (number, NOUNS[kind].one(), _one_of(kinds))
    )


def _row_of_handle(session: Session, handle: int, text: str, kinds: Sequence[int]) -> Row:
    for kind in kinds:
        identifier = session.find(kind, handle) if kind in _FINDABLE else None
        if identifier is not None:
            return session.get(kind, identifier)
    if fields.SVM_FREE in kinds:
        return _svm_free_of(session, handle, text)
    shown = hex(handle) if text == hex(handle) else "%s (%#x)" % (text, handle)
    if handle == 0:
        raise OpenCLError("%s is NULL." % text)
    for kind, command in _FINDABLE.items():
        if kind not in kinds and session.find(kind, handle) is not None:
            raise OpenCLError(
                "%s is %s, not %s: use `%s`." % (shown, NOUNS[kind].one(), _one_of(kinds), command)
            )
    nouns = " or ".join(NOUNS[kind].singular for kind in kinds)
    raise OpenCLError("There is no %s %s: never created, or gone." % (nouns, shown))


def _svm_free_of(session: Session, handle: int, text: str) -> Row:
    """The SVM-free command whose event, or one of whose pointers, HANDLE is."""
    with session.rows(fields.SVM_FREE) as commands:
        for command in commands:
            with session.parts(fields.SVM_POINTER, command) as parts:
                pointers = [part.number("pointer") for part in parts]
            if handle in pointers or (handle and handle == command.number("event")):
                return command
    raise OpenCLError(
        "%s is neither the event of an SVM-free command nor a pointer that one frees."
        % (text if text == hex(handle) else "%s (%#x)" % (text, handle))
    )


def _one_of(kinds: Sequence[int]) -> str:
    return " or ".join(NOUNS[kind].one() for kind in kinds)
