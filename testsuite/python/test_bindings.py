#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bindings agree with the headers: each number, size, offset, member, argument and result.

A C file that uses all of them is compiled with the headers, and GDB reads its debug information.
In the other direction, enums of the headers have no names that the bindings lack.
"""

import ctypes
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from typing import Any, Dict, List

from harness import GDB, SOURCE

import registry_view
from ompd_opencl import host_structures, structures, view_structures

HERE = os.path.dirname(os.path.abspath(__file__))

MODULES: Dict[str, Any] = {
    "ompd-opencl.h": structures,
    "ompd-opencl-view.h": view_structures,
    "ompd-opencl-host.h": host_structures,
}
VERSIONS = ("MAJOR",)

# What of <ompd-opencl-registry.h> tests know to damage a registry: by the names that numbers have
# in an enum, and of offsets by struct and member.
REGISTRY_ENUMS = ("table_id", "field_id")
TABLE_IDS = ("CONTEXT", "MEMOBJ", "SVM", "SVM_FREE", "CALLBACK", "ADDRESS", "STACK", "THREAD")
FIELD_IDS = (
    *("CHANGE", "HANDLE", "STATE", "PARENT", "HASH_NEXT", "CALLBACKS", "CALLBACK_COUNT", "SIZE"),
    *("OBJECT", "NEXT", "RUN", "POINTERS", "POINTER_COUNT", "DEPTH", "ACTIVITY_COUNT"),
    *("ACTIVITIES", "USAGE"),
)
OFFSETS = {
    "root": {
        **{"MAGIC": "magic", "BYTE_ORDER": "byte_order", "MAJOR": "major", "MINOR": "minor"},
        **{"ROOT_SIZE": "root_size", "TABLE_COUNT": "table_count", "BUCKETS": "buckets"},
        **{"BUCKET_COUNT": "bucket_count", "FIELD_COUNT": "field_count", "TABLES": "tables"},
        "FIELDS": "fields",
    },
    "table": {
        "TABLE_RECORD_SIZE": "record_size",
        "TABLE_RECORDS_PER_CHUNK": "records_per_chunk",
        "TABLE_CHUNK_COUNT": "chunk_count",
        "TABLE_DIRECTORY": "directory",
        "TABLE_ENTRY_SIZE": "directory_entry_size",
        "TABLE_FIELD_COUNT": "field_count",
    },
    "chunk": {"CHUNK_USED": "used"},
}

_INTEGERS = (
    *(ctypes.c_int8, ctypes.c_int16, ctypes.c_int32, ctypes.c_int64),
    *(ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64),
)


def shape(kind: Any) -> List[Any]:
    """A type of ctypes in the terms of in_gdb_headers.py; a pointer to anything is ["pointer"]."""
    if kind is None:
        return ["void", 0]
    if kind is ctypes.c_void_p:
        return ["pointer"]
    if kind is ctypes.c_char_p:
        return ["pointer", ["char", 1]]
    if kind is ctypes.c_bool:
        return ["bool", 1]
    if kind is ctypes.c_char:
        return ["char", 1]
    if kind in _INTEGERS or kind in (ctypes.c_int, ctypes.c_size_t, ctypes.c_ssize_t):
        return ["char", 1] if ctypes.sizeof(kind) == 1 else ["int", ctypes.sizeof(kind)]
    if issubclass(kind, ctypes.Structure):
        return ["struct", ctypes.sizeof(kind)]
    if issubclass(kind, ctypes.Array):
        return ["array", kind._length_, shape(kind._type_)]
    if hasattr(kind, "_argtypes_"):
        arguments = [shape(argument) for argument in kind._argtypes_]
        return ["pointer", ["function", shape(kind._restype_), arguments]]
    return ["pointer", shape(kind._type_)]


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether a shape is one that the header's may be passed as."""
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return bool(ours == theirs)
    if ours == ["pointer"]:
        return bool(theirs[0] == "pointer")
    if ours == ["pointer", ["pointer"]] and theirs[0] == "pointer":
        return bool(theirs[1][0] == "pointer")
    return len(ours) == len(theirs) and all(map(agrees, ours, theirs))


