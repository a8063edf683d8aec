#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files with which other people's tools work on the tree: CI, editors, hooks, containers."""

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import unittest
from typing import Any

import compile_commands
from lint import TOOLS
from source_tree import SOURCE, source_files


def text_of(path: str) -> str:
    """A file of the tree."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def yaml_of(path: str) -> Any:
    """What a YAML file says.  PyYAML is not everywhere."""
    try:
        yaml = importlib.import_module("yaml")
    except ImportError:
        raise unittest.SkipTest("PyYAML is not installed") from None
    return yaml.safe_load(text_of(path))


class ProjectTest(unittest.TestCase):
    """Every file parses and names what is there."""

    def test_workflow(self) -> None:
        """CI runs .ci/run on each Debian release that the README names."""
        workflow = yaml_of(".github/workflows/check.yml")
        job = workflow["jobs"]["check"]
        self.assertIn(".ci/run", [step.get("run") for step in job["steps"]])
        self.assertTrue(os.access(os.path.join(SOURCE, ".ci/run"), os.X_OK))
        images = job["strategy"]["matrix"]["image"]
        self.assertEqual(images, ["debian:12", "debian:13"])
        for image in images:
            self.assertTrue(
                os.path.exists(os.path.join(SOURCE, "packages", image.replace(":", "-")))
            )
        self.assertEqual(job["container"]["image"], "${{ matrix.image }}")
        self.assertIn("--privileged", job["container"]["options"].split())

    def test_forms(self) -> None:
        """Each issue template is a form: what GitHub wants of one."""
        forms = [path for path in source_files(".yml") if "ISSUE_TEMPLATE" in path]
        self.assertGreater(len(forms), 3)
        for path in forms:
            form = yaml_of(path)
            if path.endswith("config.yml"):
                self.assertEqual(set(form), {"blank_issues_enabled"})
                continue
            self.assertLessEqual({"name", "description", "body"}, set(form), path)
            names = [part["id"] for part in form["body"] if part["type"] != "markdown"]
            self.assertEqual(len(names), len(set(names)), path)
            for part in form["body"]:
                self.assertIn(part["type"], ("markdown", "textarea", "input", "dropdown"), path)
                choices = part["attributes"].get("options", [])
                self.assertTrue(all(isinstance(choice, str) for choice in choices), path)

    def test_owners(self) -> None:
        """Each pattern of CODEOWNERS has files and owners."""
        lines = [line.split() for line in text_of(".github/CODEOWNERS").splitlines()]
        rules = [line for line in lines if line and not line[0].startswith("#")]
        self.assertGreater(len(rules), 3)
        for pattern, *owners in rules:
            self.assertTrue(owners and all(owner.startswith("@") for owner in owners), pattern)
            if pattern != "*":
                self.assertTrue(os.path.exists(SOURCE + pattern), pattern)

    def test_hooks(self) -> None:
        """The hooks run the tools of the lint test, and download none."""
        (repository,) = yaml_of(".pre-commit-config.yaml")["repos"]
        self.assertEqual(repository["repo"], "local")
        hooks = {hook["id"]: hook for hook in repository["hooks"]}
        self.assertEqual(sorted(hooks), sorted(TOOLS))
        for tool, hook in hooks.items():
            self.assertEqual(hook["language"], "system", tool)
            *_, script, argument = shlex.split(hook["entry"])
            self.assertEqual((script, argument), ("testsuite/build/lint.py", tool))

    def test_container(self) -> None:
        """The development container is built from Debian and the tree's list of packages."""
        container = json.loads(text_of(".devcontainer/devcontainer.json"))
        dockerfile = text_of(os.path.join(".devcontainer", container["build"]["dockerfile"]))
        release = re.search(r"^FROM debian:(\d+)$", dockerfile, re.MULTILINE)
        assert release, "no release of Debian"
        self.assertIn(f"COPY packages/debian-{release.group(1)} ", dockerfile)
        self.assertIn("--cap-add=SYS_PTRACE", container["runArgs"])


class DatabaseTest(unittest.TestCase):
    """compile_commands.json."""

    def test_commands(self) -> None:
        """The commands of a library's file, by libtool, and of a program's file compile them."""
        objects = ("libompd/base/opencl_la-text.lo", "command/ompd_opencl-verbs.o")
        found = {entry["output"]: entry for entry in compile_commands.entries(objects)}
        self.assertEqual(sorted(found), sorted(objects))
        for entry, path in zip(found.values(), ("libompd/base/text.c", "command/verbs.c")):
            self.assertTrue(os.path.samefile(entry["file"], os.path.join(SOURCE, path)))
            words = list(entry["arguments"])
            self.assertFalse({"-MF", "-MD", "--mode=compile"} & set(words))
            words[words.index("-o") + 1] = os.devnull
            done = subprocess.run(
                [*words, "-fsyntax-only"],
                cwd=entry["directory"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_lines(self) -> None:
        """Which lines of make's output are commands of the database."""
        entry = compile_commands.entry_of
        self.assertIsNone(entry("mv -f a.Tpo a.Plo"))
        self.assertIsNone(entry("gcc -o a a.o -c"))
        found = entry(
            "/bin/bash ./libtool --tag=CC --mode=compile gcc -MT a.lo -MD -MP -MF a.Tpo -c -o a.lo "
            "`test -f 'no/such.c' || echo '../'`no/such.c"
        )
        assert found
        self.assertEqual(found["arguments"], ["gcc", "-c", "-o", "a.lo", "../no/such.c"])
        self.assertEqual(found["output"], "a.lo")


def main() -> int:
    """Run the tests and name what was skipped, for check-skips.py."""
    program = unittest.main(argv=[sys.argv[0], "-v"], exit=False)
    for reason in sorted({reason for _, reason in program.result.skipped}):
        print(f"SKIP: {reason}")
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
