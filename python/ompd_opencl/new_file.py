# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that nobody sees until it is whole, and that takes no other's place: as the host library's
ompd_host_new_file_t, which not every debugger has beside it."""

from __future__ import annotations

import os
import tempfile

from .errors import OpenCLError


class NewFile:
    """A file that is to be called PATH.  Raises OpenCLError."""

    def __init__(self, path: str) -> None:
        self._path = path
        if os.path.lexists(path):
            raise OpenCLError(_refusal(path))
        try:
            descriptor, self._name = tempfile.mkstemp(
                prefix=os.path.basename(path) + ".", dir=os.path.dirname(path) or "."
            )
        except OSError as error:
            raise OpenCLError(_failure(path, error)) from None
        self._file = os.fdopen(descriptor, "wb")

    def write(self, data: bytes) -> None:
        """Write DATA behind what was written.  Raises OpenCLError."""
        try:
            self._file.write(data)
        except OSError as error:
            raise OpenCLError(_failure(self._path, error)) from None

    def end(self, is_whole: bool) -> None:
        """Give it its name if IS_WHOLE, else drop it.  Raises OpenCLError: it is gone, too."""
        try:
            self._file.close()
            if is_whole:
                os.link(self._name, self._path)
        except FileExistsError:
            raise OpenCLError(_refusal(self._path)) from None
        except OSError as error:
            raise OpenCLError(_failure(self._path, error)) from None
        finally:
            os.unlink(self._name)


def _refusal(path: str) -> str:
    return "Nothing was written: '%s' already exists; existing files are never overwritten." % path


def _failure(path: str, error: OSError) -> str:
    return "Nothing was written: %s cannot be written: %s." % (path, error.strerror)
