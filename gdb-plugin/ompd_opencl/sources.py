# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where what is shown of a target comes from: its recorder, and layouts of its OpenCL runtimes."""

from __future__ import annotations

from typing import List

from . import fields
from . import structures as c
from .errors import LibraryError
from .fields import Row
from .printable import printable
from .session import Session

# So much of a build-id, in hexadecimal digits, tells it from others for people.
_SHOWN = 8


class Sources:
    """The sources of one stop, as the overview names them."""

    def __init__(self, session: Session, overview: Row) -> None:
        self._overview = overview
        self._runtimes = _read_runtimes(session)

    @property
    def has_recorder(self) -> bool:
        """Whether the recorder is one of them."""
        return not self._overview["recorder_major"].is_absent

    def line(self) -> str:
        """ "recorder 1.1, layout libpocl.so.2.10.0 (build-id 4a4365a4)"."""
        parts = ["recorder " + self._recorder_version()] if self.has_recorder else []
        parts.extend("layout " + _describe(row) for row in self._runtimes if _has_layout(row))
        return ", ".join(parts) or "none"

    def platforms(self) -> List[str]:
        """The names of the runtimes that have objects."""
        return [
            printable(row["layout"].text)
            for row in self._runtimes
            if _has_layout(row) and row.number("objects")
        ]

    def notes(self) -> List[str]:
        """What none of the sources tells, and how to learn it.  A runtime that has no objects has
        none to miss."""
        if self.has_recorder:
            return []
        return [
            "No layout fits %s: its objects are missing here; run `ompd-opencl learn` where it is "
            "installed." % _describe(row)
            for row in self._runtimes
            if not _has_layout(row) and not row["objects"].is_known
        ]

    def _recorder_version(self) -> str:
        major, minor = self._overview["recorder_major"], self._overview["recorder_minor"]
        if not major.is_known or not minor.is_known:
            return "?"
        return "%d.%d" % (major.value, minor.value)


def _read_runtimes(session: Session) -> List[Row]:
    """The OpenCL runtimes of the target; none where that cannot be told."""
    if not session.has_layouts:
        return []
    try:
        with session.rows(fields.RUNTIME) as rows:
            return list(rows)
    except LibraryError as error:
        if error.code in (c.RC_UNSUPPORTED, c.RC_UNAVAILABLE):
            return []
        raise


def _has_layout(row: Row) -> bool:
    return row["layout"].is_known


def _describe(row: Row) -> str:
    """ "libpocl.so.2.10.0 (build-id 4a4365a4)"."""
    name = printable(row["module"].text.rsplit("/", 1)[-1]) or "?"
    build_id = row["build_id"].text[:_SHOWN]
    return "%s (build-id %s)" % (name, build_id) if build_id else name
