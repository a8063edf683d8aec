# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that the tests of learning share: run the command, and read layouts."""

from __future__ import annotations

import difflib
import glob
import os
import re
import sys
from typing import Dict, List, NamedTuple

from command import INCOMPLETE, OK, Answer, run
from harness import SOURCE, Skip, environment, thorough, work_folder

# Variables that make Intel's NEO simulate a device.
SIMULATION = ("NEOReadDebugKeys", "SetCommandStreamReceiver", "ProductFamilyOverride")


def folder_of(name: str) -> str:
    """A new empty folder of the test's own; others may run at the same time."""
    test, _ = os.path.splitext(os.path.basename(sys.argv[0]))
    return work_folder(os.path.join("learn", test, name))


def variables_for(name: str, libraries: Dict[str, str]) -> Dict[str, str]:
    """The environment of a machine with the runtimes LIBRARIES, by their names, and an empty
    home."""
    vendors = folder_of(name + "-vendors")
    for runtime, library in libraries.items():
        with open(os.path.join(vendors, runtime + ".icd"), "w", encoding="utf-8") as file:
            file.write(library + "\n")
    result = environment("icd", recorder=False)
    result["OCL_ICD_VENDORS"] = vendors
    result["HOME"] = folder_of(name + "-home")
    for variable in (*SIMULATION, "XDG_DATA_HOME", "OCL_ICD_FILENAMES", "MADE_ICD"):
        result.pop(variable, None)
    return result


def learned_in(home: str) -> List[str]:
    """The layouts that the user of a home has."""
    return sorted(glob.glob(os.path.join(home, ".local/share/ompd-opencl/layouts/*")))


def learn_text(runtime: str, variables: Dict[str, str]) -> str:
    """The layout that is learned of a runtime, named or by its library."""
    answer = run(["learn", "--output", "-", runtime], variables)
    if "built with AddressSanitizer" in answer.errors:
        raise Skip("the probe is built with AddressSanitizer")
    if answer.code != OK:
        raise AssertionError(answer)
    return answer.output


class Layout(NamedTuple):
    """A layout, taken apart."""

    head: Dict[str, str]
    objects: Dict[str, List[str]]  # lines by kind, without indentation


def parse(text: str) -> Layout:
    """Take a layout apart."""
    layout = Layout({}, {})
    lines: List[str] = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "object":
            lines = layout.objects.setdefault(rest, [])
        elif word:
            layout.head[word] = rest
        else:
            lines.append(line.strip())
    return layout


def without_numbers(line: str) -> str:
    """The words of a line that are no numbers."""
    return " ".join(word for word in line.split() if not re.match("-?[0-9]", word))


def shipped(name: str) -> str:
    """The text of a layout that is shipped."""
    with open(os.path.join(SOURCE, "layouts", name), encoding="utf-8") as file:
        return file.read()


class ShippedCases:
    """Set `runtime`, `library` and `file`, and derive from unittest.TestCase, too."""

    runtime = ""
    file = ""
    # Facts that must be learned about the version of `file`, by kind of object, whatever its layout
    # has.
    wanted: Dict[str, List[str]] = {}
    text = ""
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        variables = environment(cls.runtime, recorder=False)
        cls.variables = dict(variables, HOME=folder_of(cls.runtime + "-home"))
        cls.text = learn_text("only", cls.variables)

    def shipped_file(self) -> str:
        """The shipped layout of the runtime's version; "" for none."""
        for name in sorted(os.listdir(os.path.join(SOURCE, "layouts"))):
            if name.endswith(".layout"):
                if parse(shipped(name)).head["runtime"] == parse(self.text).head["runtime"]:
                    return name
        return ""

    def is_shipped_build(self) -> bool:
        """Whether a shipped layout is of the build that is installed."""
        file = self.shipped_file()
        if not file:
            return False
        return parse(self.text).head["build-id"] == parse(shipped(file)).head["build-id"]

    def test_same_as_shipped(self) -> None:
        """The shipped layout is the learned one, byte for byte."""
        if not self.is_shipped_build():
            raise Skip("%s is of another build than the layout" % self.runtime)
        file = self.shipped_file()
        if self.text != shipped(file):
            raise AssertionError("%s is not what is learned:\n%s" % (file, self.text))

    @thorough
    def test_twice(self) -> None:
        """Learning the same runtime twice gives the same layout."""
        again = learn_text("only", self.variables)
        if again != self.text:
            changes = difflib.unified_diff(self.text.splitlines(), again.splitlines(), lineterm="")
            raise AssertionError("learned twice, the layouts differ:\n%s" % "\n".join(changes))

    def test_wanted(self) -> None:
        """All that is known of this version was found; of another build, which may have it
        elsewhere, in whatever place."""
        file = self.shipped_file()
        if not file:
            raise Skip("%s is of a version that no layout is of" % self.runtime)
        objects = parse(self.text).objects
        wanted = self.wanted if file == self.file else parse(shipped(file)).objects
        for kind, lines in wanted.items():
            found = objects.get(kind, [])
            if not self.is_shipped_build():
                found = [without_numbers(line) for line in found]
                lines = [without_numbers(line) for line in lines]
            for line in lines:
                if line not in found:
                    raise AssertionError("%s lacks: %s" % (kind, line))


__all__ = [
    "Answer",
    "INCOMPLETE",
    "OK",
    "ShippedCases",
    "folder_of",
    "learn_text",
    "learned_in",
    "parse",
    "run",
    "shipped",
    "variables_for",
]
