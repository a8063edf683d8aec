#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No exception in a callback turns into success or stays in a library call: it is raised again when
the library returns, and the library's memory is released."""

import ctypes
import os
import signal
import unittest
from typing import Callable, List, Optional, Tuple, Type, TypeVar

from harness import LIBRARY

from ompd_opencl import structures as c
from ompd_opencl.callbacks import CallbackTable
from ompd_opencl.core_file import Range
from ompd_opencl.elf_image import Module
from ompd_opencl.errors import UnreadableMemory
from ompd_opencl.library import CallbackEscape, Library
from ompd_opencl.protocols import Frame, StoppedThread


Struct = TypeVar("Struct", bound=ctypes.Structure)


class Failure(Exception):
    """What the fake target raises."""


class FakeTarget:
    """A target with a recorder's root at 0x10000 that cannot be read.  Each question may do
    something else first."""

    def __init__(self) -> None:
        self.unsaved_reads = ctypes.c_uint64()
        self.before = {"read": nothing, "find_symbol": nothing, "type_sizes": nothing}
        self.before.update({"is_little_endian": nothing, "region_after": nothing})
        self.asked = {"module": nothing, "find_module_symbol": nothing}
        self.asked.update({"stopped_thread": nothing, "innermost_frames": nothing})
        self.reads = 0

    def read(self, address: int, size: int) -> memoryview:
        """See protocols.Target."""
        self.reads += 1
        self.before["read"]()
        raise UnreadableMemory()

    def find_symbol(self, name: str) -> Optional[int]:
        """See protocols.Target."""
        self.before["find_symbol"]()
        return 0x10000

    def type_sizes(self) -> Tuple[int, int, int, int, int, int]:
        """See protocols.Target."""
        self.before["type_sizes"]()
        return (1, 2, 4, 8, 8, 8)

    def is_little_endian(self) -> bool:
        """See protocols.Target."""
        self.before["is_little_endian"]()
        return True

    def region_after(self, address: int) -> Optional[Range]:
        """See protocols.Target."""
        self.before["region_after"]()
        return Range(0x10000, 0x20000, False, 0)

    def module(self, index: int) -> Optional[Module]:
        """See protocols.Target."""
        self.asked["module"]()
        return Module("/a", b"\1\0\2", 0x10000, 0x20000) if index == 0 else None

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """See protocols.Target."""
        self.asked["find_module_symbol"]()
        return 0x10010 if (index, name) == (0, "here") else None

    def stopped_thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Target."""
        self.asked["stopped_thread"]()
        return StoppedThread(7, 0x7000) if index == 0 else None

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Target."""
        self.asked["innermost_frames"]()
        return [Frame(0x10010, 0, False, {7: 0x6000})] if lwp == 7 else []

    def forget(self) -> None:
        """See protocols.Target."""


def given(kind: Type[Struct]) -> Struct:
    """A struct as the library gives it to a callback."""
    return kind(struct_size=ctypes.sizeof(kind))


def nothing() -> None:
    """Nothing goes wrong."""


def fail() -> None:
    """A fault of the plugin's own."""
    raise Failure("on purpose")


def leave() -> None:
    """What only `except BaseException` catches."""
    raise SystemExit(3)


def press_control_c() -> None:
    """The user has lost patience."""
    os.kill(os.getpid(), signal.SIGINT)


