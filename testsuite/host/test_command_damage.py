#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command reports the gaps of a damaged core as the GDB plugin does, and by its exit code."""

from __future__ import annotations

import os
import re
from typing import Any, Callable

from command import Answer, as_error, run
import registry_view as registry
import test_command_objects as objects
from command_comparing import TABLES, Cases, own_words, plain, plugin_questions
from command_comparing import same_names
from core_editor import CoreEditor
from harness import Answer as GdbAnswer, some
from harness import Session, environment, main, one_arena, program, run_gdb, work_folder

Damage = Callable[[registry.RegistryView], None]


def cut_records(table: int) -> Damage:
    """The records of a table were not saved."""

    def damage(view: registry.RegistryView) -> None:
        view.core.cut(view.record(table, 0))

    return damage


def cycle_in_callbacks(view: registry.RegistryView) -> None:
    """Each callback is its own successor."""
    offset = view.fields(registry.CALLBACK)[registry.NEXT]
    for index, record in enumerate(view.records(registry.CALLBACK)):
        view.core.write_number(record + offset, 4, index + 1)


def endless_counts(view: registry.RegistryView) -> None:
    """More callbacks and pointers than can be."""
    for table, field in (
        (registry.MEMOBJ, registry.CALLBACK_COUNT),
        (registry.SVM_FREE, registry.POINTER_COUNT),
    ):
        offset = view.fields(table)[field]
        for record in view.records(table):
            view.core.write_number(record + offset, 4, 0xFFFFFFFF)


def no_magic(view: registry.RegistryView) -> None:
    """An invalid registry."""
    view.core.write(view.root, b"\0" * 8)


# Damages, each with whether some list is incomplete then, and whether all are refused.
DAMAGES = {
    "memory objects cut out": (cut_records(registry.MEMOBJ), True, False),
    "contexts cut out": (cut_records(registry.CONTEXT), True, False),
    "callbacks cut out": (cut_records(registry.CALLBACK), True, False),
    "SVM-free pointers cut out": (cut_records(registry.ADDRESS), True, False),
    "threads cut out": (cut_records(registry.THREAD), True, False),
    "a cycle in callbacks": (cycle_in_callbacks, True, False),
    "endless counts": (endless_counts, True, False),
    "no magic": (no_magic, False, True),
}


class TestDamagedCore(Cases):
    def test_damage(self) -> None:
        """What is missing is said in the same words, and has exit code 4; no answer at all, 3."""
        self.variables = environment("icd")
        folder = work_folder("command-damage")
        core = os.path.join(folder, "core")
        path = program("programs/truth-program")
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "continue"]
        commands += ["print (long) &ompd_opencl_registry", "gcore " + core, "kill"]
        variables = one_arena(self.variables)
        session = run_gdb([path], commands, variables, plugin=False, name="command-damage")
        root = int(re.findall(r"^\$1 = (\d+)$", session.output, re.MULTILINE)[0])
        questions = [objects.OVERVIEW, "memory", "threads"]
        questions += some(objects.object_questions(["--core", core], self.variables), 26)
        commands = plugin_questions(list(TABLES)) + objects.gdb_questions(questions)
        damaged = os.path.join(folder, "damaged")
        self.target = ["--core", damaged]
        for name, (damage, is_incomplete, is_refused) in some(DAMAGES.items(), 3):
            with self.subTest(name):
                editor = CoreEditor(core)
                damage(registry.RegistryView(editor, root))
                editor.save(damaged)
                session = run_gdb([path, damaged], commands, self.variables, name="command-damage")
                codes = {self._ask_list(session, table) for table in TABLES}
                self.assertEqual(4 in codes, is_incomplete, codes)
                self.assertEqual(codes == {3}, is_refused, codes)
                codes = {self._ask_object(session, question) for question in questions}
                self.assertIn(3 if is_refused else 4, codes)
                self.assertEqual(codes == {3}, is_refused, codes)
        os.unlink(damaged)
        os.unlink(core)

    def _ask_list(self, session: Session, table: str) -> int:
        """Compare one list with GDB's; returns the exit code."""
        text = run([*self.target, table], self.variables)
        lines = run([*self.target, "--json", table], self.variables)
        self._same(text, session.answer(table))
        self.assertIn(text.code, (lines.code, 0), "JSON tells no less than a table")
        if lines.code != 3:
            rows = lines.objects()
            expected = session.answer(table + " -json").rows()
            self.assertEqual(same_names(rows), same_names(expected), table)
            is_short = any(is_lacking(row) for row in rows)
            self.assertEqual(lines.code, 4 if is_short else 0, table)
        return lines.code

    def _same(self, own: Answer, expected: GdbAnswer) -> None:
        """The same text; or the same sentence, and exit code 3."""
        if expected.error is not None:
            self.assertEqual((own.code, own.output), (3, ""))
            self.assertEqual(own.errors, "ompd-opencl: %s\n" % as_error(expected.error))
            return
        self.assertIn(own.code, (0, 4))
        lines = own.output.splitlines()
        if plain(expected.output) != expected.output.splitlines():
            lines = [re.sub("  +", "  ", line).strip() for line in lines]
        self.assertEqual(lines, plain(expected.output))

    def _ask_object(self, session: Session, question: str) -> int:
        """Compare what is said of one object, of threads or in all; returns the exit code."""
        words = self.target + own_words(question)
        answers = [run(words, self.variables), run(words + ["--json"], self.variables)]
        expected = session.answer(question)
        if expected.error is not None or question == "memory":
            for own in answers:
                self.assertIn(own.code, (0, 4) if expected.error is None else (2, 3, 4))
                self.assertEqual(own.errors == "", expected.error is None, question)
            return answers[0].code
        self.assertIn(answers[0].code, (0, 4), answers[0].errors)
        lines, gdb_lines = objects.plain(answers[0].output), objects.plain(expected.output)
        if question == objects.OVERVIEW:
            del lines[: objects.first_of_overview(lines)]
        if question == "threads":
            lines = [line for line in lines if objects.unseen(line) is None]
            gdb_lines = [line for line in gdb_lines if objects.unseen(line) is None]
        self.assertEqual(lines, gdb_lines, question)
        rows = answers[1].objects()
        expected_rows = session.answer(question + " -json").rows()
        self.assertEqual(same_names(rows), same_names(expected_rows), question)
        return answers[0].code


def is_lacking(value: Any) -> bool:
    """Whether a JSON value, or one within it, could not be read or makes no sense."""
    if isinstance(value, list):
        return any(is_lacking(element) for element in value)
    if not isinstance(value, dict):
        return False
    reasons = value.get("unknown", {}).values()
    return any(reason != "not observed" for reason in reasons) or any(
        is_lacking(element) for element in value.values()
    )


if __name__ == "__main__":
    main()
