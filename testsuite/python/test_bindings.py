#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bindings say what the headers say: each number, size, offset, member, argument and result.

A C file that names all of them is compiled with the headers, and GDB tells what its debug
information has.  In the other direction, enums have no name that the bindings lack.
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

from ompd_opencl import host_structures, structures, view_structures

HERE = os.path.dirname(os.path.abspath(__file__))

MODULES: Dict[str, Any] = {
    "ompd-opencl.h": structures,
    "ompd-opencl-view.h": view_structures,
    "ompd-opencl-host.h": host_structures,
}
VERSIONS = ("MAJOR", "MINOR")

# Names of ompd_rc_t that this library never returns.
UNUSED = {"ompd_rc_needs_state_tracking", "ompd_rc_device_write_error"}

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
                expected = {key: value for key, value in theirs.items() if key not in UNUSED}
                self.assertEqual(ours, expected, name)
                compared += len(ours)
        self.assertGreater(compared, 80)
        versions = self.headers["versions"]["names"]
        ours = {"VERSION_" + part: getattr(structures, "VERSION_" + part) for part in VERSIONS}
        self.assertEqual(ours, versions)

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