class TestCallbacks(unittest.TestCase):
    """Library.call and the callback table."""

    def setUp(self) -> None:
        self.library = Library([LIBRARY])
        self.lines: List[str] = []
        self.table = CallbackTable(self.library, self.lines.append)
        self.target = FakeTarget()
        self.space = ctypes.c_void_p()

    def tearDown(self) -> None:
        if self.space:
            code = self.library.call("ompd_rel_address_space_handle", self.space)
            self.assertEqual(code, c.ReturnCode.OK)
            self.space = ctypes.c_void_p()

    def use(self) -> int:
        """Make an address space, and let it read the target; returns the last return code."""
        code = self.library.call(
            "ompd_cl_address_space_create",
            ctypes.byref(self.table.callbacks),
            ctypes.byref(self.table.extra),
            self.table.add(self.target),
            ctypes.byref(self.space),
        )
        self.assertEqual(code, c.ReturnCode.OK)
        return self.library.call("ompd_cl_address_space_refresh", self.space)

    def test_unreadable_memory(self) -> None:
        self.assertNotEqual(self.use(), c.ReturnCode.OK)
        self.assertGreater(self.target.reads, 0)

    def test_exceptions_come_back(self) -> None:
        kinds: Tuple[Tuple[Callable[[], None], type], ...] = (
            (fail, Failure),
            (leave, SystemExit),
        )
        for question in self.target.before:
            for action, kind in kinds:
                with self.subTest(question=question, kind=kind.__name__):
                    self.setUp()
                    self.target.before[question] = action
                    with self.assertRaises(kind):
                        self.use()
                    self.tearDown()

    def test_failed_allocation(self) -> None:
        """malloc that raises: no address space, and the exception is seen."""

        def no_memory(_size: int) -> int:
            raise Failure("no memory")

        setattr(self.table, "_malloc", no_memory)
        with self.assertRaises(Failure):
            self.use()
        self.assertFalse(self.space)

    def test_allocation_without_memory(self) -> None:
        setattr(self.table, "_malloc", lambda size: 0)
        code = self.library.call(
            "ompd_cl_address_space_create",
            ctypes.byref(self.table.callbacks),
            None,
            self.table.add(self.target),
            ctypes.byref(self.space),
        )
        self.assertEqual(code, c.ReturnCode.NOMEM)

    def test_control_c(self) -> None:
        """SIGINT within a read: seen when the library has returned, whatever it returned."""
        self.target.before["read"] = press_control_c
        with self.assertRaises(KeyboardInterrupt):
            self.use()
        self.assertNotIn(signal.SIGINT, signal.pthread_sigmask(signal.SIG_BLOCK, []))

    def test_modules(self) -> None:
        context = self.table.add(self.target)
        module = given(c.Module)
        extra = self.table.extra
        self.assertEqual(extra.module(context, 0, ctypes.byref(module)), c.ReturnCode.OK)
        told = (module.name, module.build_id_size, module.start, module.end)
        self.assertEqual(told, (b"/a", 3, 0x10000, 0x20000))
        place = ctypes.addressof(module) + c.Module.build_id.offset
        pointer = ctypes.c_void_p.from_address(place).value or 0
        self.assertEqual(ctypes.string_at(pointer, 3), b"\1\0\2")
        self.assertEqual(extra.module(context, 1, ctypes.byref(module)), c.ReturnCode.UNAVAILABLE)
        address = ctypes.c_uint64(77)
        code = extra.module_symbol(context, 0, b"nowhere", ctypes.byref(address))
        self.assertEqual((code, address.value), (c.ReturnCode.UNAVAILABLE, 77))
        code = extra.module_symbol(context, 0, b"here", ctypes.byref(address))
        self.assertEqual((code, address.value), (c.ReturnCode.OK, 0x10010))

    def test_stacks(self) -> None:
        context = self.table.add(self.target)
        thread, frame, count = given(c.TargetThread), given(c.Frame), ctypes.c_uint64()
        extra = self.table.extra
        self.assertEqual(extra.thread(context, 0, ctypes.byref(thread)), c.ReturnCode.OK)
        self.assertEqual((thread.lwp, thread.pthread), (7, 0x7000))
        self.assertEqual(extra.thread(context, 1, ctypes.byref(thread)), c.ReturnCode.UNAVAILABLE)
        found = (ctypes.byref(frame), ctypes.byref(count))
        self.assertEqual(extra.frames(context, 8, 1, *found), c.ReturnCode.UNAVAILABLE)
        self.assertEqual(extra.frames(context, 7, 1, *found), c.ReturnCode.OK)
        self.assertEqual((count.value, frame.pc, frame.register_count), (1, 0x10010, 1))
        register = frame.registers[0]
        self.assertEqual((register.number, register.size, register.value), (7, 8, 0x6000))

    def test_failures_about_modules(self) -> None:
        """The library's calls that ask for modules are not its own yet: the callbacks alone."""
        context = self.table.add(self.target)
        extra = self.table.extra
        for question in self.target.asked:
            self.target.asked[question] = leave
        module, address = given(c.Module), ctypes.c_uint64()
        thread, frame = given(c.TargetThread), given(c.Frame)
        for code in (
            extra.module(context, 0, ctypes.byref(module)),
            extra.module_symbol(context, 0, b"here", ctypes.byref(address)),
            extra.thread(context, 0, ctypes.byref(thread)),
            extra.frames(context, 7, 1, ctypes.byref(frame), ctypes.byref(address)),
        ):
            self.assertEqual(code, c.ReturnCode.CALLBACK_ERROR)
        self.assertIsInstance(getattr(self.library, "_failure"), SystemExit)

    def test_control_c_ends_a_search(self) -> None:
        progress = self.table.extra.progress
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.assertTrue(progress(1, 0, 100))
            press_control_c()
            self.assertFalse(progress(1, 50, 100))
        finally:
            self.assertEqual(signal.sigwait({signal.SIGINT}), signal.SIGINT)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self.assertIsInstance(getattr(self.library, "_failure"), KeyboardInterrupt)

    def test_control_c_ends_the_reads(self) -> None:
        """After SIGINT no more of the target is read."""
        self.target.before["find_symbol"] = press_control_c
        with self.assertRaises(KeyboardInterrupt):
            self.use()
        self.assertEqual(self.target.reads, 0)

    def test_log(self) -> None:
        """Lines of the library's log; what the function for them raises comes back."""
        self.use()
        self.assertEqual(self.lines, [])
        code = self.library.call("ompd_cl_log_level_set", self.space, c.LogLevel.READ)
        self.assertEqual(code, c.ReturnCode.OK)
        self.library.call("ompd_cl_address_space_refresh", self.space)
        self.assertTrue(self.lines)
        for line in self.lines:
            self.assertRegex(line, r"\Aompd-opencl: [^\n]+\n\Z")
        setattr(self.table, "_log", lambda line: leave())
        with self.assertRaises(SystemExit):
            self.library.call("ompd_cl_address_space_refresh", self.space)

    def test_escape(self) -> None:
        """An exception that leaves a callback is noticed although C goes on with any result."""

        def raising(*_arguments: object) -> int:
            raise Failure("out of a callback")

        self.table.callbacks.symbol_addr_lookup = c.SymbolAddrLookupFunction(raising)
        with self.assertRaisesRegex(CallbackEscape, "out of a callback"):
            self.use()

    def test_all_is_given_back(self) -> None:
        held = set()
        malloc, free = getattr(self.table, "_malloc"), getattr(self.table, "_free")

        def counting_malloc(size: int) -> int:
            address = int(malloc(size))
            held.add(address)
            return address

        def counting_free(address: int) -> None:
            held.remove(address)
            free(address)

        setattr(self.table, "_malloc", counting_malloc)
        setattr(self.table, "_free", counting_free)
        self.target.before["read"] = fail
        with self.assertRaises(Failure):
            self.use()
        self.assertTrue(held)
        self.library.call("ompd_rel_address_space_handle", self.space)
        self.space = ctypes.c_void_p()
        self.assertFalse(held)


if __name__ == "__main__":
    unittest.main(verbosity=2)
