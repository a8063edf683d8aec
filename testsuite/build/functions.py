#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder wraps every function of OpenCL, or a reason is written down, and error codes have
the names that OpenCL gives them. The lists are of the newest headers; those of this machine may
be older or newer.

    testsuite/build/functions.py --write FOLDER
        prints the lines of testsuite/support/opencl-functions for the headers in FOLDER
    testsuite/build/functions.py --write-errors cl.xml
        prints the lines of testsuite/support/opencl-errors
"""

import glob
import os
import re
import subprocess
import sys
import unittest
from typing import Dict, List, Set

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUNCTIONS = "testsuite/support/opencl-functions"
ERRORS = "testsuite/support/opencl-errors"

# A function as headers declare it, or its type. Older headers have types for some functions alone.
DECLARED = re.compile(r"CL_API_CALL\s*\*?\s*(cl[A-Z]\w*?)(?:_t|_fn)?\s*\)?\s*\(")
# The code of an extension's error: OpenCL counts them down from -1000.
ERROR = re.compile(r"(?m)^#define\s+(CL_\w+)\s+\(?(-1\d{3})\)?\s*$")
# Other constants with such a value: limits of numbers.
LIMIT = re.compile(r"CL_(FLT|DBL|HALF)_")
WRAPPED = re.compile(r"(?m)^(?:CALL|NEWER|EXTENSION)\(\d+, (\w+)")
NAMED = re.compile(r'NAME\((-?\d+), "(CL_\w+)"')


def read(path: str) -> str:
    """A file of the tree, or of the machine."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def entries(path: str) -> Dict[str, str]:
    """The first word of each line of a list, and the rest of the line."""
    lines = [line.split(maxsplit=1) for line in read(path).splitlines() if line[0] != "#"]
    return {words[0]: words[1] if len(words) > 1 else "" for words in lines}


def headers(folder: str) -> List[str]:
    """The texts of the OpenCL headers in a folder."""
    return [read(path) for path in sorted(glob.glob(os.path.join(folder, "*.h")))]


def declared(folder: str) -> Set[str]:
    """The functions that the headers in a folder declare."""
    return {name for text in headers(folder) for name in DECLARED.findall(text)}


def installed() -> str:
    """The folder of the headers that the compiler uses."""
    command = ["cc", "-M", "-DCL_TARGET_OPENCL_VERSION=300", "-x", "c", "-"]
    text = "#include <CL/cl_ext.h>\n"
    done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, check=True)
    return next(os.path.dirname(path) for path in done.stdout.split() if path.endswith("cl_ext.h"))


def names_of_errors() -> Dict[str, str]:
    """The name that the tables give to each error code."""
    text = read("schema/names.def")
    group = text[text.index("NAMES_BEGIN(error)") : text.index("NAMES_END(error)")]
    return dict(NAMED.findall(group))


class FunctionsTest(unittest.TestCase):
    """The functions and error codes of headers, and those that the tables know."""

    def test_newest(self) -> None:
        """Each function of the newest headers is wrapped, or has a reason, but not both."""
        wrapped = set(WRAPPED.findall(read("schema/calls.def")))
        listed = entries(FUNCTIONS)
        self.assertGreater(len(listed), 250)
        self.assertEqual({name for name in listed if not listed[name]} - wrapped, set())
        self.assertEqual({name for name in listed if listed[name]} & wrapped, set())

    def test_installed(self) -> None:
        """The headers of this machine have no function that the list and the tables lack."""
        found = declared(installed())
        self.assertGreater(len(found), 200)
        wrapped = set(WRAPPED.findall(read("schema/calls.def")))
        self.assertEqual(found - set(entries(FUNCTIONS)) - wrapped, set())

    def test_errors(self) -> None:
        """Each error code has a name, which is one of those that OpenCL gives it."""
        named = names_of_errors()
        listed = entries(ERRORS)
        self.assertGreater(len(listed), 100)
        wrong = {code for code in listed if named.get(code) not in listed[code].split()}
        self.assertEqual(wrong, set())

    def test_installed_errors(self) -> None:
        """The headers of this machine have no error code without a name."""
        found = {pair for text in headers(installed()) for pair in ERROR.findall(text)}
        self.assertGreater(len(found), 15)
        named = names_of_errors()
        lacking = {name for name, code in found if code not in named and not LIMIT.match(name)}
        self.assertEqual(lacking, set())


def write_functions(folder: str) -> None:
    """Print the list of functions; known reasons remain."""
    reasons = entries(FUNCTIONS)
    for name in sorted(declared(folder)):
        print(f"{name}  {reasons.get(name, '')}".rstrip())


def write_errors(path: str) -> None:
    """Print the error codes of the registry of OpenCL and their names."""
    text = re.sub(r"<!--.*?-->", "", read(path), flags=re.DOTALL)
    names: Dict[int, List[str]] = {}
    for block in re.findall(r'<enums [^>]*name="ErrorCodes.*?</enums>', text, re.DOTALL):
        for code, name in re.findall(r'<enum value="(-?\d+)"\s+name="(CL_\w+)"', block):
            names.setdefault(int(code), []).append(name)
    for value in sorted(names, reverse=True):
        print(value, *names[value])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_functions(os.path.abspath(sys.argv[2]))
    elif sys.argv[1:2] == ["--write-errors"]:
        write_errors(os.path.abspath(sys.argv[2]))
    else:
        unittest.main(verbosity=2)
