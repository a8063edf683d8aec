# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Journals as systemd-coredump writes them, created with systemd-journal-remote."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from typing import Iterable, List, Tuple, Union

from harness import Skip

REMOTE = "/lib/systemd/systemd-journal-remote"
DUMPED = "fc2e22bc6ee647b6b90729ab34a250b1"  # the message that a process dumped core
BOOT = "0123456789abcdef0123456789abcdef"
HOST = "farm-3"
TIME = 1795651929  # of the first entry, in seconds since 1970

Value = Union[str, bytes]
Fields = List[Tuple[str, Value]]


def require_journal() -> None:
    """Skip where no journal can be made, or read."""
    if shutil.which("journalctl") is None:
        raise Skip("systemd is not installed")
    if not os.path.exists(REMOTE):
        raise Skip("systemd-journal-remote is not installed")


def export_field(name: str, value: Value) -> bytes:
    """A field in the export format: as a line where that can be, or else with its size."""
    text = value if isinstance(value, bytes) else value.encode()
    if b"\n" not in text:
        return name.encode() + b"=" + text + b"\n"
    return name.encode() + b"\n" + struct.pack("<Q", len(text)) + text + b"\n"


def core_entry(number: int, fields: Fields, sender: str = "0", message: str = DUMPED) -> bytes:
    """An entry of systemd-coredump, the others of which come before and after."""
    first: Fields = [
        ("__REALTIME_TIMESTAMP", str((TIME + number) * 1000000 + 1)),
        ("__MONOTONIC_TIMESTAMP", str(1000 + number)),
        ("_BOOT_ID", BOOT),
        ("_HOSTNAME", HOST),
        ("_UID", sender),
        ("MESSAGE_ID", message),
        ("MESSAGE", b"Process \x00\xff\n of user dumped core."),
        ("COREDUMP_PID", str(100 + number)),
        ("COREDUMP_UID", "1000"),
        ("COREDUMP_SIGNAL", "11"),
        ("COREDUMP_TIMESTAMP", str((TIME + number) * 1000000)),
        ("COREDUMP_COMM", "viewer"),
    ]
    names = [name for name, _ in fields]
    kept = [field for field in first if field[0] not in names]
    return b"".join(export_field(*field) for field in [*kept, *fields]) + b"\n"


def core_name(number: int) -> str:
    """The file name that systemd-coredump gives to the core of such an entry."""
    return "core.viewer.1000.%s.%d.%d000000" % (BOOT, 100 + number, TIME + number)


def write_journal(path: str, entries: Iterable[bytes]) -> str:
    """Let systemd write a journal of the entries.  Its path ends in .journal."""
    export = path + ".export"
    with open(export, "wb") as file:
        file.write(b"".join(entries))
    subprocess.run(
        [REMOTE, "--output=" + path, export],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    os.unlink(export)
    return path
