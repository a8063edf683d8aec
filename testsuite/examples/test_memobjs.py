#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example debugger, built as a vendor builds it and run on a real program.

What it prints is compared with what the program wrote down at each of its stops.
"""

from __future__ import annotations

import os
import shutil
import unittest
from typing import Any, Dict, List, Tuple

from example import build, installed, run, source
from harness import environment, main, program, read_truth, work_folder

STOPS = ("main", "destructor", "finished", "released")
MOST_LINES = 199

# libdw loads libraries that keep memory to the end; that the example keeps nothing can be asked.
LOADED_BY_OTHERS = """
{
   loaded while running
   Memcheck:Leak
   ...
   fun:_dl_open
}
{
   what elfutils 0.196 begins once, for good
   Memcheck:Leak
   ...
   fun:debuginfod_begin
}
"""

# A memory object and its destructor callbacks, each a line of titles and values.
Shown = Tuple[Dict[str, str], List[Dict[str, str]]]


def build_memobjs(compiler: str, folder: str) -> str:
    """The example as a program."""
    return build("memobjs", ["ompd-opencl", "libdw"], compiler, folder)


def parse(line: str) -> Dict[str, str]:
    """A row as it is shown: `title: value, title: value`."""
    return dict(part.split(": ", 1) for part in line.strip().split(", "))


def shown_stops(output: str) -> List[List[Shown]]:
    """The memory objects that were printed at each stop."""
    stops: List[List[Shown]] = []
    for line in output.splitlines():
        if line.startswith("process "):
            stops.append([])
        elif line.startswith("    "):
            stops[-1][-1][1].append(parse(line))
        else:
            stops[-1].append((parse(line), []))
    return stops


def expected_object(row: Dict[str, Any]) -> Dict[str, str]:
    """How the truth of a memory object should be shown."""
    expected = {
        "memory object": row["handle"],
        "kind": row["kind"],
        "size": "%d B" % row["size"],
        "flags": "%#x" % row["flags_value"],
        "references": str(row["references"]),
        "context": row["context"],
        "state": row["state"],
        "destructors": str(row["destructor_count"]),
    }
    if row["host_pointer"] is not None:
        expected["host pointer"] = row["host_pointer"]
    return expected


def expected_destructor(row: Dict[str, Any]) -> Dict[str, str]:
    """How the truth of a destructor callback should be shown; of lines the end is compared."""
    return {
        "callback": row["symbol"],
        "user_data": row["user_data"],
        "state": row["state"],
        "registered by": str(row["lwp"]),
        "registered at": "%s:%d" % (row["caller"]["file"], row["caller"]["line"]),
    }


def comparable_destructor(row: Dict[str, str]) -> Dict[str, str]:
    """A destructor callback as shown, without facts that are not in the expected values."""
    place = row.get("registered at", "")
    return {
        **row,
        "callback": row.get("callback", "").split(" at ")[0],
        "registered at": os.path.basename(place.split(" at ")[-1]),
    }


def without_compiler(errors: str) -> str:
    """Without what PoCL's compiler says of the program that is to fail to build."""
    return errors.replace("1 error generated.\n", "")


class TestMemobjs(unittest.TestCase):
    folder = ""
    prefix = ""
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = work_folder("example")
        cls.prefix = installed()
        cls.variables = environment("pocl")
        cls.variables.pop("DEBUGINFOD_URLS", None)
        cls.variables["LD_LIBRARY_PATH"] = os.path.join(cls.prefix, "lib")

    def _run(self, words: List[str], status: int = 0) -> Tuple[str, str]:
        done = run(words, env=self.variables)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, without_compiler(done.stderr)

    def _compare_stop(self, truth: Dict[str, Any], shown: List[Shown]) -> int:
        """Compare all memory objects of one stop; how many fields were compared."""
        compared = 0
        found = {row["memory object"]: (row, destructors) for row, destructors in shown}
        self.assertEqual(len(found), len(shown), "a memory object is shown twice")
        kept = {row["handle"] for row in truth["memobjs"] if row.get("may_be_gone")}
        sure = [row for row in truth["memobjs"] if row["handle"] not in kept]
        known = {row["handle"] for row in sure}
        others = [found[handle] for handle in found.keys() - kept - known]
        self.assertEqual(found.keys() - kept, known, others)
        for row in sure:
            told, destructors = found[row["handle"]]
            self.assertEqual(told, expected_object(row))
            self.assertEqual(
                [comparable_destructor(told) for told in destructors],
                [expected_destructor(destructor) for destructor in row["destructors"]],
            )
            compared += len(told) + sum(len(told) for told in destructors)
        return compared

    def _compare(self, folder: str, output: str) -> None:
        """Compare each stop that the program made."""
        stops = shown_stops(output)
        self.assertEqual(len(stops), len(STOPS), output[:2000])
        compared = 0
        for stop, shown in zip(STOPS, stops):
            compared += self._compare_stop(read_truth(folder, stop), shown)
        self.assertGreater(compared, 500)

    def test_truth(self) -> None:
        """All stops of a real program, by both compilers' builds."""
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                if shutil.which(compiler) is None:
                    self.skipTest(compiler + " is not installed")
                folder = os.path.join(self.folder, compiler)
                os.makedirs(folder)
                words = [build_memobjs(compiler, self.folder)]
                words += [program("programs/truth-program"), folder, "stop"]
                output, errors = self._run(words)
                self.assertEqual(errors, "")
                self._compare(folder, output)

    def test_memory(self) -> None:
        """Neither the library nor the example forgets memory or reads what is not its own."""
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            self.skipTest("valgrind is not installed")
        folder = os.path.join(self.folder, "memory")
        os.makedirs(folder)
        others = os.path.join(folder, "others.supp")
        with open(others, "w", encoding="utf-8") as file:
            file.write(LOADED_BY_OTHERS)
        words = [valgrind, "--quiet", "--leak-check=full", "--error-exitcode=9"]
        words += ["--show-leak-kinds=all", "--errors-for-leak-kinds=all", "--num-callers=40"]
        words += ["--suppressions=" + others, "--child-silent-after-fork=yes"]
        words += [build_memobjs("gcc", folder)]
        output, errors = self._run([*words, program("programs/truth-program"), folder, "stop"])
        self.assertEqual(errors, "")
        self._compare(folder, output)

    def test_no_recorder(self) -> None:
        """A program without the recorder: the library's sentence, and the program goes on."""
        variables = {key: self.variables[key] for key in self.variables if key != "OPENCL_LAYERS"}
        folder = os.path.join(self.folder, "alone")
        os.makedirs(folder)
        example = build_memobjs("gcc", folder)
        done = run([example, program("programs/truth-program"), folder, "stop"], env=variables)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(shown_stops(done.stdout), [[]] * len(STOPS))
        sentence = "memobjs: there is no OpenCL recorder in this process.\n"
        self.assertEqual(without_compiler(done.stderr), sentence * len(STOPS))

    def test_no_program(self) -> None:
        """Nothing to run, and a program that ends with a status of its own."""
        example = build_memobjs("gcc", self.folder)
        self._run([example], status=2)
        self._run([example, "/nonexistent"], status=127)
        self.assertEqual(self._run([example, "sh", "-c", "exit 7"], status=7), ("", ""))

    def test_size(self) -> None:
        """It stays what one reads in a sitting."""
        with open(source("memobjs"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), MOST_LINES)


if __name__ == "__main__":
    main()
