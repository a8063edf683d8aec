# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read the pages that `report` writes, as strictly as they are written."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any, Dict, List, Optional, Tuple

_VOID = ("meta",)
_TAGS = set(
    "html head meta title style body a header p h1 h2 h3 dl div dt dd nav noscript main section "
    "span script figure figcaption svg g polygon polyline path ellipse text".split()
)
_SAME, _ABSENT = 0, 1

# Allowed differences between two pages of one target: their times, and facts about a core that only
# the command reports.
_OWN = re.compile(
    r"^<div><dt>Report written</dt>.*\n|"
    r"(?<=<div class=\"said\">)Core of .*\n(?:  .*\n)*?(?=OpenCL)",
    re.MULTILINE,
)


class Page(HTMLParser):
    """A page; raises AssertionError if it is not one as `report` writes them."""

    def __init__(self, path: str) -> None:
        super().__init__(convert_charrefs=True)
        with open(path, "rb") as file:
            self.source = file.read().decode("utf-8")
        self.text = ""  # its contents, except for rows
        self.policy = ""
        self.graph: List[str] = []  # titles of nodes and edges
        self.lists: Dict[str, List[Dict[str, Any]]] = {}  # rows by their keys in JSON
        self.badges: Dict[str, str] = {}  # of verdicts: their classes
        self._open: List[Tuple[str, Dict[str, Optional[str]]]] = []
        self._section = ""
        self.feed(self.source)
        self.close()
        assert not self._open, self._open

    def comparable(self) -> str:
        """The page without differences between pages of one target."""
        return _OWN.sub("", self.source)

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        """See HTMLParser."""
        values = dict(attrs)
        assert tag in _TAGS, tag
        for name, value in values.items():
            assert not name.startswith("on") and name not in ("src", "style", "srcdoc"), name
            assert name != "href" or (value or "").startswith("#"), value
        if tag == "meta":
            if values.get("http-equiv") == "Content-Security-Policy":
                self.policy = values["content"] or ""
            return
        if tag == "section":
            self._section = values.get("id") or ""
        if tag == "p" and (values.get("class") or "").startswith("badge"):
            self.badges[self._section] = (values["class"] or "").split()[1]
        self._open.append((tag, values))

    def handle_startendtag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        """See HTMLParser: of pictures alone."""
        assert any(name == "svg" for name, _ in self._open), tag
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """See HTMLParser."""
        name, _ = self._open.pop()
        assert name == tag, (name, tag)

    def handle_data(self, data: str) -> None:
        """See HTMLParser."""
        tag, values = self._open[-1] if self._open else ("", {})
        if tag in ("script", "style"):
            self._take_code(tag, values.get("type"), data)
            return
        if tag == "title" and self._open[-2][0] == "g":
            self.graph.append(data)
        self.text += data

    def _take_code(self, tag: str, kind: Optional[str], data: str) -> None:
        if kind == "application/json":
            assert "<" not in data
            self.lists[self._section] = _rows(json.loads(data))
            return
        assert kind is None
        digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
        assert "%s-src 'sha256-%s'" % (tag, digest) in self.policy, tag


def _rows(items: List[Any]) -> List[Dict[str, Any]]:
    """The rows of a list: texts, None where there is no such thing, and pairs of mark and text."""
    keys = [field[0] for field in items[0]]
    above: List[Any] = [_ABSENT] * len(keys)
    rows = []
    for item in items[1:]:
        if isinstance(item, dict):
            assert set(item) == {"stack", "calls"}
            continue
        assert len(item) <= len(keys)
        cells = item + [_SAME] * (len(keys) - len(item))
        above = [old if cell == _SAME else cell for old, cell in zip(above, cells)]
        rows.append({key: None if cell == _ABSENT else cell for key, cell in zip(keys, above)})
    return rows


def text_of(cell: Any) -> str:
    """The text of a cell, without its mark."""
    return cell if isinstance(cell, str) else str(cell[1]) if cell else ""
