#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public headers agree with LLVM's <omp-tools.h> about OMPD, in either order, in C and C++."""

import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
from typing import Dict, List, Tuple

BUILD = os.environ["TOP_BUILDDIR"]
SOURCE = os.environ["TOP_SRCDIR"]
INCLUDE = os.path.join(SOURCE, "include")
FOLDER = os.path.join(BUILD, "testsuite", "build", "headers.tmp")
TYPES = "ompd-opencl-types.h"

# Functions that <omp-tools.h> declares as OMPD, but that belong to an OpenMP runtime.
RUNTIME_SIDE = re.compile("ompd_bp_|ompd_dll_")

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
LANGUAGES = {"c": "-std=c11", "c++": "-std=c++17"}


def other_headers() -> List[str]:
    """The folders of LLVM's header with OMPD: installed, and unpacked by `./bootstrap check`."""
    below = "usr/lib*/llvm-*/lib/clang/*/include/omp-tools.h"
    found = glob.glob(f"/{below}") + glob.glob(os.path.join(BUILD, "packages", "*", below))
    found = [path for path in found if "ompd_callbacks_t" in read(path)]
    return sorted({os.path.realpath(os.path.dirname(path)) for path in found})


def read(path: str) -> str:
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def has_cplusplus(compiler: str) -> bool:
    """Whether a compiler knows C++."""
    command = [compiler, "-x", "c++", "-fsyntax-only", "-"]
    return subprocess.run(command, input="", text=True, check=False).returncode == 0


def compilations() -> List[Tuple[str, str]]:
    """Compilers, and the languages that they know."""
    return [
        (compiler, language)
        for compiler in COMPILERS
        for language in LANGUAGES
        if language == "c" or has_cplusplus(compiler)
    ]


def compile_text(compiler: str, language: str, text: str, *options: str) -> str:
    """Compile a text, which must give no warning; its object file."""
    path = os.path.join(FOLDER, f"{compiler}-{language}.o")
    command = [compiler, "-x", language, LANGUAGES[language], "-Wall", "-Wextra", "-Werror"]
    command += [f"-I{INCLUDE}", *options, "-c", "-", "-o", path]
    done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{done.stderr}")
    return path


def bare(folder: str) -> str:
    """LLVM's header without its comments."""
    text = read(os.path.join(folder, "omp-tools.h"))
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


def entry_points(text: str) -> List[str]:
    """The functions of the OMPD library that a header declares."""
    found = re.findall(r"^ompd_rc_t\s+(ompd_\w+)\(", text, flags=re.MULTILINE)
    return [name for name in found if not RUNTIME_SIDE.match(name)]


def facts(text: str) -> List[str]:
    """Expressions of what a header says of OMPD: every enumerator, size, member and macro."""
    found: List[str] = []
    for body, name in re.findall(r"typedef enum \w+ \{([^{}]*)\} (ompd_\w+);", text):
        found += [f"{enumerator} + 0" for enumerator in re.findall(r"\b(ompd_\w+)", body)]
        found.append(f"sizeof({name})")
    for body, name in re.findall(r"typedef struct \w+ \{([^{}]*)\} (ompd_\w+);", text):
        found.append(f"sizeof({name})")
        for member in re.findall(r"(\w+);", body):
            found.append(f"offsetof({name}, {member})")
            found.append(f"sizeof((({name} *)0)->{member})")
    found += [f"sizeof({name})" for name in re.findall(r"typedef \w+\s+(ompd_\w+);", text)]
    found += re.findall(r"#define (ompd_\w+) \d+", text)
    return found


