#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GDB plugin's facts about OpenCL functions agree with the OpenCL headers."""

import glob
import os
import re
import sys
import unittest
from typing import Any, Dict, List

SOURCE = os.environ["TOP_SRCDIR"]
for room in ("python", "gdb-plugin"):
    sys.path.insert(0, os.path.join(SOURCE, room))

HEADERS = glob.glob("/usr/include/CL/cl*.h")
PROTOTYPE = re.compile(
    r"([\w* ]+?)\s*CL_API_CALL\s+(cl\w+)\s*\(([^;]*?)\)\s*CL_(?:API|EXT)_SU", re.S
)
LONG = r"cl_(?:\w+_)?flags|cl_bitfield|cl_device_type|cl_command_queue_properties|cl_ulong"
SHORT = r"cl_u?int|cl_bool|cl_GL(?!sync)\w+|cl_addressing_mode|cl_filter_mode|cl_buffer_create_type"


def letter(parameter: str) -> str:
    """What a parameter is called in the plugin's table, where it is no more than a word."""
    if "*" in parameter or "[" in parameter or "CL_CALLBACK" in parameter:
        return "w"
    words = parameter.split()
    if any(re.fullmatch(LONG, word) for word in words):
        return "l"
    return "i" if any(re.fullmatch(SHORT, word) for word in words) else "w"


def split(parameters: str) -> List[str]:
    """The parameters, of which callbacks have commas of their own."""
    while re.search(r"\([^()]*\)", parameters):
        parameters = re.sub(r"\([^()]*\)", " * ", parameters)
    return [parameter.strip() for parameter in parameters.split(",")]


def declared() -> Dict[str, List[str]]:
    """The parameters of each function that the headers declare."""
    found: Dict[str, List[str]] = {}
    for path in HEADERS:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|^#.*?$", "", file.read(), flags=re.S | re.M)
        for _result, name, parameters in PROTOTYPE.findall(text):
            found.setdefault(name, split(parameters))
    return found


class TestFunctions(unittest.TestCase):
    def setUp(self) -> None:
        if not HEADERS:
            self.skipTest("OpenCL's headers are not installed")
        from ompd_opencl_gdb import api_functions  # the package, without GDB

        self.api: Any = api_functions
        self.declared = declared()

    def _check(self, name: str, parameters: str) -> None:
        given = self.declared.get(name)
        if given is None:  # as a type alone
            self.assertRegex(name, "KHR$")
            return
        plain = "".join("w" if each in "zhe" else each for each in parameters)
        self.assertEqual(plain, "".join(map(letter, given)), name)
        error = next((at for at, each in enumerate(given) if "errcode_ret" in each), -1)
        self.assertEqual(parameters.find("e"), error, name)
        size = parameters.find("z")
        if size >= 0:
            self.assertRegex(given[size], r"^size_t\s+size$")

    def test_parameters(self) -> None:
        functions = self.api.creating() + self.api.releasing()
        self.assertGreater(len(functions), 40)
        for function in functions:
            with self.subTest(function=function.name):
                self._check(function.name, function.parameters)

    def test_callbacks(self) -> None:
        for event in ("destructor", "svm-free"):
            for function in self.api.registering(event):
                with self.subTest(function=function.name):
                    self._check(function.name, function.parameters)
                    self.assertIn("*", self.declared[function.name][function.callback])

    def test_releases(self) -> None:
        """Each kind that is made is released by some function, and the numbers know them all."""
        kinds = {function.kind for function in self.api.creating()}
        self.assertEqual(kinds, {function.kind for function in self.api.releasing()})
        path = os.path.join(SOURCE, "schema", "calls.def")
        with open(path, encoding="utf-8") as file:
            numbered = set(re.findall(r"(?m)^(?:CALL|NEWER|EXTENSION)\(\d+, (\w+)", file.read()))
        names = {each.name for each in self.api.creating() + self.api.releasing()}
        self.assertEqual(names - numbered, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
