#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of the code in doc/architecture.svg, drawn from the tree.

usage: architecture.py [--write]

Each room is drawn above the rooms that it uses, and in it each folder above the folders that it
uses.  Both follow from what the files include and import, and from the functions that object files
name.  As a test, this fails where the picture is not that of the tree; `make architecture` draws it
anew.
"""

import os
import re
import sys
import unittest
from typing import Dict, Iterable, List, NamedTuple, Set, Tuple

from includes import FOLDERS, files_of, folder_of, includes_of
from object_files import references_of
from source_tree import SOURCE, source_files

PICTURE = "doc/architecture.svg"
WIDTH = 900
MARGIN = 12
BOX_HEIGHT = 24
BOX_GAP = 4
HEAD_HEIGHT = 44
USES_HEIGHT = 20

# Rooms from left to right where they share a row; how wide each is there; what it is.
ROOMS: Dict[str, Tuple[int, str]] = {
    "gdb-plugin": (1, "the opencl commands of GDB"),
    "lldb-plugin": (1, "the opencl commands of LLDB"),
    "command": (4, "ompd-opencl, for the shell"),
    "python": (3, "what plugins and scripts share"),
    "view": (3, "verbs, tables, JSON, reports"),
    "host": (3, "opens processes and cores"),
    "learn": (3, "learns layouts of runtimes"),
    "libompd": (7, "finds, reads and judges OpenCL objects"),
    "recorder": (3, "records OpenCL calls"),
    "schema": (1, "tables of kinds, fields, calls"),
    "include": (1, "public headers, registry format"),
    "text": (1, "strings, sizes, JSON"),
}
IN_TARGET = ("recorder",)

# For other rooms, a public header stands for the library that has its functions.
HEADERS = {
    "ompd-opencl.h": "libompd",
    "ompd-opencl-typed.h": "libompd",
    "ompd-opencl-types.h": "libompd",
    "ompd-opencl-host.h": "host",
    "ompd-opencl-view.h": "view",
    "ompd-opencl-calls.h": "include",
    "ompd-opencl-registry.h": "include",
}
# The same for what Python names: a package, or a library that it loads.
PYTHON_NAMES = {
    "python": re.compile(r"^\s*(?:from|import) ompd_opencl\b", re.MULTILINE),
    "libompd": re.compile(r'"libompd-opencl\.so'),
    "host": re.compile(r'"libompd-opencl-host\.so'),
    "view": re.compile(r'"libompd-opencl-view\.so'),
}

# Documents that name files, and how: `folder/` or `folder/file`, whose first folder is a component.
DOCUMENTS = ("CONTRIBUTING.md", "SECURITY.md", "doc/architecture.md", "doc/glossary.md")
PATH = re.compile(
    r"`((?:doc|fleet|layouts|packaging|packages|testsuite|\.github|"
    + "|".join(re.escape(room) for room in ROOMS)
    + r")/[\w./-]*)`"
)

Graph = Dict[str, Set[str]]


class Panel(NamedTuple):
    """A room as it is drawn: the rows of its folders from the top, and what it uses."""

    room: str
    rows: List[List[str]]
    uses: List[str]

    def height(self) -> int:
        """How high it is."""
        boxes = len(self.rows) * (BOX_HEIGHT + BOX_GAP)
        return HEAD_HEIGHT + boxes + (USES_HEIGHT if self.uses else 0) + BOX_GAP


def rows_of(graph: Graph, order: Iterable[str]) -> List[List[str]]:
    """The nodes in rows from the top, each in a row above those of all that it uses."""
    levels: Dict[str, int] = {}

    def level_of(node: str, above: Tuple[str, ...] = ()) -> int:
        assert node not in above, f"{node} uses itself: {above}"
        if node not in levels:
            below = (level_of(other, (*above, node)) for other in graph[node])
            levels[node] = 1 + max(below, default=-1)
        return levels[node]

    names = list(order)
    highest = max(level_of(name) for name in names)
    return [[name for name in names if levels[name] == level] for level in range(highest, -1, -1)]


def folder_graph(room: str) -> Graph:
    """Which folders of a room each of its folders uses."""
    graph: Graph = {folder: set() for folder in FOLDERS[room]}
    files = set(files_of(room))
    for path in files:
        for include in includes_of(path):
            header = f"{room}/{include.header}" if include.is_quoted else include.header
            if header in files:
                graph[folder_of(path, room)].add(folder_of(header, room))
    for path, named in references_of(room).items():
        graph[folder_of(path, room)].update(folder_of(other, room) for other in named)
    for folder, others in graph.items():
        others.discard(folder)
    return graph


def room_of_header(header: str) -> str:
    """The room that a header stands for; nothing for one of the system."""
    if header in HEADERS:
        return HEADERS[header]
    first = header.split("/")[0]
    return first if first in ROOMS and "/" in header else ""


def room_graph() -> Graph:
    """Which rooms each room uses."""
    graph: Graph = {room: set() for room in ROOMS}
    for room, others in graph.items():
        if room not in ("schema", "include"):
            for path in files_of(room):
                headers = [include.header for include in includes_of(path) if not include.is_quoted]
                others.update(room_of_header(header) for header in headers)
        for path in source_files(".py"):
            if path.startswith(room + "/") and room in ("python", "gdb-plugin", "lldb-plugin"):
                with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                    text = file.read()
                others.update(name for name, mark in PYTHON_NAMES.items() if mark.search(text))
        others -= {"", room}
    return graph


def panels() -> List[List[Panel]]:
    """The rooms in rows from the top."""
    graph = room_graph()
    rows = rows_of(graph, ROOMS)
    order = [room for row in rows for room in row]
    return [
        [
            Panel(
                room,
                rows_of(folder_graph(room), FOLDERS[room]) if room in FOLDERS else [],
                sorted(graph[room], key=order.index),
            )
            for room in row
        ]
        for row in rows
    ]


def text(place: Tuple[float, float], words: str, kind: str = "") -> str:
    """A line of text; a kind is a class of the style."""
    mark = f' class="{kind}"' if kind else ""
    return f'<text{mark} x="{place[0]:g}" y="{place[1]:g}">{words}</text>'


def box(kind: str, place: Tuple[float, float], size: Tuple[float, float]) -> str:
    """A rectangle."""
    return (
        f'<rect class="{kind}" x="{place[0]:g}" y="{place[1]:g}"'
        f' width="{size[0]:g}" height="{size[1]:g}" rx="4"/>'
    )


def draw_panel(panel: Panel, left: float, top: float, size: Tuple[float, float]) -> List[str]:
    """A room: its name, what it is, its folders, what it uses."""
    kind = "target" if panel.room in IN_TARGET else "room"
    lines = [
        box(kind, (left, top), size),
        text((left + MARGIN, top + 19), panel.room + "/", "strong"),
        text((left + MARGIN, top + 36), ROOMS[panel.room][1], "small"),
    ]
    inner = size[0] - 2 * MARGIN
    y = top + HEAD_HEIGHT
    for row in panel.rows:
        width = (inner - BOX_GAP * (len(row) - 1)) / len(row)
        for index, folder in enumerate(row):
            x = left + MARGIN + index * (width + BOX_GAP)
            lines.append(box("box", (x, y), (width, BOX_HEIGHT)))
            words = folder + "/" if folder else f"{panel.room}/*.c"
            lines.append(text((x + width / 2, y + 16), words, "folder"))
        y += BOX_HEIGHT + BOX_GAP
    if panel.uses:
        lines.append(text((left + MARGIN, y + 13), "uses " + ", ".join(panel.uses), "small"))
    return lines


HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
     font-family="sans-serif" font-size="14" role="img" aria-labelledby="title">
  <!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
  <!-- Drawn by testsuite/build/architecture.py: `make architecture` draws it anew. -->
  <title id="title">The components, each above the components that it uses</title>
  <style>
    .box {{ fill: #ffffff; stroke: #444444; }}
    .room {{ fill: #eef3f8; stroke: #8899aa; }}
    .target {{ fill: #f4f0e4; stroke: #aa9977; }}
    .strong {{ font-weight: bold; }}
    .small {{ font-size: 12px; fill: #444444; }}
    .folder {{ font-size: 12px; text-anchor: middle; }}
  </style>
  <rect width="{width}" height="{height}" fill="#ffffff"/>
"""
NOTES = (
    "A component uses only components drawn below it. In a component, a folder uses only folders"
    " drawn below it;",
    "folders side by side do not use each other. Blue: part of the tool. Brown: loaded into the"
    " target.",
)


