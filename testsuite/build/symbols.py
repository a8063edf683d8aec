#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exports and imports of the built libraries agree with the headers and with law 1."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from typing import List, Set

BUILD = os.environ["TOP_BUILDDIR"]
SOURCE = os.environ["TOP_SRCDIR"]
LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl.so")
HOST_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-host.so")  # where elfutils is
VIEW_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-view.so")
RECORDER = os.path.join(BUILD, ".libs", "libompd-opencl-recorder.so")

# The heap law: all that the library may import.
ALLOWED_IMPORTS = {"memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcmp", "strncmp"}
ALLOWED_IMPORTS |= {f"__{name}_chk" for name in ("memcpy", "memmove", "memset")}
ALLOWED_IMPORTS |= {"__stack_chk_fail"}

LAYER_ENTRY_POINTS = {"clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer"}

PROGRAM_WITH_ITS_OWN_NAMES = """
#include <ompd-opencl.h>
#include <stdio.h>
void list_open(void) {}
int main(void)
{
    uint32_t major, minor;
    list_open();
    ompd_cl_version_get(&major, &minor);
    printf("%u.%u\\n", major, minor);
    return 0;
}
"""


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dynamic_symbols(library: str, which: str) -> Set[str]:
    """Names in the dynamic symbol table, without versions."""
    lines = output("nm", "-D", which, library).splitlines()
    # The version node itself is an absolute symbol.
    names = {line.split()[-1] for line in lines if line.split()[-2] not in ("A", "w")}
    return {name.split("@")[0] for name in names}


def declared(header: str, prefix: str) -> Set[str]:
    """Functions that a header declares."""
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.DOTALL)
    types = r"^(?:ompd_rc_t\s+|ompd_host_rc_t\s+|ompd_view_exit_t\s+|void\s+|bool\s+|const \w+ \*)"
    return set(re.findall(rf"{types}({prefix}\w+)\(", text, flags=re.MULTILINE))


def listed(script: str) -> Set[str]:
    """Names that a version script exports: it has no patterns, so that nothing is by accident."""
    with open(os.path.join(SOURCE, script), encoding="utf-8") as file:
        exported, local = file.read().split("local:")
    assert re.fullmatch(r"\s*\*;\s*\};\s*", local), local
    names = re.findall(r"(?m)^ +([^\s:]+);", exported)
    assert len(names) == len(set(names)), "a name is listed twice"
    return set(names)


def global_symbols(archive: str) -> Set[str]:
    """What the objects of an archive define for others."""
    lines = output("nm", "--defined-only", "--extern-only", archive).splitlines()
    return {line.split()[2] for line in lines if len(line.split()) == 3}


def sections(library: str) -> List[str]:
    """Names of a library's sections."""
    return re.findall(r"^\s*\[ *\d+\] (\.\S+)", output("readelf", "-SW", library), re.MULTILINE)


class LibraryTest(unittest.TestCase):
    """libompd-opencl.so."""

    def test_exports_what_the_header_declares(self) -> None:
        """Our header's functions and all entry points of OMPD: none is missing, none is more."""
        own = declared(os.path.join(SOURCE, "include", "ompd-opencl.h"), "ompd_")
        standard = declared(os.path.join(SOURCE, "include", "ompd-opencl-types.h"), "ompd_")
        self.assertGreater(len(own), 20, "our header could not be parsed")
        self.assertGreater(len(standard), 30, "the header of OMPD could not be parsed")
        self.assertEqual(dynamic_symbols(LIBRARY, "--defined-only"), own | standard)
        self.assertEqual(listed("libompd/libompd-opencl.map"), own | standard)

    def test_calls_its_own_functions(self) -> None:
        """No call of an OMPD function from within goes through the dynamic linker."""
        relocations = output("readelf", "-rW", LIBRARY)
        self.assertIn("R_X86_64_" if os.uname().machine == "x86_64" else "R_", relocations)
        self.assertNotIn("ompd_", relocations)

    def test_imports_nothing_beyond_the_closed_list(self) -> None:
        """The heap law."""
        self.assertEqual(dynamic_symbols(LIBRARY, "--undefined-only") - ALLOWED_IMPORTS, set())
        weak = [line for line in output("nm", "-D", LIBRARY).splitlines() if " w " in line]
        self.assertEqual(weak, [])

    def test_runs_nothing_when_loaded(self) -> None:
        """No constructors, no destructors, no thread-local storage."""
        found = sections(LIBRARY)
        self.assertIn(".text", found)
        forbidden = {".init", ".fini", ".init_array", ".fini_array", ".ctors", ".dtors"}
        self.assertEqual(forbidden & set(found), set())
        self.assertNotRegex(output("readelf", "-lW", LIBRARY), r"\bTLS\b")

    def test_soname(self) -> None:
        """The name that programs are linked with, and the libraries it needs."""
        dynamic = output("readelf", "-dW", LIBRARY)
        self.assertRegex(dynamic, r"\(SONAME\).*\[libompd-opencl\.so\.0\]")
        self.assertEqual(set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)) - {"libc.so.6"}, set())
        self.assertNotIn("TEXTREL", dynamic)

    def test_symbols_carry_a_version(self) -> None:
        """Each exported function belongs to a version node."""
        lines = output("nm", "-D", "--defined-only", LIBRARY).splitlines()
        bare = [line for line in lines if " T " in line and "@@OMPD_OPENCL_" not in line]
        self.assertEqual(bare, [])


