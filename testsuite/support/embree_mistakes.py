# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mistakes in the use of Embree that the program `embree` makes, and what `check` says."""

from __future__ import annotations

import re
from typing import Any, Dict, List, NamedTuple

from harness import Row

Truth = Dict[str, Any]


class EmbreeMistake(NamedTuple):
    """A mistake.  Names in braces are facts of the program."""

    scenario: str
    title: str  # for people
    rule: str
    sentence: str
    clause: str  # "": it is no mistake, and the sentence begins with "Note: "
    is_certain: bool = False


_BUFFER = "Embree, rtcNewSharedBuffer, rtcSetSharedGeometryBuffer: "
_MONITOR = "Embree, rtcSetDeviceMemoryMonitorFunction and similar: "

MISTAKES = (
    EmbreeMistake(
        "mistake-monitor-code",
        "the library of a memory monitor is unloaded",
        "callback-without-code",
        "the memory monitor of Embree device {subject} is {address}, where there is no code",
        _MONITOR + "NULL unregisters the function.",
        is_certain=True,
    ),
    EmbreeMistake(
        "mistake-monitor-data",
        "the user pointer of a memory monitor is freed",
        "user-data-freed",
        "memory monitor embree_count at embree.c:N of Embree device {subject} will be called with "
        "a user pointer to memory that was freed, {address}",
        _MONITOR + "userPtr is passed to the function.",
    ),
    EmbreeMistake(
        "mistake-shared-freed",
        "the memory of a shared buffer is freed while a geometry uses it",
        "host-memory-freed",
        "Embree buffer {subject} uses host memory that was freed, 1204 B (about 1.2 KiB) at "
        "{address}",
        _BUFFER + "the memory must be valid as long as the buffer may be used.",
    ),
    EmbreeMistake(
        "mistake-shared-short",
        "the last vertex of a shared buffer has no padding",
        "embree-vertex-without-padding",
        "Embree geometry {subject} reads 4 B after the end of the memory of its shared vertex "
        "buffer, Embree buffer {buffer}: the last vertex has no padding to 16 bytes",
        _BUFFER + "16 bytes of the last vertex must be readable.",
    ),
    EmbreeMistake(
        "mistake-shared-size",
        "the size of a shared buffer is more than that of its memory",
        "embree-buffer-too-short",
        "Embree buffer {buffer} has {excess} more than the heap block of its memory, which ends at "
        "{end}",
        _BUFFER + "the memory must have the given size.",
    ),
    EmbreeMistake(
        "mistake-shared-unmapped",
        "the memory of a shared buffer is unmapped while a geometry uses it",
        "host-memory-unmapped",
        "Embree buffer {buffer} uses host memory that is not mapped, 4800 B (about 4.7 KiB) at "
        "{address}",
        _BUFFER + "the memory must be valid as long as the buffer may be used.",
    ),
    EmbreeMistake(
        "mistake-error-unread",
        "an error is set, and the program does not ask for it",
        "embree-error-unread",
        "error RTC_ERROR_INVALID_ARGUMENT of Embree device {subject} is set and was not read with "
        "rtcGetDeviceError",
        "",
        is_certain=True,
    ),
    EmbreeMistake(
        "in-monitor",
        "the program stops in a memory monitor, perhaps with a lock of Embree",
        "embree-in-memory-monitor",
        "LWP N is in memory monitor count_moment at embree-builds.c:N of Embree device {device}, "
        "which Embree may have called with a lock held: if only other threads are resumed, or a "
        "function of Embree is called from the debugger, they may wait for it without end",
        "",
        is_certain=True,
    ),
)


def said(text: str) -> List[str]:
    """The lines of an answer, without what differs from run to run, and without the end."""
    text = re.sub(r"\(thread \d+\) ", "", text)
    text = re.sub(r"LWP \d+", "LWP N", re.sub(r"(\.c):\d+", r"\1:N", text))
    return [line for line in text.splitlines() if not line.startswith("Not checked: ")]


def expected(mistake: EmbreeMistake, truth: Truth, row: Row) -> List[str]:
    """What `check` says of a mistake, of which JSON has ROW.  Only ROW has the handle of a buffer
    that the program has no handle of, and the end of a block of malloc."""
    size = row.get("size", 0)
    sentence = mistake.sentence.format(
        subject=truth.get("subject"),
        address=truth.get("address"),
        buffer=row.get("other", row.get("object")),
        device=truth["devices"][0]["handle"],
        end=row.get("address"),
        excess="%d B (about %.1f KiB)" % (size, size / 1024),
    )
    if not mistake.clause:
        return ["Note: %s." % sentence, "No findings."]
    word = "Certain" if mistake.is_certain else "Presumed"
    return ["1  %s: %s." % (word, sentence), "   " + mistake.clause]


def page_rows() -> List[str]:
    """The rows of the table of doc/mistakes.md."""
    shown = {
        "subject": "0x5550",
        "address": "0x6660",
        "buffer": "0x7770",
        "device": "0x5550",
        "end": "0x6660",
        "excess": "9592 B (about 9.4 KiB)",
    }
    rows = []
    for mistake in MISTAKES:
        sentence = (
            mistake.sentence.format(**shown).replace(".c:N", ".c:24").replace("LWP N", "LWP 7")
        )
        note = "" if mistake.clause else "Note: "
        rows.append("| %s | %s%s. |" % (mistake.title, note, sentence))
    return rows
