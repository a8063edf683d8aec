#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manual has a page for each public function, correct roff, and every command."""

import ctypes
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
from typing import Dict, List, Set

import generate

BUILD = os.environ["TOP_BUILDDIR"]
SOURCE = os.environ["TOP_SRCDIR"]
LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl.so")
HOST_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-host.so")  # where elfutils is
VIEW_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-view.so")
PAGES = os.path.join(BUILD, "doc", "pages")
PROTOTYPE = (
    r"(?m)^\.BI \"(ompd_rc_t |ompd_host_rc_t |ompd_view_exit_t |void |bool |const \w+ \*)ompd_\w+\("
)
# Functions of the headers themselves; conversions to ids have no page.
INLINE = r"(?m)^static inline (?:ompd_rc_t\s|const \w+ \*)(ompd_\w+)\("


def pages() -> List[str]:
    """All manual pages."""
    return sorted(glob.glob(f"{PAGES}/*.[357]") + glob.glob(os.path.join(SOURCE, "doc", "*.[157]")))


def text_of(page: str) -> str:
    """A page's source."""
    with open(page, encoding="utf-8") as file:
        return file.read()


def exported_functions(library: str) -> Set[str]:
    """A library's functions, as its dynamic symbol table has them."""
    lines = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return set(re.findall(r" T (ompd_\w+)", lines))


# Rules that unit tests alone break.
WITHOUT_PROGRAM = {
    "argument-gone",
    "argument-never-set",
    "host-memory-shared",
    "sub-buffers-overlap",
}


class FieldDescription(ctypes.Structure):
    """The beginning of ompd_cl_field_t."""

    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("title", ctypes.c_char_p),
    ]


def known_fields() -> Dict[str, List[str]]:
    """The names of the fields of each kind of row, asked of the library."""
    library = ctypes.CDLL(LIBRARY)
    name = ctypes.c_char_p()
    size = ctypes.c_uint64()
    field = ctypes.POINTER(FieldDescription)()
    kinds: Dict[str, List[str]] = {}
    for kind in range(1, 64):
        if library.ompd_cl_kind_get(kind, ctypes.byref(name), ctypes.byref(size)) != 0:
            continue
        fields: List[str] = []
        while library.ompd_cl_field_get(kind, len(fields), ctypes.byref(field)) == 0:
            fields.append(field.contents.name.decode())
        assert name.value is not None
        kinds[name.value.decode()] = fields
    return kinds


