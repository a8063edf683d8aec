#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manual: a page for each public function, each page good roff, and no command left out."""

import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
from typing import List

BUILD = os.environ["TOP_BUILDDIR"]
SOURCE = os.environ["TOP_SRCDIR"]


def pages() -> List[str]:
    """All manual pages."""
    made = glob.glob(os.path.join(BUILD, "doc", "man3", "*.3"))
    return sorted(made + glob.glob(os.path.join(SOURCE, "doc", "*.7")))


def text_of(page: str) -> str:
    """A page's source."""
    with open(page, encoding="utf-8") as file:
        return file.read()


def commands() -> List[str]:
    """The opencl commands, as GDB lists them when the plugin is loaded."""
    plugin = os.path.join(BUILD, "gdb-plugin", "ompd-opencl-gdb.py")
    gdb = [os.environ["GDB"], "-batch", "-nx", "-x", plugin, "-ex", "help opencl"]
    help_text = subprocess.run(gdb, check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^(opencl [\w-]+)", help_text, re.MULTILINE)


class ManualTest(unittest.TestCase):
    """The manual pages."""

    def test_every_function_has_a_page(self) -> None:
        """The pages of section 3 are the header's functions, and the two of the library itself."""
        with open(os.path.join(SOURCE, "include", "ompd-opencl.h"), encoding="utf-8") as file:
            functions = set(re.findall(r"^ompd_rc_t (ompd_cl_\w+)\(", file.read(), re.MULTILINE))
        self.assertGreater(len(functions), 30)
        names = {os.path.basename(page)[:-2] for page in pages() if page.endswith(".3")}
        self.assertEqual(names, functions | {"libompd-opencl", "ompd-opencl-types"})

    def test_every_page_says_something(self) -> None:
        """A page has what pages have, or leads to one that does."""
        for page in pages():
            with self.subTest(page=os.path.basename(page)):
                text = text_of(page)
                if text.startswith(".so "):
                    target = os.path.join(os.path.dirname(page), os.path.basename(text[4:].strip()))
                    self.assertTrue(os.path.exists(target), target)
                    continue
                self.assertRegex(text, r"(?m)^\.SH NAME\n.*\\- \S")
                self.assertRegex(text, r"(?m)^\.SH (DESCRIPTION|VALUES)$")
                if re.search(r"ompd_cl_\w+\.3$", page):
                    self.assertRegex(text, r"(?m)^\.SH RETURN VALUE\n\.PP\nReturn")

    def test_every_command_is_described(self) -> None:
        """The page of the GDB commands has each that GDB knows."""
        page = text_of(os.path.join(SOURCE, "doc", "ompd-opencl-gdb.7")).replace("\\-", "-")
        known = commands()
        self.assertGreater(len(known), 8)
        described = set(re.findall(r'^\.(?:B|BR|BI) "?(opencl [\w-]+)', page, re.MULTILINE))
        self.assertEqual(described, set(known))

    def test_pages_are_good_roff(self) -> None:
        """groff has nothing to say."""
        if shutil.which("groff") is None:
            print("SKIP: groff is not installed", flush=True)
            return
        for page in pages():
            groff = ["groff", "-man", "-ww", "-z", "-Tutf8", os.path.basename(page)]
            result = subprocess.run(
                groff,
                cwd=os.path.dirname(page),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=True,
            )
            if not text_of(page).startswith(".so "):
                self.assertEqual(result.stdout, "", page)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