def picture() -> str:
    """The whole SVG file."""
    lines: List[str] = []
    y = MARGIN
    for row in panels():
        height = max(panel.height() for panel in row)
        parts = sum(ROOMS[panel.room][0] for panel in row)
        x: float = MARGIN
        for panel in row:
            width = (WIDTH - MARGIN * (len(row) + 1)) * ROOMS[panel.room][0] / parts
            lines += draw_panel(panel, round(x, 1), y, (round(width, 1), height))
            x += width + MARGIN
        y += height + MARGIN
    for note in NOTES:
        y += 16
        lines.append(text((MARGIN, y), note, "small"))
    head = HEAD.format(width=WIDTH, height=y + MARGIN)
    return head + "".join(f"  {line}\n" for line in lines) + "</svg>\n"


class ArchitectureTest(unittest.TestCase):
    """The picture in doc/, and the documents for newcomers."""

    def test_paths(self) -> None:
        """A file or folder that a document for newcomers names is there."""
        faults = []
        seen = 0
        for document in DOCUMENTS:
            with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
                paths = PATH.findall(file.read())
            seen += len(paths)
            faults += [
                f"{document}: {path}"
                for path in paths
                if not any(
                    os.path.exists(os.path.join(SOURCE, top, path)) for top in ("", "testsuite")
                )
            ]
        self.assertGreater(seen, 80, "few paths were found")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_picture(self) -> None:
        """It is that of the tree."""
        with open(os.path.join(SOURCE, PICTURE), encoding="utf-8") as file:
            self.assertEqual(file.read(), picture(), "`make architecture` draws it anew")

    def test_rooms(self) -> None:
        """All rooms and folders are drawn, and a use that everybody knows of was found."""
        drawn = {panel.room: panel for row in panels() for panel in row}
        self.assertEqual(set(drawn), set(ROOMS))
        for room, folders in FOLDERS.items():
            self.assertEqual(sorted(sum(drawn[room].rows, [])), sorted(folders))
        self.assertIn("libompd", drawn["view"].uses)
        self.assertIn("python", drawn["gdb-plugin"].uses)

    def test_rows(self) -> None:
        """What uses another is above it."""
        graph: Graph = {"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}}
        self.assertEqual(rows_of(graph, "abcd"), [["a"], ["b", "d"], ["c"]])
        with self.assertRaises(AssertionError):
            rows_of({"a": {"b"}, "b": {"a"}}, "ab")


if __name__ == "__main__":
    if "--write" in sys.argv:
        with open(os.path.join(SOURCE, PICTURE), "w", encoding="utf-8") as picture_file:
            picture_file.write(picture())
    else:
        unittest.main(argv=[sys.argv[0], "-v"])