def commands() -> List[str]:
    """The opencl commands, as GDB lists them when the plugin is loaded."""
    plugin = os.path.join(BUILD, "gdb-plugin", "ompd-opencl-gdb.py")
    gdb = [os.environ["GDB"], "-batch", "-nx", "-x", plugin, "-ex", "help opencl"]
    help_text = subprocess.run(gdb, check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^(opencl [\w-]+)", help_text, re.MULTILINE)


class ManualTest(unittest.TestCase):
    """The manual pages."""

    def test_every_function_has_a_page(self) -> None:
        """The pages of section 3 are the libraries' functions, and two of each library itself."""
        wanted = exported_functions(LIBRARY) | {"libompd-opencl", "ompd-opencl-types"}
        for name in ("ompd-opencl.h", "ompd-opencl-typed.h"):
            header = text_of(os.path.join(SOURCE, "include", name))
            wanted |= set(re.findall(INLINE, header))
        self.assertGreater(len(wanted), 80)
        wanted |= {"libompd-opencl-view", "ompd-opencl-view-types"}
        wanted |= exported_functions(VIEW_LIBRARY)
        self.assertIn("ompd_view_line_run", wanted)
        if os.path.exists(HOST_LIBRARY):
            wanted |= {"libompd-opencl-host", "ompd-opencl-host-types"}
            wanted |= exported_functions(HOST_LIBRARY)
            self.assertIn("ompd_host_place_get", wanted)
        names = {os.path.basename(page)[:-2] for page in pages() if page.endswith(".3")}
        self.assertEqual(names, wanted)

    def test_every_field_has_a_row(self) -> None:
        """The page of the fields has those of each kind, in the library's order."""
        page = text_of(os.path.join(PAGES, "ompd-opencl-fields.7")).replace("\\-", "-")
        sections = re.split(r"(?m)^\.SH ([A-Z_]+)\n\\fBompd_cl_", page)
        rows = {
            kind.lower(): re.findall(r"(?m)^\.TP\n\.BR (\w+) .*\n(?:\.ad l\n)?[^.\s]", text)
            for kind, text in zip(sections[1::2], sections[2::2])
        }
        self.assertGreater(sum(len(fields) for fields in rows.values()), 100)
        self.assertEqual(rows, known_fields())

    def test_every_rule_is_described(self) -> None:
        """The page of the rules has each, with the test programs that break it."""
        page = text_of(os.path.join(PAGES, "ompd-opencl-rules.7")).replace("\\-", "-")
        entries = re.split(r"(?m)^\.TP\n\.BR ([\w-]+) .*\n", page)
        texts = dict(zip(entries[1::2], entries[2::2]))
        rules = {line.arguments[4] for line in generate.table("schema/rules.def")}
        self.assertGreater(len(rules), 45)
        self.assertEqual(set(texts), rules)
        untested = {rule for rule, text in texts.items() if "\nTested by " not in text}
        self.assertLessEqual(untested, WITHOUT_PROGRAM)

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
                self.assertRegex(text, r"(?m)^\.SH (DESCRIPTION|VALUES|TARGETS)$")
                if re.search(r"ompd_\w+\.3$", page):
                    self.assertRegex(text, r"(?m)^\.SH RETURN VALUE\n\.PP\nReturn")
                    self.assertRegex(text, PROTOTYPE)

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


class LayoutInfo(ctypes.Structure):
    """ompd_cl_layout_info_t: three texts, two values."""

    _fields_ = [("struct_size", ctypes.c_uint64), ("fields", ctypes.c_char * (3 * 128 + 2 * 16))]


class LayoutTest(unittest.TestCase):
    """The page of the layouts is enough to write one."""

    def setUp(self) -> None:
        page = text_of(os.path.join(SOURCE, "doc", "ompd-opencl-layout.5"))
        self.page = page.replace("\\-", "-").replace("\\fR", "").replace("\\fP", "")

    def test_example(self) -> None:
        """The example is a layout, and would be none with a word that is wrong."""
        example = re.search(r"(?s)\.SH EXAMPLE\n\.EX\n(.*?)\.EE\n", self.page)
        assert example is not None
        text = example.group(1).encode()
        library = ctypes.CDLL(LIBRARY)
        info = LayoutInfo(struct_size=ctypes.sizeof(LayoutInfo))

        def get(layout: bytes) -> int:
            size = ctypes.c_uint64(len(layout))
            return int(library.ompd_cl_layout_get(layout, size, ctypes.byref(info)))

        self.assertEqual(get(text), 0)
        self.assertIn(b"Example Computing 1.0", bytes(info))
        self.assertNotEqual(get(text.replace(b"field size", b"field siez")), 0)

    def test_every_word_is_described(self) -> None:
        """Each kind of line, kind of object, field, list and shape that the library knows."""
        known: Set[str] = set()
        for line in generate.table("schema/layout.def"):
            is_word = line.macro not in ("LAYOUT_KIND", "LAYOUT_LIST")
            known.add(line.arguments[1 if is_word else 0])
        for file in ("layout.c", "parse-list.c", "parse-class.c"):
            source = text_of(os.path.join(SOURCE, "libompd", "sources", "layout", file))
            known |= set(re.findall(r'(?m)^    (?:\[\w+\] = )?\{"([a-z_-]+)",', source))
        self.assertGreater(len(known), 60)
        bold = re.findall(r"(?m)^\.(?:B|BR|BI) (.*)$", self.page)
        described = {word.strip('",*()') for line in bold for word in line.split()}
        self.assertEqual(known - described, set())


class GuideTest(unittest.TestCase):
    """The guide for debugger vendors leaves nothing out."""

    def setUp(self) -> None:
        self.guide = text_of(os.path.join(SOURCE, "doc", "guide-vendors.md"))
        self.header = text_of(os.path.join(SOURCE, "include", "ompd-opencl.h"))

    def rows(self, prefix: str) -> List[str]:
        """What the first column of the guide's tables names, of the names with a prefix."""
        return re.findall(rf"(?m)^\| `({prefix}\w+)`", self.guide)

    def test_return_codes(self) -> None:
        """Each code that the header's head explains has a row that says what to do."""
        head = self.header[: self.header.index("#ifndef")]
        codes = re.findall(r"(?m)^ \*   (ompd_rc_\w+) ", head)
        self.assertGreater(len(codes), 10)
        self.assertEqual(sorted(self.rows("ompd_rc_")), sorted(codes))

    def test_statuses(self) -> None:
        """Each status of a field has a row that says what to show."""
        statuses = re.findall(r"(?m)^    (ompd_cl_status_\w+) = \d", self.header)
        self.assertGreater(len(statuses), 8)
        self.assertEqual(sorted(self.rows("ompd_cl_status_")), sorted(statuses))

    def test_states(self) -> None:
        """Each state of a thread is named as OMPD's tools are told it."""
        names = re.findall(r"(?m)^    ompd_cl_thread_state_(\w+) = \d", self.header)
        names.remove("runs_callback")  # of call stacks, which make no thread of OMPD
        self.assertGreater(len(names), 7)
        told = re.findall(r"`opencl_(\w+)`", self.guide)
        self.assertEqual(sorted(told), sorted([*names, "unknown"]))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
