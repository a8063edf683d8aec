# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A new file that appears only when it is complete, and never replaces another: as
ompd_host_new_file_t of the host library, which may not be installed."""

from __future__ import annotations

import os
import tempfile

from .errors import OpenCLError


class NewFile:
    """The new file PATH.  Raises OpenCLError."""

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
        """Append DATA.  Raises OpenCLError."""
        try:
            self._file.write(data)
        except OSError as error:
            raise OpenCLError(_failure(self._path, error)) from None

    def end(self, is_whole: bool) -> None:
        """Give the file its name if IS_WHOLE; otherwise, or on OpenCLError, delete it."""
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
    return "'%s' already exists; existing files are never overwritten." % path


def _failure(path: str, error: OSError) -> str:
    return "Cannot write '%s': %s." % (path, error.strerror)
