#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generate the files that the preprocessor cannot generate from the tables: <ompd-opencl-typed.h>,
and the numbers, structures and functions of the Python package.

    schema/generate.py            writes the files
    schema/generate.py --check    reports the files that do not match the tables and headers

The tables are read as the C preprocessor would read them: groups of lines that a table defines as
a macro are expanded.
"""

import os
import re
import sys
from functools import partial
from typing import Callable, Dict, Iterator, List, NamedTuple, Tuple

from python_types import MODULES, python_structures

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
WIDTH = 100


class Line(NamedTuple):
    """One line of a table, such as FIELD(memobj, size, ...), without the quotes of its strings."""

    macro: str
    arguments: List[str]


class Group(NamedTuple):
    """The lines of a table with one name."""

    parameters: List[str]
    body: str


def read(path: str) -> str:
    """A file of the tree."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


# ---- Reading tables ------------------------------------------------------------------------------

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# What a table says of its macros while they are not defined.
DEFAULT = re.compile(r"^#ifndef .*?^#endif\n", re.DOTALL | re.MULTILINE)
INCLUDE = re.compile(r'^#include "(.*)"\n', re.MULTILINE)
DEFINE = re.compile(r"^#define (\w+)(?:\(([^)]*)\))?((?:.*\\\n)*.*)\n", re.MULTILINE)
# A macro and its arguments. Strings may contain parentheses, and arguments may call other macros.
STRING = r'"(?:[^"\\]|\\.)*"'
CALL = re.compile(rf"(\w+)(?:\(((?:{STRING}|[^()\"]|\((?:[^()]|\([^()]*\))*\))*)\))?")
PIECE = re.compile(rf"{STRING}|\((?:[^()]|\([^()]*\))*\)|,|[^,(\"]+")


def _arguments(text: str) -> List[str]:
    """The arguments of a call, unchanged."""
    found = [""]
    for piece in PIECE.findall(text):
        if piece == ",":
            found.append("")
        else:
            found[-1] += piece.strip()
    return found


def _unquoted(argument: str) -> str:
    """ARGUMENT, with adjacent strings joined."""
    return re.sub(STRING, lambda found: found.group(0)[1:-1], argument)


def _expand(text: str, groups: Dict[str, Group]) -> Iterator[Line]:
    for match in CALL.finditer(text):
        name, arguments = match.group(1), _arguments(match.group(2) or "")
        group = groups.get(name)
        if group is None:
            yield Line(name, [_unquoted(argument) for argument in arguments])
            continue
        values = dict(zip(group.parameters, arguments))
        body = re.sub(
            rf"{STRING}|\w+", lambda found: values.get(found.group(0), found.group(0)), group.body
        )
        yield from _expand(re.sub(r" *## *", "", body), groups)


def table(path: str) -> List[Line]:
    """The lines of a table, including those of the files that it includes."""
    text = read(path)
    folder = os.path.dirname(path)
    text = INCLUDE.sub(lambda found: read(os.path.join(folder, found.group(1))), text)
    text = DEFAULT.sub("", COMMENT.sub("", text))
    groups = {
        name: Group([one.strip() for one in parameters.split(",")], body.replace("\\\n", " "))
        for name, parameters, body in DEFINE.findall(text)
    }
    text = re.sub(r"^#undef .*\n", "", DEFINE.sub("", text), flags=re.MULTILINE)
    return list(_expand(text, groups))


# ---- <ompd-opencl-typed.h> -----------------------------------------------------------------------

# Longer prototypes have their type on a line of its own, as clang-format has them.
MOST_LINES = 5

SPACE = "ompd_address_space_handle_t *space"
LIST = "ompd_cl_list_t"


def _filled(start: str, pieces: List[str], end: str) -> str:
    """A call or a prototype, with its arguments on as few lines as possible."""
    indent = " " * len(start)
    lines = [start]
    for number, piece in enumerate(pieces):
        text = piece + (end if number + 1 == len(pieces) else ",")
        if len(lines[-1]) + len(text) > WIDTH and lines[-1] not in (start, indent):
            lines[-1] = lines[-1].rstrip()
            lines.append(indent)
        lines[-1] += text + " "
    is_long = len(lines) > MOST_LINES or max(len(line.rstrip()) for line in lines) > WIDTH
    if is_long and start.startswith("static"):
        result, name = start.rsplit(" ", 1)
        return f"{result}\n{_filled(name, pieces, end)}"
    return "\n".join(line.rstrip() for line in lines)


def _function(name: str, parameters: List[str], called: str, arguments: List[str]) -> str:
    head = _filled(f"static inline ompd_rc_t {name}(", [SPACE, *parameters], ")")
    body = _filled(f"    return {called}(", ["space", *arguments], ");")
    return f"{head}\n{{\n{body}\n}}\n"


def _list_open(line: Line) -> str:
    kind = line.arguments[0]
    is_filtered = line.macro == "LISTED_BY_FILTER"
    parameters = ["const ompd_cl_filter_t *filter"] if is_filtered else []
    return _function(
        f"ompd_cl_{kind}_list_open",
        [*parameters, f"{LIST} *list"],
        "ompd_cl_list_open",
        [f"ompd_cl_kind_{kind}", "filter" if is_filtered else "NULL", "list"],
    )


def _object_list_open(line: Line) -> str:
    kind, owner, name = line.arguments
    return _function(
        f"ompd_cl_{name}_list_open",
        [f"ompd_cl_{owner}_id_t {owner}", f"{LIST} *list"],
        "ompd_cl_object_list_open",
        [f"ompd_cl_kind_{kind}", f"{owner}.id", "list"],
    )


