# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manual page ompd-opencl-json(5) in a form that JSON can be compared with."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Set

from harness import BUILD

Keys = Dict[str, str]  # the type of each

_HEXADECIMAL = re.compile("0x(0|[1-9a-f][0-9a-f]*)")
_PLAIN = {"string": str, "boolean": bool, "number": int, "decimal": float}


def page_text() -> str:
    """The page, without roff's backslashes."""
    path = os.path.join(BUILD, "doc", "pages", "ompd-opencl-json.5")
    with open(path, encoding="utf-8") as file:
        return file.read().replace("\\-", "-")


class Page:
    """The documented keys, and those that were seen."""

    def __init__(self) -> None:
        answers, objects = page_text().split("\n.SH ANSWERS\n")[1].split("\n.SH OBJECTS\n")
        self.verbs: Dict[str, str] = {}  # the object that each prints
        for verbs, name in re.findall(r"\.TP\n\.B (.+)\n\\fB(\w+)\\fP", answers):
            self.verbs.update((verb, name) for verb in verbs.split(", "))
        parts = re.split(r"(?m)^\.SS (\w+)$", objects)
        self.objects: Dict[str, Keys] = {
            name: dict(re.findall(r'(?m)^\.TP\n\.BR (\w+) " \((.+)\)"\n\S', text))
            for name, text in zip(parts[1::2], parts[2::2])
        }
        self.seen: Set[str] = set()

    def check_answer(self, name: str, rows: List[Dict[str, Any]]) -> None:
        """ROWS are objects NAME, but perhaps for the last."""
        for row in rows:
            if row.pop("schema") != 1:
                raise AssertionError("another schema: %s" % row)
            self.check("unreadable" if "unreadable" in row else name, row)

    def check(self, name: str, row: Dict[str, Any]) -> None:
        """ROW is an object NAME: its keys are documented, and of the documented types."""
        keys = dict(self.objects[name])
        unknown = row.get("unknown", {})
        for key in [
            key for key in keys if keys[key] == "function" and row.get(key, "0x0") != "0x0"
        ]:
            keys.update(self.objects["place"])
            self.seen.update("place " + place for place in self.objects["place"] if place in row)
            keys[key] = "hexadecimal"
        for key, value in row.items():
            where = "%s %s: %r" % (name, key, value)
            if key in ("unknown", "presumed", "at_least"):
                self._check_marks(where, key, value)
            elif key not in keys:
                raise AssertionError("not documented: " + where)
            elif value is not None:
                self.seen.add("%s %s" % (name, key))
                self._check_type(where, keys[key], value)
            elif key not in unknown and (name, key) != ("verdict", "signal"):
                raise AssertionError("null, and no reason: " + where)

    def _check_marks(self, where: str, key: str, value: Any) -> None:
        names = value if key != "unknown" else [*value, *value.values()]
        if not value or not all(isinstance(name, str) and name for name in names):
            raise AssertionError("no marks: " + where)

    def _check_type(self, where: str, wanted: str, value: Any) -> None:
        if wanted.startswith("array of "):
            if not isinstance(value, list):
                raise AssertionError("no array: " + where)
            for element in value:
                if element is not None:
                    self._check_type(where, wanted[len("array of ") :], element)
        elif wanted in self.objects:
            self.check(wanted, value)
        elif wanted == "value":
            self._check_value(where, value)
        elif wanted in ("hexadecimal", "function"):
            if not isinstance(value, str) or not _HEXADECIMAL.fullmatch(value):
                raise AssertionError("not hexadecimal: " + where)
        elif type(value) is not _PLAIN[wanted]:  # pylint: disable=unidiomatic-typecheck
            raise AssertionError("no %s: %s" % (wanted, where))

    def _check_value(self, where: str, value: Any) -> None:
        """A number, or those of a vector."""
        for element in value if isinstance(value, list) else [value]:
            if element not in (None, "inf", "-inf", "nan", "-nan") and not (
                isinstance(element, (int, float)) and not isinstance(element, bool)
            ):
                raise AssertionError("no value: " + where)
