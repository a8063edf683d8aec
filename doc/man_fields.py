# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of the fields, from the library's own table as list-fields prints it."""

import re
from typing import Dict, List, NamedTuple

from man_roff import FIELDS, JSON, LIBRARY, escape, head, see_also

TYPE_NUMBER = re.compile(r"ompd_cl_type_(\w+) = (\d+)")
SUMMARY = "the fields of the rows that ompd-opencl gives"
HOW = """\
Each row of a list, and each object asked for alone, is a struct of fields. A field has the name
that its member in the struct and its key in JSON have, a type that says how to show it, and a
status that says what is known of it. This page is made of what \\fBompd_cl_field_get\\fP (3)
tells."""


class Field(NamedTuple):
    """One field."""

    name: str
    title: str
    type: int
    unit: str
    help: str
    names: List[str]


class Kind(NamedTuple):
    """The fields of the rows of one kind."""

    name: str
    struct_size: int
    fields: List[Field]


def read_kinds(path: str) -> List[Kind]:
    """What list-fields has printed: a line a kind, followed by a line for each of its fields."""
    kinds: List[Kind] = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            if words[0] == "kind":
                kinds.append(Kind(words[1], int(words[2]), []))
            else:
                names = words[6].split(",") if words[6] else []
                kinds[-1].fields.append(
                    Field(words[1], words[2], int(words[3]), words[4], words[5], names)
                )
    return kinds


def _field_text(field: Field, type_names: Dict[int, str]) -> List[str]:
    facts = [type_names[field.type]]
    if field.title != field.name:
        facts.append(f"column \\(lq{escape(field.title)}\\(rq")
    lines = [".TP", f".BR {escape(field.name)} \" ({', '.join(facts)})\""]
    text = escape(field.help)
    if field.names:
        text += " One of: " if type_names[field.type] != "flags" else " Any of: "
        text += ", ".join(escape(name) for name in field.names) + "."
        lines.append(".ad l")  # groff 1.23 adjusts each paragraph, and cannot with words so long
    return [*lines, text]


def type_names_of(header: str) -> Dict[int, str]:
    """The names of the types of fields, by number."""
    return {int(number): name for name, number in TYPE_NUMBER.findall(header)}


def fields_text(path: str, header: str, version: str) -> List[str]:
    """The page."""
    type_names = type_names_of(header)
    lines = head([FIELDS], 7, version, SUMMARY) + [".SH DESCRIPTION", *HOW.split("\n")]
    for kind in read_kinds(path):
        lines += [f".SH {kind.name.upper()}", f"\\fBompd_cl_{kind.name}_info_t\\fP"]
        for field in kind.fields:
            lines += _field_text(field, type_names)
    return lines + see_also(
        f"{LIBRARY.overview}(3)", f"{LIBRARY.types}(3)", f"{JSON}(5)", "ompd-opencl-gdb(7)"
    )