def read_headers() -> Dict[str, Any]:
    """What the headers say of all that the bindings name."""
    lines = ["#include <%s>" % header for header in MODULES]
    names = []
    for module in MODULES.values():
        for name in (*module.ENUMS, *module.STRUCTURES):
            lines.append("%s type_of_%s;" % (name, name))
            names.append("type_of_" + name)
        for name in module.PROTOTYPES:
            lines.append("__typeof__(%s) *pointer_to_%s;" % (name, name))
            names.append("pointer_to_" + name)
    lines.append("#include <ompd-opencl-registry.h>")
    for keyword, parts in (("enum", REGISTRY_ENUMS), ("struct", tuple(OFFSETS))):
        for part in parts:
            lines.append("%s ompd_cl_registry_%s registry_%s;" % (keyword, part, part))
            names.append("registry_" + part)
    words = ", ".join("VERSION_%s = OMPD_CL_VERSION_%s" % (part, part) for part in VERSIONS)
    lines.append("enum { %s } versions;" % words)
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, "names.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        built = os.path.join(folder, "names.o")
        include = "-I" + os.path.join(SOURCE, "include")
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-g", "-c", include, "-o", built, path], check=True)
        return _facts(built, [*names, "versions"])
    finally:
        shutil.rmtree(folder)


def _facts(built: str, names: List[str]) -> Dict[str, Any]:
    script = os.path.join(HERE, "in_gdb_headers.py")
    words = [GDB, "-batch", "-nx", built, "-x", script, "-ex", "python tell()"]
    done = subprocess.run(
        words,
        env=dict(os.environ, VARIABLES=" ".join(names)),
        stdout=subprocess.PIPE,
        check=True,
        universal_newlines=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    if not isinstance(found, dict):
        raise AssertionError("GDB told no facts")
    return found


class TestBindings(unittest.TestCase):
    headers: Dict[str, Any] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.headers = read_headers()

    def test_numbers(self) -> None:
        compared = 0
        for module in MODULES.values():
            for name, (prefix, numbers) in module.ENUMS.items():
                theirs = self.headers["type_of_" + name]["names"]
                ours = {prefix + number.name.lower(): int(number) for number in numbers}
                self.assertEqual(ours, theirs, name)
                compared += len(ours)
        self.assertGreater(compared, 80)
        versions = self.headers["versions"]["names"]
        ours = {"VERSION_" + part: getattr(structures, "VERSION_" + part) for part in VERSIONS}
        self.assertEqual(ours, versions)

    def test_registry(self) -> None:
        """The numbers by which tests find things in a registry, and offsets."""
        for part, prefix, ours in (
            ("table_id", "ompd_cl_registry_", TABLE_IDS),
            ("field_id", "ompd_cl_registry_field_", FIELD_IDS),
        ):
            theirs = self.headers["registry_" + part]["names"]
            for name in ours:
                number = getattr(registry_view, name)
                self.assertEqual(number, theirs[prefix + name.lower()], name)
        for part, members in OFFSETS.items():
            offsets = {name: offset for name, offset, _shape in self._members(part)}
            for name, member in members.items():
                self.assertEqual(getattr(registry_view, name), offsets[member], name)
        self.assertEqual(registry_view.TABLE_SIZE, self.headers["registry_table"]["size"])
        known = {*TABLE_IDS, *FIELD_IDS, *(name for part in OFFSETS.values() for name in part)}
        numbers = {name for name, value in vars(registry_view).items() if isinstance(value, int)}
        public = {name for name in numbers if not name.startswith("_")}
        self.assertEqual(public, known | {"TABLE_SIZE"})

    def _members(self, part: str) -> List[Any]:
        members = self.headers["registry_" + part]["members"]
        if not isinstance(members, list):
            raise AssertionError("no members of " + part)
        return members

    def test_structures(self) -> None:
        compared = 0
        for module in MODULES.values():
            for name, structure in module.STRUCTURES.items():
                theirs = self.headers["type_of_" + name]
                self.assertEqual(ctypes.sizeof(structure), theirs["size"], name)
                ours = [
                    [field[0], getattr(structure, field[0]).offset, shape(field[1])]
                    for field in structure._fields_
                ]
                self.assertEqual(len(ours), len(theirs["members"]), name)
                for member, their_member in zip(ours, theirs["members"]):
                    where = "%s.%s" % (name, member[0])
                    self.assertEqual(member[:2], their_member[:2], where)
                    self.assertTrue(agrees(member[2], their_member[2]), (where, their_member))
                    compared += 1
        self.assertGreater(compared, 150)

    def test_functions(self) -> None:
        compared = 0
        for module in MODULES.values():
            for name, (result, arguments) in module.PROTOTYPES.items():
                theirs = self.headers["pointer_to_" + name]["shape"]
                words = [shape(argument) for argument in arguments]
                ours = ["pointer", ["function", shape(result), words]]
                self.assertTrue(agrees(ours, theirs), (name, ours, theirs))
                compared += 1
        self.assertGreater(compared, 40)


if __name__ == "__main__":
    unittest.main(verbosity=2)
