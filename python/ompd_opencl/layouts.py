# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of this machine: the user's, the site's and the installed *.layout files.

The folders are those of libompd-opencl-host.
"""

from __future__ import annotations

import os
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

from .printable import printable

_SUFFIX = ".layout"
_FOLDER = os.path.join("ompd-opencl", "layouts")
_SITE_FOLDER = os.path.join("/etc", _FOLDER)
_FILES_AT_MOST = 1024
_READ_AT_MOST = 64 * 1024 + 1  # bytes: one more than the maximum for a layout


class _File(NamedTuple):
    """A file, and what changes when it is written."""

    path: str
    size: int
    modified: int  # nanoseconds


State = Tuple[_File, ...]


def _user_folders() -> List[str]:
    data = os.environ.get("XDG_DATA_HOME", "")
    home = os.environ.get("HOME", "")
    if data.startswith("/"):
        return [os.path.join(data, _FOLDER)]
    if home.startswith("/"):
        return [os.path.join(home, ".local", "share", _FOLDER)]
    return []


def _files_of(folder: str) -> List[_File]:
    """The layouts in FOLDER, which may be missing."""
    files = []
    try:
        for name in sorted(os.listdir(folder)) if folder else []:
            if name.endswith(_SUFFIX) and not name.startswith("."):
                path = os.path.join(folder, name)
                status = os.stat(path)
                files.append(_File(path, status.st_size, status.st_mtime_ns))
    except OSError:
        pass
    return files


class Layouts:
    """The layout files, which may change: `ompd-opencl learn` writes more."""

    def __init__(self, installed: Sequence[str], warn: Callable[[str], object]) -> None:
        self._installed = list(installed)
        self._warn = warn
        self._warned: Dict[str, str] = {}

    def state(self) -> State:
        """The current files, in order of precedence."""
        path = os.environ.get("OMPD_OPENCL_LAYOUT_PATH")
        folders = path.split(":") if path is not None else []
        if path is None:
            folders = [*_user_folders(), _SITE_FOLDER, *self._installed]
        files = [file for folder in folders for file in _files_of(folder)]
        return tuple(files[:_FILES_AT_MOST])

    def read(self, file: _File) -> bytes:
        """The text of a file; empty, with a message, if it cannot be read."""
        try:
            with open(file.path, "rb") as content:
                return content.read(_READ_AT_MOST)
        except OSError as error:
            self.refuse(file, error.strerror or "it cannot be read")
            return b""

    def refuse(self, file: _File, reason: str) -> None:
        """Report, once, that FILE is invalid."""
        if self._warned.get(file.path) != reason:
            self._warned[file.path] = reason
            reason = reason.rstrip(".")
            self._warn("The layout %s is ignored: %s." % (printable(file.path), reason))
