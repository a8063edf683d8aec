#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A build that no layout is of: the layout of another build of the same runtime is used if nothing
contradicts it, and all that it shows is presumed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Dict, List

from command import OK, UNREADABLE, run
from fitting import SHIPPED
from harness import Row, ask, main, run_gdb, thorough, vendor_library, work_folder
from unprepared import (
    FEW,
    Lists,
    Truth,
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    started,
    started_few,
    tool_environment,
)
from unprepared_cases import RuntimeCase

# What a row says of itself rather than of an object.
_ITS_OWN = {
    "schema",
    "handle",
    "source",
    "confidence",
    "doubt",
    "unknown",
    "presumed",
    "properties_value",
    "flags_value",
    "symbol",
    "file",
    "line",
    "sharing_name",
}

_USED = (
    r"No layout matches this build of \S+, so that of another build \((.*)\) is used; run "
    r"`ompd-opencl learn` to be certain\."
)
_REFUSED = (
    r"no layout matches \S+ \(build-id [0-9a-f]+\), and the layout of (.*) was not used, "
    r"because (.*); run `ompd-opencl learn` where it is installed"
)


def with_other_build_id(library: str, folder: str) -> str:
    """A copy of LIBRARY, in FOLDER, which differs in its build-id alone."""
    notes = subprocess.run(
        ["readelf", "--notes", library], stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout
    build_id = bytes.fromhex(notes.split("Build ID: ")[1].split()[0])
    with open(library, "rb") as file:
        content = file.read()
    assert content.count(build_id) == 1
    path = os.path.join(folder, os.path.basename(os.path.realpath(library)))
    with open(path, "wb") as file:
        file.write(content.replace(build_id, bytes(byte ^ 0xA5 for byte in build_id)))
    return path


def find_library(name: str) -> str:
    """The path of a vendor's library, which may be a name."""
    if os.path.isabs(name):
        return os.path.realpath(name)
    listed = subprocess.run(
        ["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout
    match = re.search(r"^\s*%s \(.*x86-64.*\) => (\S+)$" % re.escape(name), listed, re.MULTILINE)
    if match is None:
        match = re.search(r"^\s*%s \(.*\) => (\S+)$" % re.escape(name), listed, re.MULTILINE)
    if match is None:
        [path] = [os.path.join("/usr/lib/x86_64-linux-gnu", name)]
        return os.path.realpath(path)
    return os.path.realpath(match.group(1))


def certain_fields(rows: List[Row]) -> List[str]:
    """The fields that ROWS, and rows within them, show as facts."""
    found = []
    for row in rows:
        for key, value in row.items():
            if key in _ITS_OWN or value is None:
                continue
            if isinstance(value, list) and value and isinstance(value[0], dict):
                found += ["%s: %s" % (key, name) for name in certain_fields(value)]
            elif key not in row["presumed"] and value != []:
                found.append("%s: %r" % (key, value))
    return found


class KinCase(RuntimeCase):
    """The runtime is a copy with a build-id of its own."""

    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.folder = work_folder("kin-" + cls.runtime)
        original = find_library(vendor_library(cls.runtime))
        place = os.path.dirname(original)
        libraries = os.path.join(cls.folder, "lib", "libraries")
        os.makedirs(libraries)
        copy = with_other_build_id(original, libraries)
        # PoCL finds its devices and headers from where its library is.
        os.symlink(os.path.join(place, "pocl"), os.path.join(libraries, "pocl"))
        os.symlink(os.path.join(place, "..", "..", "share"), os.path.join(cls.folder, "share"))
        link = re.sub(r"([.]so[.]\d+)[.][^/]*$", r"\1", copy)
        if link != copy:
            os.symlink(copy, link)  # the name by which PoCL's devices are linked to it
        vendors = os.path.join(cls.folder, "vendors")
        os.makedirs(vendors)
        with open(os.path.join(vendors, "only.icd"), "w", encoding="utf-8") as file:
            file.write(link + "\n")
        cls.variables = dict(cls.variables, OCL_ICD_VENDORS=vendors, LD_LIBRARY_PATH=libraries)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def only(self, name: str, text: str) -> Dict[str, str]:
        """The environment of a tool that has the layout TEXT alone."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, "only.layout"), "w", encoding="utf-8") as file:
            file.write(text)
        return tool_environment(folder)

    def own_text(self) -> str:
        """The text of the layout of the original."""
        with open(self.layout, encoding="utf-8") as file:
            return file.read()


class SameVersion(KinCase):
    """The layout of the original fits in all respects."""

    def check_presumed(self, truth: Truth, shown: Lists) -> None:
        """All rows are right, and nothing in them is a fact."""
        compare(truth, shown, self.family())
        for table, rows in shown.items():
            self.assertEqual(certain_fields(rows), [], table)
            for row in rows:
                self.assertIn(row["confidence"], ("presumed", "doubtful"), row)

    def check_notes(self, target: List[str]) -> None:
        """The answers say once of which build the layout is."""
        name = self.own_text().split("runtime ")[1].split("\n")[0]
        for verb in ("overview", "memobjs", "runtimes"):
            answer = run([*target, verb], tool_environment())
            self.assertEqual(answer.code, OK, answer.errors)
            self.assertEqual(re.findall(_USED, answer.output), [name], answer.output)
        [row] = run([*target, "runtimes", "--json"], tool_environment()).objects()
        self.assertEqual(row["layout"], name)
        self.assertEqual(row["presumed"], ["layout", "objects"])
        [row] = run([*target, "overview", "--json"], tool_environment()).objects()
        for key in ("contexts", "memory_objects", "memory_object_bytes", "samplers"):
            self.assertIn(key, row["presumed"])

    def test_rows(self) -> None:
        folder = work_folder("kin-rows-" + self.runtime)
        with started(FEW, folder, self.variables) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            self.check_presumed(truth, ask_command(target, tool_environment()))
            self.check_notes(target)
            core = debuggers_core(process)
        self.check_presumed(truth, ask_command(["--core", core], tool_environment()))
        self.check_notes(["--core", core])
        shutil.rmtree(folder)

    def test_gdb(self) -> None:
        folder = work_folder("kin-gdb-" + self.runtime)
        with started(["50", "half"], folder, self.variables) as process:
            truth = process.wait_for("main")
            words = ["-p", str(process.pid)]
            compare(truth, ask_gdb(words, tool_environment()), self.family())
            session = run_gdb(words, [ask("overview", "opencl")], tool_environment())
        self.assertRegex(session.answer("overview").output, _USED)
        shutil.rmtree(folder)

    def test_few(self) -> None:
        """Nothing is concluded from two objects."""
        folder = work_folder("kin-few-" + self.runtime)
        with started_few(["context", "queue"], folder, self.variables) as process:
            answer = run(["--pid", str(process.pid), "contexts"], tool_environment())
        self.assertEqual(answer.code, UNREADABLE)
        match = re.search(_REFUSED, answer.errors)
        assert match is not None, answer.errors
        # Memory may also have copies of the two.
        reasons = ("there are too few objects to check it", "objects would overlap or share an id")
        self.assertIn(match.group(2), reasons)
        shutil.rmtree(folder)


class TestPocl(SameVersion):
    runtime = "pocl"


class TestRusticl(SameVersion):
    runtime = "rusticl"
    test_gdb = thorough(SameVersion.test_gdb)


class TestOtherVersion(KinCase):
    """A layout of another version is believed where the runtime's code shows what it says."""

    runtime = "pocl"

    def refused(self, text: str, target: List[str]) -> str:
        """Why the layout TEXT is refused, and shows nothing."""
        variables = self.only("other", text)
        reason = ""
        for verb in ("memobjs", "contexts", "overview", "check"):
            answer = run([*target, verb], variables)
            self.assertEqual(answer.code, UNREADABLE, answer.output)
            match = re.search(_REFUSED, answer.errors)
            assert match is not None, answer.errors
            reason = match.group(2)
        [row] = run([*target, "runtimes", "--json"], variables).objects()
        self.assertIsNone(row.get("layout"))
        return reason

    def check_right(self, truth: Truth, shown: Lists) -> None:
        """All rows are right; what no function returns of an SVM free is unknown."""
        [free] = shown["svm-frees"]
        for key in ("function", "user_data", "pointers"):
            self.assertIn(key, free["unknown"])
        compare(dict(truth, **{"svm-frees": []}), dict(shown, **{"svm-frees": []}), self.runtime)
        for table, rows in shown.items():
            self.assertEqual(certain_fields(rows), [], table)

    def test_layouts(self) -> None:
        """The right one under another name, wrong ones, and those of other versions."""
        other = re.sub(
            r"^runtime .*$", "runtime Renamed 9.9.9", self.own_text(), flags=re.MULTILINE
        )
        elsewhere = "the module's code has fields elsewhere"
        folder = work_folder("kin-other")
        with started(FEW, folder, self.variables) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            self.check_right(truth, ask_command(target, self.only("renamed", other)))
            for line in ("field host_pointer", "field origin", "list svm linked"):
                wrong = re.sub(
                    r"^(  %s) (\d+)" % line,
                    lambda match: "%s %d" % (match.group(1), int(match.group(2)) + 1024),
                    other,
                    flags=re.MULTILINE,
                )
                self.assertNotEqual(wrong, other)
                self.assertEqual(self.refused(wrong, target), elsewhere)
            for name in ("pocl-6.0", "pocl-7.1"):
                with open(os.path.join(SHIPPED, name + ".layout"), encoding="utf-8") as file:
                    self.assertEqual(self.refused(file.read(), target), elsewhere)
        shutil.rmtree(folder)

    def test_objects(self) -> None:
        """A layout of the same version that contradicts the objects."""
        folder = work_folder("kin-objects")
        reasons = {
            r"(?m)^  field size 136 8": (
                "  field size 184 8",
                "objects would have impossible sizes or other numbers",
            ),
            r"(?m)^  list destructors linked 224": (
                "  list destructors linked 64",
                "lists would lead to something else or not end",
            ),
            r"(?m)^  rule 72 4 0x10f0 0x10f0": (
                "  rule 72 4 0x10e0 0x10e0",
                "it does not recognise all objects",
            ),
            r"(?m)^  holds context 1$": (
                "  holds context 2",
                "objects would have more holders than references",
            ),
        }
        with started(FEW, folder, self.variables) as process:
            process.wait_for("main")
            for found, (wanted, reason) in reasons.items():
                wrong = re.sub(found, wanted, self.own_text())
                self.assertNotEqual(wrong, self.own_text())
                with self.subTest(line=wanted):
                    self.assertEqual(self.refused(wrong, ["--pid", str(process.pid)]), reason)
        shutil.rmtree(folder)


del SameVersion, KinCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