class ArchiveTest(unittest.TestCase):
    """A static archive, as `configure --enable-static` has it made."""

    def test_leaves_the_programs_names_alone(self) -> None:
        """What it defines is what the shared library exports; a program has a `list_open`, too."""
        with open(
            os.path.join(BUILD, "libompd", "static-archives.stamp"), encoding="utf-8"
        ) as file:
            parts = [os.path.split(name) for name in file.readline().split()]
        objects = [
            os.path.join(BUILD, folder, ".libs", name.replace(".lo", ".o"))
            for folder, name in parts
        ]
        self.assertGreater(len(objects), 50)
        script = os.path.join(SOURCE, "libompd", "static-archive.sh")
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "libompd-opencl.a")
            output("ar", "cr", archive, *objects)
            self.assertIn("list_open", global_symbols(archive))
            output("sh", script, archive)
            self.assertEqual(global_symbols(archive), dynamic_symbols(LIBRARY, "--defined-only"))
            program = os.path.join(folder, "program")
            with open(program + ".c", "w", encoding="utf-8") as file:
                file.write(PROGRAM_WITH_ITS_OWN_NAMES)
            headers = "-I" + os.path.join(SOURCE, "include")
            output("cc", "-no-pie", program + ".c", headers, archive, "-o", program)
            self.assertEqual(output(program), "0.1\n")


def made_with(name: str) -> List[str]:
    """The flags of a variable of the Makefile."""
    with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
        found: List[str] = re.findall(rf"(?m)^{name} =(.*)$", file.read())
    return found[0].split()


class HardeningTest(unittest.TestCase):
    """What reads cores and processes, as configure found that it can be built."""

    def test_what_is_hardened(self) -> None:
        """The command and the two libraries under it; not what has a closed list of imports."""
        flags = {*made_with("HARDEN_CFLAGS"), *made_with("HARDEN_LDFLAGS")}
        files = [HOST_LIBRARY, VIEW_LIBRARY, os.path.join(BUILD, ".libs", "ompd-opencl")]
        for path in filter(os.path.exists, files):
            undefined = dynamic_symbols(path, "--undefined-only")
            checked = [name for name in undefined if re.fullmatch(r"__\w+_chk", name)]
            dynamic, segments = output("readelf", "-dW", path), output("readelf", "-lW", path)
            if "-fstack-protector-strong" in flags:
                self.assertIn("__stack_chk_fail", undefined, path)
            # Of glibc's checks clang knows few, and may need none of them.
            if "-D_FORTIFY_SOURCE=2" in flags and not any(
                "clang" in word for word in made_with("CC")
            ):
                self.assertGreater(len(checked), 2, path)
            if "-Wl,-z,now" in flags:
                self.assertRegex(dynamic, r"\bBIND_NOW\b|Flags:.* NOW\b", path)
            if "-Wl,-z,relro" in flags:
                self.assertIn("GNU_RELRO", segments, path)

    def test_configure_found_them(self) -> None:
        """Every compiler and linker of Linux has these."""
        if not any("-fsanitize" in flag for flag in [*made_with("CC"), *made_with("CFLAGS")]):
            self.assertIn("-fstack-protector-strong", made_with("HARDEN_CFLAGS"))
        self.assertEqual(made_with("HARDEN_LDFLAGS"), ["-Wl,-z,relro", "-Wl,-z,now"])