def _list_next(line: Line) -> str:
    kind = line.arguments[0]
    numbers = ["ompd_size_t *count", "ompd_size_t *unreadable"]
    return _function(
        f"ompd_cl_{kind}_list_next",
        [f"{LIST} list", "ompd_size_t capacity", f"ompd_cl_{kind}_info_t *rows", *numbers],
        "ompd_cl_list_next",
        ["list", f"ompd_cl_kind_{kind}", "capacity", "rows", "count", "unreadable"],
    )


def _find(line: Line) -> str:
    kind, key = line.arguments
    return _function(
        f"ompd_cl_{kind}_find",
        [f"uint64_t {key}", f"ompd_cl_{kind}_id_t *{kind}"],
        "ompd_cl_object_find",
        [f"ompd_cl_kind_{kind}", key, f"{kind} == NULL ? NULL : &{kind}->id"],
    )


def _get(line: Line) -> str:
    kind = line.arguments[0]
    return _function(
        f"ompd_cl_{kind}_get",
        [f"ompd_cl_{kind}_id_t {kind}", f"ompd_cl_{kind}_info_t *info"],
        "ompd_cl_object_get",
        [f"ompd_cl_kind_{kind}", f"{kind}.id", "info"],
    )


def _id(line: Line) -> str:
    kind = line.arguments[0]
    head = f"static inline ompd_cl_{kind}_id_t ompd_cl_{kind}_info_id("
    head = _filled(head, [f"const ompd_cl_{kind}_info_t *info"], ")")
    return (
        f"{head}\n{{\n    ompd_cl_{kind}_id_t {kind} = {{info->head.id}};\n\n"
        f"    return {kind};\n}}\n"
    )


NAME_AT = """
/* Name number INDEX of FIELD, below its name_count: see ompd_cl_field_get. */
static inline const ompd_cl_name_t *ompd_cl_field_name_at(const ompd_cl_field_t *field,
                                                          uint32_t index)
{
    return (const ompd_cl_name_t *)(const void *)((const char *)field->names +
                                                  index * field->names->struct_size);
}
"""

# The title of each family of functions, and the lines of the table and the function that make it.
FAMILIES = (
    ("Open a list of all rows of a kind: see ompd_cl_list_open.", _list_open),
    ("Open a list of what belongs to one object: see ompd_cl_object_list_open.", _object_list_open),
    ("Give the next rows of a list: see ompd_cl_list_next.", _list_next),
    ("Find an object: see ompd_cl_object_find.", _find),
    ("Describe one object: see ompd_cl_object_get.", _get),
)
FAMILY_MACROS = {
    _list_open: ("LISTED", "LISTED_BY_FILTER"),
    _object_list_open: ("LISTED_OF",),
    _list_next: ("LISTED", "LISTED_BY_FILTER", "LISTED_OF"),
    _find: ("FOUND",),
    _get: ("DESCRIBED",),
}

TYPED_HEAD = f"""/* {SPDX} */
/*
 * The functions of <ompd-opencl.h> with the types of each kind, for C and C++.  They are not in the
 * library.  schema/generate.py has written them from schema/kinds.def.
 */
#ifndef OMPD_OPENCL_TYPED_H
#define OMPD_OPENCL_TYPED_H

#include <ompd-opencl.h>

#ifdef __cplusplus
extern "C" {{
#endif
"""
TYPED_TAIL = """
#ifdef __cplusplus
}
#endif

#endif
"""


def typed_header() -> str:
    """The functions with the types of each kind."""
    lines = table("schema/kinds.def")
    text = TYPED_HEAD
    for comment, function in FAMILIES:
        of_family = [line for line in lines if line.macro in FAMILY_MACROS[function]]
        # A kind may belong to several others, but one function returns its rows.
        functions = dict.fromkeys(function(line) for line in of_family)
        text += f"\n/* {comment} */\n" + "".join("\n" + one for one in functions)
    text += "\n/* Get the typed id of a row. */\n" + "".join(
        "\n" + _id(line) for line in lines if line.macro == "DESCRIBED"
    )
    return text + NAME_AT + TYPED_TAIL


# ---- Python's numbers ----------------------------------------------------------------------------

ENUMERATION_HEAD = f'''# {SPDX}
"""Numbers of the public headers.

schema/generate.py has written them from there.
"""

import enum
'''


def _class(name: str, enumeration: str, members: List[Tuple[str, str]]) -> str:
    lines = "".join(f"    {member.upper()} = {number}\n" for member, number in members)
    return f'\n\nclass {name}(enum.IntEnum):\n    """{enumeration}"""\n\n{lines}'


def python_numbers() -> str:
    """The enumerations that Python's package uses."""
    text = ENUMERATION_HEAD
    for module in MODULES:
        headers = "".join(map(read, module.headers))
        for enumeration, name in module.enumerations.items():
            found = re.findall(rf"^ +{enumeration[:-1]}(\w+) = (\d+),?", headers, re.MULTILINE)
            text += _class(name, enumeration, found)
    return text


# ---- Both ----------------------------------------------------------------------------------------

OUTPUTS: Dict[str, Callable[[], str]] = {
    "include/ompd-opencl-typed.h": typed_header,
    "python/ompd_opencl/enumerations.py": python_numbers,
    **{module.path: partial(python_structures, module) for module in MODULES},
}


def main(arguments: List[str]) -> int:
    """Write the files, or check them."""
    stale = 0
    for path, make in OUTPUTS.items():
        text = make()
        full = os.path.join(SOURCE, path)
        if arguments == ["--check"]:
            if not os.path.exists(full) or read(path) != text:
                print(f"{path} is not what the tables say: run schema/generate.py")
                stale = 1
        else:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
