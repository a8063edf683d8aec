# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs inside GDB: prints what the debug information of an object file says of types, as JSON.

Each type is the variable of its name: a struct is its size and its members, with their offsets and
types; a function its result and arguments; an enum its names and numbers.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any, Dict, List, Union

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")

Shape = Union[str, List[Any]]

_WORDS = {
    gdb.TYPE_CODE_VOID: "void",
    gdb.TYPE_CODE_BOOL: "bool",
    gdb.TYPE_CODE_ENUM: "enum",
    gdb.TYPE_CODE_STRUCT: "struct",
    gdb.TYPE_CODE_UNION: "union",
    gdb.TYPE_CODE_INT: "int",
    gdb.TYPE_CODE_CHAR: "char",
}


def shape(kind: Any) -> Shape:
    """What counts of a type where it is passed: of a pointer, what it points to."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        return ["pointer", shape(kind.target())]
    if kind.code == gdb.TYPE_CODE_ARRAY:
        first, last = kind.range()
        return ["array", last - first + 1, shape(kind.target())]
    if kind.code == gdb.TYPE_CODE_FUNC:
        arguments = [shape(field.type) for field in kind.fields()]
        return ["function", shape(kind.target()), arguments]
    word = _WORDS.get(kind.code, str(kind.code))
    if word in ("void", "struct"):
        return [word, 0 if word == "void" else kind.sizeof]
    if word in ("int", "char") and kind.sizeof == 1:
        return ["char", 1]
    return ["int" if word in ("int", "enum", "char") else word, kind.sizeof]


def facts(kind: Any) -> Dict[str, Any]:
    """All of a type that has a name."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ENUM:
        return {"names": {field.name: field.enumval for field in kind.fields()}}
    if kind.code == gdb.TYPE_CODE_STRUCT:
        members = [[field.name, field.bitpos // 8, shape(field.type)] for field in kind.fields()]
        return {"size": kind.sizeof, "members": members}
    return {"shape": shape(kind)}


def tell() -> None:
    """Print the facts of the variables that the environment names."""
    names = os.environ["VARIABLES"].split()
    print(json.dumps({name: facts(gdb.lookup_global_symbol(name).type) for name in names}))
