# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of fields: what doc/kinds.md says about each kind of row, then the kind's fields from
the library's own table, as list-fields prints it."""

import os
import re
from typing import Dict, List, NamedTuple, Tuple

from man_roff import FIELDS, JSON, LIBRARY, blocks, escape, head, prose, see_also

KINDS_TEXT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinds.md")
TYPE_NUMBER = re.compile(r"ompd_cl_type_(\w+) = (\d+)")
SUMMARY = "the kinds of rows that ompd-opencl lists, and their fields"


class Field(NamedTuple):
    """One field."""

    name: str
    title: str
    type: int
    unit: str
    help: str
    names: List[str]
    member: str  # of the struct


class Kind(NamedTuple):
    """The fields of the rows of one kind."""

    name: str
    struct_size: int
    fields: List[Field]


def read_kinds(path: str) -> List[Kind]:
    """Read the output of list-fields: a line for each kind, then one for each of its fields."""
    kinds: List[Kind] = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            if words[0] == "kind":
                kinds.append(Kind(words[1], int(words[2]), []))
            else:
                names = words[6].split(",") if words[6] else []
                kinds[-1].fields.append(
                    Field(words[1], words[2], int(words[3]), words[4], words[5], names, words[7])
                )
    return kinds


def _markdown(text: str) -> List[str]:
    """Render headings, paragraphs and bullet lists."""
    lines: List[str] = []
    for block in blocks(text.split("\n")):
        if block[0].startswith("## "):
            lines.append(f".SS {escape(block[0][3:])}")
        elif block[0].startswith("- "):
            for item in re.split(r"(?m)^- ", "\n".join(block))[1:]:
                lines += [".IP \\(bu 2", prose(item, [])]
        else:
            lines += [".PP", prose(" ".join(block), [])]
    return lines


def _read_texts(path: str) -> Tuple[List[str], Dict[str, List[str]]]:
    """Read the introduction of kinds.md, and the text of each kind by the kind's name."""
    with open(path, encoding="utf-8") as file:
        introduction, kinds = re.split(r"(?m)^# Kinds$", file.read())
    parts = re.split(r"(?m)^## (\w+)$", kinds)
    texts = {name: _markdown(text) for name, text in zip(parts[1::2], parts[2::2])}
    return _markdown(re.split(r"(?m)^# .*$", introduction)[1]), texts


def _field_text(field: Field, type_names: Dict[int, str]) -> List[str]:
    facts = [type_names[field.type]]
    if field.title != field.name:
        facts.append(f"column \\(lq{escape(field.title)}\\(rq")
    if field.member != field.name:
        facts.append(f"member {field.member}")
    lines = [".TP", f".BR {escape(field.name)} \" ({', '.join(facts)})\""]
    text = escape(field.help)
    if field.names:
        text += " One of: " if type_names[field.type] != "flags" else " Any of: "
        text += ", ".join(escape(name) for name in field.names) + "."
        lines.append(".ad l")  # groff 1.23 adjusts each paragraph, and cannot with words so long
    return [*lines, text]


def type_names_of(header: str) -> Dict[int, str]:
    """Return the names of field types, by number."""
    return {int(number): name for name, number in TYPE_NUMBER.findall(header)}


def fields_text(path: str, header: str, version: str) -> List[str]:
    """Write the page. A kind without a text in kinds.md, or a text without a kind, is an error."""
    type_names = type_names_of(header)
    introduction, texts = _read_texts(KINDS_TEXT)
    lines = head([FIELDS], 7, version, SUMMARY) + [".SH DESCRIPTION", *introduction]
    for kind in read_kinds(path):
        text = texts.pop(kind.name, None)
        if text is None:
            raise SystemExit(
                f"{KINDS_TEXT}: no section for kind '{kind.name}'; add '## {kind.name}'"
            )
        lines += [f".SH {kind.name.upper()}", f"\\fBompd_cl_{kind.name}_info_t\\fP", *text]
        for field in kind.fields:
            lines += _field_text(field, type_names)
    if texts:
        raise SystemExit(f"{KINDS_TEXT}: unknown kinds: {', '.join(texts)}")
    return lines + see_also(
        f"{LIBRARY.overview}(3)", f"{LIBRARY.types}(3)", f"{JSON}(5)", "ompd-opencl-gdb(7)"
    )
