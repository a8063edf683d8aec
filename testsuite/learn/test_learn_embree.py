#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layouts of Embree are the shipped ones, and have what a device's bytes need."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict, List

from command import OK, run
from embree import library
from harness import environment, main
from learning import folder_of, learn_text, learned_in, parse, shipped

_CLASS = re.compile(r"^class (\S+) (\S+)(?: 0x[0-9a-f]+)?$")


def classes_of(text: str) -> Dict[str, List[str]]:
    """The lines of each class, by its kind and name.  Classes share the lines that follow them."""
    classes: Dict[str, List[str]] = {}
    shared: List[str] = []
    for line in text.splitlines():
        match = _CLASS.match(line)
        if match:
            shared = [] if shared else shared
            classes["%s %s" % match.groups()] = shared
        elif line.startswith("  "):
            shared.append(line.strip())
    return classes


class EmbreeCase(unittest.TestCase):
    """How it is with one library."""

    name = ""
    file = ""  # the shipped layout
    wanted: Dict[str, List[str]] = {}  # of the version of that
    text = ""
    library = ""
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.library = library(cls.name)
        variables = environment("icd", recorder=False)
        cls.variables = dict(variables, HOME=folder_of(cls.name + "-home"))
        cls.variables.pop("XDG_DATA_HOME", None)
        cls.text = learn_text(cls.library, cls.variables)

    def is_shipped_build(self) -> bool:
        """Whether the shipped layout is of the build that is installed."""
        own, file = parse(self.text).head, parse(shipped(self.file)).head
        return all(own.get(word) == file.get(word) for word in ("build-id", "runtime", "module"))

    def test_same_as_shipped(self) -> None:
        """The shipped layout is the learned one, byte for byte.  Of another build it has the same
        classes."""
        if self.is_shipped_build():
            self.assertEqual(self.text, shipped(self.file))
        elif parse(self.text).head["runtime"] == parse(shipped(self.file)).head["runtime"]:
            self.assertEqual(classes_of(self.text), classes_of(shipped(self.file)))

    def test_wanted(self) -> None:
        """What the headers of this version say."""
        classes = classes_of(self.text)
        if parse(self.text).head["runtime"] == parse(shipped(self.file)).head["runtime"]:
            for name, lines in self.wanted.items():
                for line in lines:
                    self.assertIn(line, classes[name], name)

    def test_bytes(self) -> None:
        """Whatever the version, the sums of the memory monitor were right."""
        kinds = {name.split()[0] for name in classes_of(self.text)}
        self.assertLessEqual({"bvh", "builder", "part", "user-bvh", "block"}, kinds)

    def test_written(self) -> None:
        """The file is named after the build-id, or the library."""
        answer = run(["learn", self.library], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""), answer)
        [path] = learned_in(self.variables["HOME"])
        head = parse(self.text).head
        name = head.get("build-id", head["module"]) + ".layout"
        self.assertEqual(os.path.basename(path), name)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.text)


class TestLearnEmbree3(EmbreeCase):
    name = "embree3"
    file = "embree-3.13.5.layout"
    wanted = {
        "device N6embree6DeviceE": ["member monitor_function 1336 8", "base 1352"],
        "buffer N6embree6BufferE": ["member pointer 24 8", "member bytes 32 8"],
        "scene N6embree5SceneE": ["member device 616 8", "own-each 440 448"],
        "geometry N6embree10SubdivMeshE": ["vectors 168 152 152 64 32", "vector 648 1"],
        "bvh N6embree4BVHNILi4EEE": ["member used_blocks 208 8", "vector 912 32"],
        "builder N6embree3avx31BVHNSubdivPatch1MBlurBuilderSAHILi4EEE": [
            "vector 32 80",
            "vector 72 32",
        ],
    }


class TestLearnEmbree4(EmbreeCase):
    name = "embree4"
    file = "embree-4.3.3.layout"
    wanted = {
        "geometry N6embree8InstanceE": ["bytes 176", "bytes-each time_steps 64", "scene-slot 88"],
    }


class TestLearnEmbreex(EmbreeCase):
    name = "embreex"
    file = "embree-4.4.0-embreex.layout"
    wanted = {
        "geometry N6embree8GeometryE": ["view 48 32 24", "member enabled 62 1 5 1"],
        "geometry N6embree13InstanceArrayE": ["bytes 208", "scene-slots 96 104"],
        "buffer N6embree6BufferE": ["member pointer 32 8", "member bytes 24 8"],
    }


del EmbreeCase  # it is of no library


if __name__ == "__main__":
    main()
