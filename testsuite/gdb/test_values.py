#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB's own commands on OpenCL values: printers, functions in expressions, info opencl."""

import re
import unittest
from typing import Any, Dict, List

from gdbserver import gdbserver
from harness import Session, ask, environment, main, program, run_gdb

STOP = "stop_here"
PICTURE_SIZE = 640 * 480
TILE_SIZE = PICTURE_SIZE // 4
FLAGS = r"CL_MEM_READ_ONLY\|CL_MEM_USE_HOST_PTR"
KINDS = {  # of members of `pipeline`: how their objects are described, and the list they are in
    "context": ("OpenCL context", "contexts"),
    "queue": ("command queue", "queues"),
    "program": ("program", "programs"),
    "blur_rows": ("kernel", "kernels"),
    "sampler": ("sampler", "samplers"),
    "picture": ("buffer, %d B" % PICTURE_SIZE, "memobjs"),
    "tiles[0]": ("sub-buffer, %d B" % TILE_SIZE, "memobjs"),
    "smooth": ("image2d", "memobjs"),
    "frame_shown": ("event, user, unset", "events"),
}
NUMBERS = {
    "(cl_mem_flags)9": "CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR",
    "(cl_mem_flags)0x20000000001": "CL_MEM_READ_WRITE | 0x20000000000",
    "(cl_mem_flags)0": "0",
    "(const cl_command_queue_properties)1": "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
    "(cl_channel_order)0x10b5": "CL_RGBA",
    "(cl_channel_type)7": "0x7",
    "(cl_mem)0": "0x0",
    "(cl_mem)0x1234": "0x1234 <no object: never created, or destroyed>",
    '$opencl_live("queue")': "1",
    "$opencl_size(pipeline.picture)": str(PICTURE_SIZE),
    "$opencl_size((long)pipeline.tiles[1])": str(TILE_SIZE),
    "$opencl_refs(pipeline.queue)": "1",
    "$opencl_state(pipeline.smooth)": '"destroying"',
}
REFUSED = {
    '$opencl_live("memory")': '$opencl_live needs one of "context", "queue", "memobj", "svm", '
    '"svm-free", "event", "kernel", "program", "sampler", "command-buffer", "semaphore".',
    "$opencl_size(pipeline.context)": r"\$opencl_size: <context 0x[0-9a-f]+> has none\.",
    "$opencl_refs((cl_mem)0x1234)": "memobj 0x1234: no such object was found.",
    "$opencl_refs(pipeline)": r"The argument of \$opencl_refs is an object, not a cl handle\.",
}


def printed(session: Session, expression: str) -> str:
    """What GDB says that an expression is."""
    answer = session.answer("print " + expression)
    if answer.error is not None:
        raise AssertionError("print %s: %s" % (expression, answer.error))
    return answer.output


def prints(expressions: Any) -> List[str]:
    """The commands that print them, and keep nothing in GDB's history."""
    return [ask("print " + each, "output " + each) for each in expressions]


class TestValues(unittest.TestCase):
    def _run(self, recorder: bool, commands: List[str]) -> Session:
        variables: Dict[str, str] = environment("pocl", recorder)
        words = [program("programs/demo/edges")]
        return run_gdb(words, ["break " + STOP, "run > /dev/null", *commands], variables)

    def _compare(self, session: Session) -> None:
        """The handles that are printed are those of the lists, each with its object."""
        for name, (words, table) in KINDS.items():
            text = printed(session, "pipeline." + name)
            match = re.match(r"(0x[0-9a-f]+) <(.*)>$", text)
            assert match is not None, text
            self.assertEqual(match[2][: len(words)], words, text)
            handles = [row["handle"] for row in session.answer(table).rows()]
            self.assertIn(match[1], handles, text)
        self.assertRegex(
            printed(session, "pipeline.picture"),
            r"buffer, %d B, %s~? at 0x[0-9a-f]+.*, 1 reference( \(presumed\))?>$"
            % (PICTURE_SIZE, FLAGS),
        )

    def _questions(self) -> List[str]:
        tables = sorted({table for _words, table in KINDS.values()})
        return [
            *[ask(table, "opencl %s -json" % table) for table in tables],
            *prints("pipeline." + name for name in KINDS),
        ]

    def test_recorder(self) -> None:
        commands = [
            *self._questions(),
            *prints(NUMBERS),
            *prints(REFUSED),
            ask("opencl", "opencl memobjs -json"),
            ask("info", "info opencl memobjs -json"),
            ask("overview", "info opencl"),
            ask("complete", "complete info opencl memo"),
            ask("frames", "backtrace 2"),
            "disable pretty-printer global ompd-opencl",
            ask("plain", "output pipeline.queue"),
        ]
        session = self._run(True, commands)
        self._compare(session)
        for expression, expected in NUMBERS.items():
            self.assertEqual(printed(session, expression), expected, expression)
        for expression, expected in REFUSED.items():
            error = session.answer("print " + expression).error or ""
            pattern = expected if "\\" in expected else re.escape(expected)
            self.assertRegex(error, pattern, expression)
        self.assertEqual(session.answer("info").rows(), session.answer("opencl").rows())
        self.assertGreater(len(session.answer("info").rows()), 5)
        self.assertRegex(session.answer("overview").output, r"^OpenCL in process \d+: ")
        self.assertIn("info opencl memobjs\n", session.answer("complete").output)
        self.assertRegex(session.answer("frames").output, r"smooth=.*<image2d, .* B, ")
        self.assertRegex(session.answer("plain").output, r"^\(cl_command_queue\) 0x[0-9a-f]+$")

    def test_alone(self) -> None:
        """Without the recorder."""
        self._compare(self._run(False, self._questions()))

    def test_condition(self) -> None:
        """A condition is evaluated while GDB counts the threads as running."""
        commands = [
            'break clReleaseMemObject if $opencl_live("memobj") < 5',
            "continue",
            ask("memobjs", "opencl memobjs -json"),
        ]
        session = self._run(True, commands)
        self.assertEqual(len(session.answer("memobjs").rows()), 4)

    def test_nothing_to_ask(self) -> None:
        """No process, and one whose memory comes slowly: a handle is printed as ever."""
        path = program("programs/demo/edges")
        variables = environment("pocl")
        with gdbserver([path], variables) as connect:
            commands = [
                ask("none", "output (cl_mem)0x1234"),
                connect,
                "break " + STOP,
                "continue",
                ask("slow", "output pipeline.picture"),
                ask("stack", "backtrace"),
                "kill",
            ]
            session = run_gdb([path], commands, variables)
        self.assertEqual(session.answer("none").output, "0x1234")
        self.assertRegex(session.answer("slow").output, r"^0x[0-9a-f]{6,}$")
        self.assertRegex(
            session.answer("stack").output, r"\[destructor callback of memory object 0x\w+\]"
        )


if __name__ == "__main__":
    main()