def values(text: str, expressions: List[str], *options: str) -> List[str]:
    """What expressions are, after a text."""
    lines = "".join(f'printf("%lld\\n", (long long)({each}));\n' for each in expressions)
    program = f"#include <stddef.h>\n#include <stdio.h>\n{text}\nint main(void) {{\n{lines}}}\n"
    path = compile_text(COMPILERS[0], "c", program, *options)
    subprocess.run([COMPILERS[0], path, "-o", path + ".exe"], check=True)
    output = subprocess.run([path + ".exe"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return output.split()


def enumerations() -> Dict[str, List[str]]:
    """The enumerations of the library's header, with their enumerators."""
    text = re.sub(r"/\*.*?\*/", "", read(os.path.join(INCLUDE, "ompd-opencl.h")), flags=re.DOTALL)
    found = re.findall(r"typedef enum \w+ \{([^{}]*)\} (ompd_cl_\w+);", text)
    return {name: re.findall(r"\b(ompd_cl_\w+) = ", body) for body, name in found}


def switch(name: str, enumerators: List[str]) -> str:
    """A function with a switch over an enumeration."""
    cases = "".join(f"    case {each}:\n        return 1;\n" for each in enumerators)
    body = f"    switch (value) {{\n{cases}    }}\n    return 0;\n"
    return f"int of_{name}({name} value)\n{{\n{body}}}\n"


class SwitchTest(unittest.TestCase):
    """A switch over an enumeration can list all that its values can be."""

    def test_states(self) -> None:
        """Each kind of thing that changes its state has an enumeration of its own."""
        states = [name for name in enumerations() if name.endswith("_state_t")]
        self.assertGreaterEqual(len(states), 7)

    def test_whole(self) -> None:
        """A switch over all enumerators gives no warning."""
        text = "".join(switch(*each) for each in enumerations().items())
        self.assertGreater(text.count("case "), 150)
        prototypes = "".join(f"int of_{name}({name} value);\n" for name in enumerations())
        for compiler, language in compilations():
            compile_text(compiler, language, f"#include <ompd-opencl.h>\n{prototypes}{text}")

    def test_missing(self) -> None:
        """A switch that lacks one enumerator gives a warning, of each enumeration."""
        text = "#include <ompd-opencl.h>\n"
        text += "".join(switch(name, found[1:]) for name, found in enumerations().items())
        command = [COMPILERS[0], "-x", "c", "-fsyntax-only", "-Wswitch", f"-I{INCLUDE}", "-"]
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
        missing = set(re.findall(r"enumeration value .(\w+). not handled", done.stderr))
        self.assertEqual(missing, {found[0] for found in enumerations().values()})


@unittest.skipUnless(other_headers(), "LLVM's omp-tools.h is not installed")
class OtherHeaderTest(unittest.TestCase):
    """Each omp-tools.h that is there."""

    def test_says_the_same(self) -> None:
        """Enumerators, sizes and members are the same."""
        for folder in other_headers():
            expressions = facts(bare(folder))
            self.assertGreater(len(expressions), 60, folder)
            theirs = values("#include <omp-tools.h>", expressions, f"-idirafter{folder}")
            ours = values(f"#include <{TYPES}>", expressions)
            self.assertEqual(dict(zip(expressions, ours)), dict(zip(expressions, theirs)), folder)

    def test_has_the_same_types_of_functions(self) -> None:
        """Every entry point and type of a callback can be declared again as ours is."""
        types = read(os.path.join(INCLUDE, TYPES))
        ours = re.findall(r"(?ms)^(?:ompd_rc_t ompd_\w+\(|typedef ompd_rc_t \(\*).*?;", types)
        self.assertGreater(len(ours), 40)
        for folder in other_headers():
            self.assertEqual(sorted(entry_points(bare(folder))), sorted(entry_points(types)))
            text = "#include <omp-tools.h>\n" + "\n".join(ours)
            compile_text(COMPILERS[0], "c", text, f"-idirafter{folder}")

    def test_comes_first(self) -> None:
        """A tool that has included it has OMPT, and all of OMPD, by the names that we export."""
        declared = entry_points(read(os.path.join(INCLUDE, TYPES)))
        uses = [f"(unsigned long){name}" for name in declared]
        text = f"""#include <omp-tools.h>
            #include <ompd-opencl.h>
            ompt_state_t state;
            int is_other(ompd_rc_t rc) {{ return rc == ompd_rc_incompatible_handle; }}
            int is_told(void) {{ return is_other((ompd_rc_t)ompd_rc_incompatible_handle); }}
            int is_scope(ompd_scope_t scope) {{ return scope == ompd_scope_teams; }}
            unsigned long use(void) {{ return {" + ".join(uses)}; }}
            """
        for folder in other_headers():
            for compiler, language in compilations():
                path = compile_text(compiler, language, text, f"-idirafter{folder}")
                used = subprocess.check_output(["nm", "-u", path], text=True).split()
                self.assertEqual(set(declared) - set(used), set(), (folder, compiler, language))

    def test_comes_after(self) -> None:
        """It is then no error, and takes nothing away."""
        text = """#include <ompd-opencl.h>
            #include <omp-tools.h>
            ompd_callbacks_t callbacks;
            ompd_rc_t refuse(void) { return ompd_rc_incompatible_handle; }
            """
        for folder in other_headers():
            for compiler, language in compilations():
                compile_text(compiler, language, text, f"-idirafter{folder}")


class OwnHeaderTest(unittest.TestCase):
    """Our headers by themselves."""

    def test_needs_no_other(self) -> None:
        """Each compiles alone; with names of a tool's own that are like those of macros."""
        compiled = 0
        for header in ("ompd-opencl.h", "ompd-opencl-host.h", "ompd-opencl-view.h"):
            for compiler, language in compilations():
                compile_text(compiler, language, f"#include <{header}>\n", "-pedantic")
                compiled += 1
        self.assertGreater(compiled, 2)

    def test_has_no_macros_of_small_letters(self) -> None:
        """A macro would break an enumerator or member of the name, but for those of OMPD."""
        macros = set()
        for header in ("ompd-opencl.h", "ompd-opencl-host.h", "ompd-opencl-view.h", TYPES):
            macros |= set(re.findall(r"#\s*define (\w+)", read(os.path.join(INCLUDE, header))))
        self.assertIn("OMPD_CL_VERSION_MAJOR", macros)
        small = {name for name in macros if name != name.upper()}
        self.assertEqual(small, {"ompd_segment_none", "ompd_icv_undefined"})

    def test_refuses_a_header_without_ompd(self) -> None:
        """A header of OMPT alone that came first is named in one sentence."""
        text = f"#define __OMPT__\n#include <{TYPES}>\n"
        with self.assertRaisesRegex(AssertionError, "error.*has no OMPD"):
            compile_text(COMPILERS[0], "c", text)


def main() -> None:
    """Run the tests in a folder of their own."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    if not other_headers():
        print("SKIP: LLVM's omp-tools.h is not installed")
    program = unittest.main(argv=[sys.argv[0], "-v"], exit=False)
    shutil.rmtree(FOLDER)
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    main()
