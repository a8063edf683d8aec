# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl set` and `opencl show`, because scripts cannot add LLDB settings."""

from __future__ import annotations

import os
from typing import Callable, Dict, List, NamedTuple, Optional

from ompd_opencl.errors import OpenCLError
from ompd_opencl.log_levels import LOG_LEVELS, describe_log_level
from ompd_opencl.protocols import BINDINGS_VARIABLE, describe_bindings
from ompd_opencl.sizes import describe_bytes, parse_limit

AUTO = "auto"
HOST = "host"
BY_LLDB = "lldb"
ON = "on"
OFF = "off"
_UNLIMITED = "unlimited"
_DEFAULT_LIMIT = 200


class _Setting(NamedTuple):
    value: str  # initial value
    values: str  # possible values, in words
    about: str
    shown: Callable[[str], str]  # the text of `opencl show`


def _limit(value: str) -> str:
    if value == _UNLIMITED:
        return "OpenCL lists show all rows."
    return "OpenCL lists show at most %s row%s." % (value, "" if value == "1" else "s")


def _memory_limit(value: str) -> str:
    if value == _UNLIMITED:
        return "The opencl commands may use as much memory as they need."
    size = describe_bytes(parse_limit(value))
    return "The opencl commands may use at most %s of memory for one process." % size


def _reader(value: str) -> str:
    if value == AUTO:
        return "Memory is read by libompd-opencl-host where possible, else by LLDB."
    return "Memory is read by %s." % ("LLDB" if value == BY_LLDB else "libompd-opencl-host")


def _search(value: str) -> str:
    if value == AUTO:
        return "Memory is searched for objects, unless LLDB reads it over a connection."
    return "Memory is %ssearched for objects." % ("" if value == ON else "not ")


def _path(what: str) -> Callable[[str], str]:
    return lambda value: "%s: %s." % (what, value or "what LLDB says")


_SETTINGS: Dict[str, _Setting] = {
    "bindings": _Setting(
        os.environ.get(BINDINGS_VARIABLE, ""),
        "PATTERN[:PATTERN...]",
        "Source files and modules of further OpenCL language bindings: mylib/*.hpp:libmy.so*.  "
        "A call is shown at the innermost function that is not in a binding.",
        describe_bindings,
    ),
    "debug": _Setting(
        OFF,
        " | ".join(LOG_LEVELS),
        "What the commands log of their work: refusals (calls of the library that fail), decisions "
        "(which source or layout is used), lookups (modules and symbols) or reads (each read of "
        "memory).  Each level includes those before it.",
        describe_log_level,
    ),
    "limit": _Setting(
        str(_DEFAULT_LIMIT),
        "N | unlimited",
        "Maximum number of rows of a list.  JSON is never truncated.",
        _limit,
    ),
    "memory-limit": _Setting(
        _UNLIMITED,
        "SIZE | unlimited",
        "Limit on the memory that the commands use for one process, with an optional K, M or G.",
        _memory_limit,
    ),
    "reader": _Setting(
        AUTO,
        "auto | host | lldb",
        "What reads the program's memory: libompd-opencl-host, for local processes and cores, "
        "or LLDB.",
        _reader,
    ),
    "search": _Setting(
        AUTO,
        "auto | on | off",
        "Whether memory is searched for objects that the recorder does not know.  The search "
        "is slow over a connection, where `auto` skips it.",
        _search,
    ),
    "core": _Setting(
        "",
        "FILE",
        "Path of the core file, where LLDB does not report it (before 19).",
        _path("Core"),
    ),
    "sysroot": _Setting(
        "",
        "FOLDER",
        "Root directory for the files named in a core from another machine.",
        _path("Sysroot"),
    ),
}

SET_HELP = "Change a setting of the opencl commands."
SHOW_HELP = "Show the settings of the opencl commands."


def names() -> List[str]:
    """The names of all settings."""
    return list(_SETTINGS)


def long_help() -> str:
    """The help of `opencl set`."""
    lines = ["Usage: opencl set NAME VALUE\n"]
    for name, setting in _SETTINGS.items():
        lines.append("%s %s\n    %s" % (name, setting.values, setting.about))
    return "\n".join(lines)


class Settings:
    """The settings, as commands read them."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        self._values = {name: setting.value for name, setting in _SETTINGS.items()}
        self._changed = changed

    def get(self, name: str) -> str:
        """The value of a setting, as given."""
        return self._values[name]

    @property
    def limit(self) -> Optional[int]:
        """The most rows of a list, None for no limit."""
        value = self._values["limit"]
        return None if value == _UNLIMITED else int(value)

    @property
    def memory_limit(self) -> int:
        """Bytes; 0: no limit."""
        return parse_limit(self._values["memory-limit"])

    @property
    def log_level(self) -> int:
        """What the library logs, a LogLevel."""
        return LOG_LEVELS[self._values["debug"]]

    def set(self, line: str) -> None:
        """Parse LINE, a setting and its value, and change it.  Raises OpenCLError."""
        name, _, value = line.strip().partition(" ")
        self._values[name] = _checked(_known(name), value.strip(), _SETTINGS[name])
        self._changed(name)

    def shown(self, line: str) -> str:
        """The value of one setting, or of all."""
        shown = [_known(line.strip())] if line.strip() else names()
        return "".join("%s\n" % _SETTINGS[name].shown(self._values[name]) for name in shown)


def _known(name: str) -> str:
    if name not in _SETTINGS:
        raise OpenCLError(
            "Unknown setting '%s'; choose from %s." % (name or "", ", ".join(_SETTINGS))
        )
    return name


def _checked(name: str, value: str, setting: _Setting) -> str:
    if name == "limit":
        if value in ("0", _UNLIMITED):
            return _UNLIMITED
        if value.isdigit():
            return str(int(value))
        raise OpenCLError("limit: use a number of rows, or unlimited.")
    if name == "memory-limit":
        try:
            return str(parse_limit(value) or _UNLIMITED)
        except ValueError:
            raise OpenCLError(
                "memory-limit: use a number of bytes, with an optional K, M or G, or unlimited."
            ) from None
    if name not in ("bindings", "core", "sysroot") and value not in setting.values.split(" | "):
        raise OpenCLError("%s: choose from %s." % (name, setting.values.replace(" | ", ", ")))
    return value
