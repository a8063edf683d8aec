#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores whose registry is truncated, of another version, or invalid.

Every command ends with a sentence or with rows that show what is missing; all other rows are right.
"""

from __future__ import annotations

import os
import resource
import unittest
from typing import Any, Callable, Dict, List

import registry_view as registry
from comparing import assert_truth, compare_lists
from core_editor import CoreEditor
from harness import (
    LISTS,
    Session,
    ask,
    ask_lists,
    environment,
    main,
    program,
    read_truth,
    run_gdb,
    some,
    work_folder,
)

SLOWEST = 30  # seconds of the processor for all questions to one damaged core

QUESTIONS = [
    *ask_lists(),
    ask("overview", "opencl -json"),
    ask("all", "opencl destructors -json"),
    ask("threads", "opencl threads -json"),
    ask("threads in words", "opencl threads"),
    ask("memory", "opencl memory -json"),
    ask("memory in words", "opencl memory"),
    ask("in words", "opencl"),
]


def processor_time() -> float:
    """Seconds of the processor that the children of this process have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class TestDamage(unittest.TestCase):
    folder = ""
    core = ""
    root = 0
    variables: Dict[str, str] = {}
    truth: Dict[str, Any] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.folder = work_folder("damage")
        cls.core = os.path.join(cls.folder, "core")
        commands = [
            "break truth_stop",
            "run " + cls.folder,
            "print (long) &ompd_opencl_registry",
            "gcore " + cls.core,
            "kill",
        ]
        words = [program("icd/icd-program")]
        session = run_gdb(words, commands, cls.variables, plugin=False, name="damage")
        place = [line for line in session.output.splitlines() if line.startswith("$1 = ")]
        cls.root = int(place[0].split("= ")[1])
        cls.truth = read_truth(cls.folder, "main")

    def _damaged(self, damage: Callable[[registry.RegistryView], None], *more: str) -> Session:
        """Ask everything of a copy of the core that DAMAGE has changed."""
        core = CoreEditor(self.core)
        damage(registry.RegistryView(core, self.root))
        path = core.save(os.path.join(self.folder, "damaged"))
        begin = processor_time()
        words = [program("icd/icd-program"), path]
        session = run_gdb(words, [*QUESTIONS, *more], self.variables, name="damage")
        self.assertLess(processor_time() - begin, SLOWEST)
        os.unlink(path)
        return session

    def _refused(self, session: Session) -> str:
        """Every list is refused with the same sentence; gives it."""
        errors = {session.answer(name).error for name in LISTS}
        errors.add(session.answer("overview").error)
        self.assertEqual(len(errors), 1, errors)
        error = errors.pop()
        assert error is not None
        return error

    def _refused_or_marked(self, session: Session, table: str) -> None:
        """A list is refused, or says what is wrong with each object that is not right."""
        answer = session.answer(table)
        if answer.error is not None:
            return
        truth = {row["handle"]: row for row in self.truth[table]}
        for row in answer.rows():
            if "unknown" in row:
                continue
            self.assertIn(row["handle"], truth)
            expected = truth[row["handle"]]
            self.assertEqual(expected["size"], row["size"])
            shown = [(d["function"], d["user_data"]) for d in row.get("destructors") or []]
            wanted = [(d["function"], d["user_data"]) for d in expected["destructors"]]
            self.assertEqual(wanted, shown)

    def test_undamaged(self) -> None:
        session = self._damaged(lambda view: None)
        assert_truth(self.truth, session)
        threads = session.answer("threads").rows()
        self.assertIn(self.truth["lwp"], [row["lwp"] for row in threads])
        for row in threads:
            self.assertNotIn("unknown", row)
        for row in session.answer("memory").rows()[0]["usage"]:
            self.assertNotIn("unknown", row)

    def test_newer_minor(self) -> None:
        def damage(view: registry.RegistryView) -> None:
            view.core.write_number(view.root + registry.MINOR, 2, 99)

        assert_truth(self.truth, self._damaged(damage))

    def test_older_minor(self) -> None:
        """A recorder of version 1.0, which keeps no threads: the rest is shown as ever."""

        def damage(view: registry.RegistryView) -> None:
            view.core.write_number(view.root + registry.MINOR, 2, 0)
            count = view.number(registry.TABLE_COUNT, 4)
            threads = view.table(registry.THREAD)
            last = view.root + registry.TABLES + (count - 1) * registry.TABLE_SIZE
            view.core.write(threads, view.core.read(last, registry.TABLE_SIZE))
            view.core.write_number(view.root + registry.TABLE_COUNT, 4, count - 1)

        session = self._damaged(damage)
        assert_truth(self.truth, session)
        for name in ("threads", "threads in words"):
            self.assertRegex(str(session.answer(name).error), "(?i)recorder.*older|older.*recorder")
        row = session.answer("memory").rows()[0]
        self.assertIsNone(row["usage"])
        self.assertRegex(row["unknown"]["usage"], "(?i)older")
        self.assertGreater(row["library"]["current"], 0)
        self.assertRegex(session.answer("memory in words").output, "(?i)older")
        self.assertIn("sources: recorder 1.0", session.answer("in words").output)

    def test_newer_major(self) -> None:
        def damage(view: registry.RegistryView) -> None:
            view.core.write_number(view.root + registry.MAJOR, 2, 2)

        self.assertRegex(self._refused(self._damaged(damage)), "(?i)newer|version")

    def test_registry_cut_out(self) -> None:
        def damage(view: registry.RegistryView) -> None:
            view.core.cut(view.root)

        self.assertRegex(self._refused(self._damaged(damage)), "(?i)saved|read|does not contain")

    def test_records_cut_out(self) -> None:
        """The root is there, the records are not: no list may look complete."""

        def damage(view: registry.RegistryView) -> None:
            for table in (registry.MEMOBJ, registry.SVM, registry.SVM_FREE, registry.CONTEXT):
                try:
                    view.core.cut(view.record(table, 0))
                except KeyError:
                    pass  # in the segment that was cut just before

        text = ask("text", "opencl memobjs")
        session = self._damaged(damage, text)
        answer = session.answer("text")
        said = answer.error if answer.error is not None else answer.output
        self.assertRegex(said, "(?i)not saved|could not be read|unreadable")
        for row in session.answer("memobjs").rows() if not session.answer("memobjs").error else []:
            self.assertIn("unknown", row)

    def test_truncated_file(self) -> None:
        def damage(view: registry.RegistryView) -> None:
            view.core.truncate(view.record(registry.MEMOBJ, 0))

        session = self._damaged(damage)
        self._refused_or_marked(session, "memobjs")

    def test_no_magic(self) -> None:
        def damage(view: registry.RegistryView) -> None:
            view.core.write(view.root, b"\0" * 8)

        self._refused(self._damaged(damage))

    def test_senseless_root(self) -> None:
        """Sizes, counts and places that cannot be."""
        numbers = [
            (registry.BYTE_ORDER, 4, 0x04030201),
            (registry.ROOT_SIZE, 4, 0),
            (registry.ROOT_SIZE, 4, 0xFFFFFFFF),
            (registry.TABLE_COUNT, 4, 0xFFFFFFFF),
            (registry.FIELD_COUNT, 4, 0xFFFFFFFF),
        ]
        for offset, size, value in some(numbers, 3):
            with self.subTest(offset=offset, value=value):

                def damage(view: registry.RegistryView) -> None:
                    view.core.write_number(view.root + offset, size, value)

                session = self._damaged(damage)
                for name in LISTS:
                    answer = session.answer(name)
                    if answer.error is None:
                        self.assertEqual(compare_lists(self.truth, session.answer).differences, [])

    def test_senseless_table(self) -> None:
        """A table's description that cannot be: the table is refused or its rows marked."""
        numbers = [
            (registry.TABLE_RECORD_SIZE, 4, 0),
            (registry.TABLE_RECORD_SIZE, 4, 0xFFFFFFF8),
            (registry.TABLE_RECORDS_PER_CHUNK, 4, 0),
            (registry.TABLE_RECORDS_PER_CHUNK, 4, 0xFFFFFFFF),
            (registry.TABLE_CHUNK_COUNT, 4, 0xFFFFFFFF),
            (registry.TABLE_DIRECTORY, 8, 0x10),
            (registry.TABLE_DIRECTORY, 8, 0xFFFFFFFFFFFFFFF8),
            (registry.TABLE_ENTRY_SIZE, 4, 0),
            (registry.TABLE_FIELD_COUNT, 2, 0xFFFF),
        ]
        for offset, size, value in some(numbers, 5):
            with self.subTest(offset=offset, value=value):

                def damage(view: registry.RegistryView) -> None:
                    table = view.table(registry.MEMOBJ)
                    view.core.write_number(table + offset, size, value)

                self._refused_or_marked(self._damaged(damage), "memobjs")

    def _object_with(self, destructors: int) -> str:
        for row in self.truth["memobjs"]:
            if len(row["destructors"]) == destructors:
                return str(row["handle"])
        raise AssertionError("no object with %d destructors" % destructors)

    def _cycle(self, target: str) -> Callable[[registry.RegistryView], None]:
        """Make the newest callback of an object its own successor, or that of another object."""

        def damage(view: registry.RegistryView) -> None:
            offsets = view.fields(registry.MEMOBJ)
            record = view.find(registry.MEMOBJ, int(target, 16))
            newest = view.core.read_number(record + offsets[registry.CALLBACKS], 4)
            callback = view.record(registry.CALLBACK, newest - 1)
            following = callback + view.fields(registry.CALLBACK)[registry.NEXT]
            view.core.write_number(following, 4, newest)

        return damage

    def test_cycle_in_callbacks(self) -> None:
        handle = self._object_with(3)
        one = ask("one", "opencl destructors %s" % handle)
        session = self._damaged(self._cycle(handle), one)
        rows = {row["handle"]: row for row in session.answer("memobjs").rows()}
        self.assertEqual(rows.keys(), {row["handle"] for row in self.truth["memobjs"]})
        self.assertLessEqual(len(rows[handle].get("destructors") or []), 3)
        self.assertIn("unknown", rows[handle])
        answer = session.answer("one")
        said = answer.error if answer.error is not None else answer.output
        self.assertRegex(said, "(?i)sense|corrupt|cannot|could not|damaged")

    def test_callback_past_the_table(self) -> None:
        handle = self._object_with(3)

        def damage(view: registry.RegistryView) -> None:
            offsets = view.fields(registry.MEMOBJ)
            record = view.find(registry.MEMOBJ, int(handle, 16))
            view.core.write_number(record + offsets[registry.CALLBACKS], 4, 0xFFFFFF)

        rows = {row["handle"]: row for row in self._damaged(damage).answer("memobjs").rows()}
        self.assertIn("unknown", rows[handle])

    def test_cycle_in_hash(self) -> None:
        """A handle that is not there, looked for in a chain that never ends."""

        def damage(view: registry.RegistryView) -> None:
            offset = view.fields(registry.MEMOBJ)[registry.HASH_NEXT]
            per_chunk = view.core.read_number(
                view.table(registry.MEMOBJ) + registry.TABLE_RECORDS_PER_CHUNK, 4
            )
            for index, record in enumerate(view.records(registry.MEMOBJ)):
                self.assertLess(index, per_chunk)
                reference = registry.MEMOBJ << 24 | index
                view.core.write_number(record + offset, 4, reference)

        asked = []
        for number in range(64):
            asked.append(ask("absent%d" % number, "opencl memobj %#x" % (number * 64 + 8)))
        session = self._damaged(damage, *asked)
        for number in range(64):
            self.assertIsNotNone(session.answer("absent%d" % number).error)

    def test_cycle_in_pointers(self) -> None:
        """The SVM pointers of a command, in a circle."""

        def damage(view: registry.RegistryView) -> None:
            offsets = view.fields(registry.SVM_FREE)
            for record in view.records(registry.SVM_FREE):
                first = view.core.read_number(record + offsets[registry.POINTERS], 4)
                link = view.record(registry.ADDRESS, first - 1)
                next_offset = view.fields(registry.ADDRESS)[registry.NEXT]
                view.core.write_number(link + next_offset, 4, first)
                view.core.write_number(record + offsets[registry.POINTER_COUNT], 4, 0xFFFFFF)

        session = self._damaged(damage)
        answer = session.answer("svm-frees")
        if answer.error is None:
            rows = answer.rows()
            self.assertEqual(len(rows), 1)
            self.assertLess(len(rows[0].get("pointers") or []), 100)
            self.assertIn("unknown", rows[0])

    def test_endless_counts(self) -> None:
        """Numbers of callbacks and of stack frames beyond all bounds."""

        def damage(view: registry.RegistryView) -> None:
            offsets = view.fields(registry.MEMOBJ)
            for record in view.records(registry.MEMOBJ):
                view.core.write_number(record + offsets[registry.CALLBACK_COUNT], 4, 0xFFFFFFFF)
            depth = view.fields(registry.STACK)[registry.DEPTH]
            for record in view.records(registry.STACK):
                view.core.write_number(record + depth, 2, 0xFFFF)

        session = self._damaged(damage)
        self.assertIsNone(session.answer("svm").error)

    def _damaged_threads(self, field: int, data: bytes) -> Session:
        """Every thread's record with other bytes where FIELD begins."""

        def damage(view: registry.RegistryView) -> None:
            offset = view.fields(registry.THREAD)[field]
            for record in view.records(registry.THREAD):
                view.core.write(record + offset, data)

        return self._damaged(damage)

    def test_endless_activities(self) -> None:
        """A thread in more calls than can be."""
        session = self._damaged_threads(registry.ACTIVITY_COUNT, b"\xff" * 4)
        for row in session.answer("threads").rows():
            self.assertIsNone(row["state"])
            self.assertIn("state", row["unknown"])
            self.assertLessEqual(len(row["activities"] or []), 8)
        text = session.answer("threads in words").output
        self.assertRegex(text, r"(?m)^(Corrupt: |\?  ).*\bstate\b")
        assert_truth(self.truth, session)

    def test_senseless_activities(self) -> None:
        """Threads in a call that there is not, with an object that there is not."""

        def damage(view: registry.RegistryView) -> None:
            offsets = view.fields(registry.THREAD)
            for record in view.records(registry.THREAD):
                view.core.write_number(record + offsets[registry.ACTIVITY_COUNT], 4, 3)
                view.core.write(record + offsets[registry.ACTIVITIES], b"\xee" * 48)

        session = self._damaged(damage)
        for row in session.answer("threads").rows():
            self.assertIsNone(row["state"])
            self.assertEqual(len(row["activities"]), 3)
        assert_truth(self.truth, session)

    def test_senseless_usage(self) -> None:
        """Fewer than no objects."""
        session = self._damaged_threads(registry.USAGE, b"\xff" * 16 * 12)
        row = session.answer("memory").rows()[0]
        for part in row["usage"] or []:
            self.assertIsNone(part["live"])
            self.assertEqual(part["unknown"]["live"], "corrupt")
        assert_truth(self.truth, session)

    def test_threads_cut_out(self) -> None:
        """No list of threads looks complete if a core lacks their records."""

        def damage(view: registry.RegistryView) -> None:
            view.core.cut(view.record(registry.THREAD, 0))

        session = self._damaged(damage)
        answer = session.answer("threads")
        said = answer.error if answer.error is not None else answer.output
        self.assertRegex(said, "(?i)not saved|could not be read|unreadable")
        answer = session.answer("memory in words")
        said = answer.error if answer.error is not None else answer.output
        self.assertRegex(said, "(?i)not saved|could not be read|unreadable")

    def test_any_byte(self) -> None:
        """Words of the registry's root, each set to all ones: answers or a sentence."""
        words: List[int] = list(range(8, registry.TABLES + 32, 8))
        for offset in some(words[:: max(1, len(words) // 8)], 4):
            with self.subTest(offset=offset):

                def damage(view: registry.RegistryView) -> None:
                    view.core.write(view.root + offset, b"\xff" * 8)

                self._damaged(damage)


if __name__ == "__main__":
    main()