@unittest.skipUnless(os.path.exists(HOST_LIBRARY), "it is not built without elfutils")
class HostTest(unittest.TestCase):
    """libompd-opencl-host.so."""

    def test_exports_what_the_header_declares(self) -> None:
        """None is missing, none is more, and each has a version."""
        own = declared(os.path.join(SOURCE, "include", "ompd-opencl-host.h"), "ompd_host_")
        self.assertGreater(len(own), 12, "our header could not be parsed")
        self.assertEqual(dynamic_symbols(HOST_LIBRARY, "--defined-only"), own)
        self.assertEqual(listed("host/libompd-opencl-host.map"), own)
        lines = output("nm", "-D", "--defined-only", HOST_LIBRARY).splitlines()
        bare = [line for line in lines if " T " in line and "@@OMPD_OPENCL_HOST_" not in line]
        self.assertEqual(bare, [])

    def test_soname(self) -> None:
        """The name that programs are linked with, and the library that it is for."""
        dynamic = output("readelf", "-dW", HOST_LIBRARY)
        self.assertRegex(dynamic, r"\(SONAME\).*\[libompd-opencl-host\.so\.0\]")
        self.assertRegex(dynamic, r"\(NEEDED\).*\[libompd-opencl\.so\.0\]")


class ViewTest(unittest.TestCase):
    """libompd-opencl-view.so."""

    def test_exports_what_the_header_declares(self) -> None:
        """None is missing, none is more; each has a version."""
        own = declared(os.path.join(SOURCE, "include", "ompd-opencl-view.h"), "ompd_view_")
        self.assertGreater(len(own), 8, "our header could not be parsed")
        self.assertEqual(dynamic_symbols(VIEW_LIBRARY, "--defined-only"), own)
        lines = output("nm", "-D", "--defined-only", VIEW_LIBRARY).splitlines()
        bare = [line for line in lines if " T " in line and "@@OMPD_OPENCL_VIEW_" not in line]
        self.assertEqual(bare, [])
        self.assertEqual(listed("view/libompd-opencl-view.map"), own)

    def test_soname(self) -> None:
        """The name that programs are linked with, and the libraries beside C's that it is on:
        libpng where it was built with that."""
        dynamic = output("readelf", "-dW", VIEW_LIBRARY)
        self.assertRegex(dynamic, r"\(SONAME\).*\[libompd-opencl-view\.so\.0\]")
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        needed -= {"libc.so.6", "ld-linux-x86-64.so.2", "libpng16.so.16"}
        self.assertEqual(needed, {"libompd-opencl.so.0"})

    def test_asks_the_library_by_its_header(self) -> None:
        """Of libompd-opencl it uses what <ompd-opencl.h> declares, and nothing of OMPD's."""
        header = os.path.join(SOURCE, "include", "ompd-opencl.h")
        asked = dynamic_symbols(VIEW_LIBRARY, "--undefined-only")
        asked = {name for name in asked if name.startswith("ompd_")}
        self.assertGreater(len(asked), 10)
        self.assertEqual(asked - declared(header, "ompd_cl_"), set())


class RecorderTest(unittest.TestCase):
    """libompd-opencl-recorder.so."""

    def test_exports(self) -> None:
        """The layer's entry points, what OMPD asks of a runtime, and the registry's root."""
        exported = dynamic_symbols(RECORDER, "--defined-only")
        self.assertEqual(LAYER_ENTRY_POINTS - exported, set())
        ompd = {"ompd_dll_locations", "ompd_dll_locations_valid", "ompd_opencl_registry"}
        ompd |= {"ompd_bp_thread_begin", "ompd_bp_thread_end"}
        self.assertEqual(ompd - exported, set())
        public = re.compile(r"ompd_(bp|cl_bp)_\w+$")
        self.assertEqual(listed("recorder/recorder.map"), exported)
        others = exported - LAYER_ENTRY_POINTS - ompd
        self.assertEqual([name for name in others if not public.match(name)], [])

    def test_stays_in_the_process(self) -> None:
        """It is never unloaded, and its own names are bound to itself."""
        dynamic = output("readelf", "-dW", RECORDER)
        self.assertIn("NODELETE", dynamic)
        self.assertIn("SYMBOLIC", dynamic)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
