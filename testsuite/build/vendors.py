#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests find an installed runtime by its library, whatever the name of its .icd file."""

import os
import sys
import tempfile
import unittest
from typing import Dict

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "programs", "demo"))
from vendor_files import icd_file, icd_library  # noqa: E402

FILES = {
    "any.icd": "/opt/runtimes/libpocl.so.2.15.0\n",
    "pocl.icd": "libother.so.1\n",
    "libpocl.so.icd": "",
    "tool.icd": "libpocl-devices-basic.so",
}


class TestIcdFile(unittest.TestCase):
    def find(self, folder: str, files: Dict[str, str]) -> str:
        """What is found of PoCL where these FILES are in FOLDER."""
        with tempfile.TemporaryDirectory() as root:
            vendors = os.path.join(root, folder)
            os.makedirs(vendors)
            for name, text in files.items():
                with open(os.path.join(vendors, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(icd_file("rusticl", root), "")
            path = icd_file("pocl", root)
            if path:
                self.assertEqual(icd_library(path), files[os.path.basename(path)].strip())
            return os.path.relpath(path, root) if path else ""

    def test_by_library(self) -> None:
        for folder in ("etc/OpenCL/vendors", "usr/share/OpenCL/vendors"):
            self.assertEqual(self.find(folder, FILES), folder + "/any.icd")

    def test_none(self) -> None:
        others = {name: text for name, text in FILES.items() if name != "any.icd"}
        self.assertEqual(self.find("etc/OpenCL/vendors", others), "")


if __name__ == "__main__":
    unittest.main()
