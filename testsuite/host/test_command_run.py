#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl run` with programs that release everything, leave objects alive, crash, or do not
exist."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
from typing import Any, Dict, List, Tuple

from command import (
    ALIVE,
    BUILT_COMMAND,
    COMMAND,
    FINDINGS,
    NOTHING_FOUND,
    OK,
    UNREADABLE,
    USAGE,
    Answer,
    run,
)
from harness import (
    RECORDER,
    TIME_LIMIT,
    environment,
    main,
    program,
    thorough,
    work_folder,
)

LEAVE = program("programs/leave")
FRAMES = program("programs/demo/frames")
INTERPRETER = "It is an interpreter: objects alive at its exit are not leaks.\n"
PYTHON = """
import ctypes
cl = ctypes.CDLL("libOpenCL.so.1")
platform, device = ctypes.c_void_p(), ctypes.c_void_p()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
every = ctypes.c_ulong(0xFFFFFFFF)
assert cl.clGetDeviceIDs(platform, every, 1, ctypes.byref(device), None) == 0
cl.clCreateContext.restype = ctypes.c_void_p
context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
assert context
"""
FORGOTTEN = 24  # buffers of frames, which keep its context
THREADS = 200  # of leave, which leave a buffer each


class TestRun(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd", recorder=False)
        if COMMAND != BUILT_COMMAND:  # the recorder beside it may not be for these programs
            cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER

    def leave(self, end: str) -> Answer:
        """Run leave, whose own output comes through."""
        answer = run(["run", LEAVE, end], self.variables)
        self.assertIn("output\n", answer.output)
        self.assertIn("errors\n", answer.errors)
        return answer

    def left(self, end: str) -> List[Dict[str, Any]]:
        """The JSON Lines of a run of leave: how it ended, and what it left."""
        return self.left_of(LEAVE, [end], "errors\n")

    def left_of(self, path: str, words: List[str], errors: str = "") -> List[Dict[str, Any]]:
        """The same of any program; ERRORS is what it says itself."""
        report = os.path.join(work_folder("command-run"), "-".join(["report", *words]) + ".json")
        answer = run(["run", "--json", "--output", report, path, *words], self.variables)
        self.assertEqual(answer.errors, errors)
        with open(report, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual({row["schema"] for row in rows}, {1})
        self.assertEqual(rows[0]["program"], path)
        self.assertFalse(rows[0]["is_incomplete"])
        self.assertEqual(answer.code, FINDINGS if len(rows) > 1 else OK)
        return rows

    def sums(self, rows: List[Dict[str, Any]]) -> Dict[str, List[int]]:
        """Objects and bytes by kind."""
        result: Dict[str, List[int]] = {}
        for row in [row for row in rows[1:] if "died_of" not in row]:
            of_kind = result.setdefault(row["left"], [0, 0])
            of_kind[0] += row["count"]
            of_kind[1] += row.get("bytes", 0)
        return result

    def test_nothing(self) -> None:
        answer = self.leave("nothing")
        self.assertEqual(answer.code, OK)
        self.assertIn("exited with status 0.\n" + NOTHING_FOUND, answer.errors)
        self.assertNotIn("Left alive", answer.errors)

    def test_text(self) -> None:
        """The largest come first, equal stacks together, each with the calls that made it."""
        answer = self.leave("exit")
        self.assertEqual(answer.code, FINDINGS)
        self.assertIn("exited with status 7.\n", answer.errors)
        self.assertNotIn(NOTHING_FOUND, answer.errors)
        first = answer.errors.index(
            "  2 memory objects (8 KiB) of 2 made at\n    #0 make_buffer at "
        )
        second = answer.errors.index(
            "  1 memory object (100 B) of 1 made at\n    #0 make_buffer at "
        )
        third = answer.errors.index("  1 OpenCL context of 1 made at\n    #0 main at leave.c:")
        self.assertLess(answer.errors.index("Left alive: 3 memory objects (8.1 KiB)\n"), first)
        self.assertLess(first, second)
        self.assertLess(second, third)

    def test_events(self) -> None:
        """Objects of all kinds have the calls that made them."""
        errors = self.leave("events").errors
        self.assertIn(
            "\nLeft alive: 3 events\n  3 events of 3 made at\n    #0 leave_events at ", errors
        )
        self.assertIn(
            "\nLeft alive: 1 program\n  1 program of 1 made at\n    #0 leave_events at ", errors
        )
        rows = self.left("events")
        self.assertEqual(self.sums(rows)["event"], [3, 0])
        self.assertEqual(self.sums(rows)["program"], [1, 0])
        (row,) = [row for row in rows if row.get("left") == "event"]
        self.assertEqual([frame["symbol"] for frame in row["stack"]][:2], ["leave_events", "main"])

    def test_died(self) -> None:
        """What a signal has kept the program from releasing is not called left."""
        answer = self.leave("abort")
        self.assertEqual(answer.code, FINDINGS)
        self.assertIn("\nAlive when it died: 3 memory objects (8.1 KiB)\n", answer.errors)
        self.assertNotIn("Left alive", answer.errors)

    def test_alike(self) -> None:
        """Two calls in one line print alike, and are one group; their addresses are two."""
        answer = self.leave("pair")
        made = "  2 memory objects (2 KiB)%s made at\n    #0 make_buffer at "
        self.assertIn(made % " of 2", answer.errors)
        self.assertIn(made % "", self.leave("trio").errors)  # the third call is not known of
        self.assertEqual(answer.errors.count(" leave_pair at leave.c:"), 1)
        rows = [row for row in self.left("pair") if row.get("bytes") == 1024]
        self.assertEqual([row["count"] for row in rows], [1, 1])
        lines = [row["stack"][1]["line"] for row in rows]
        self.assertEqual(lines[0], lines[1])

    def test_json(self) -> None:
        rows = self.left("exit")
        self.assertEqual(rows[0]["exit_status"], 7)
        self.assertEqual([row["left"] for row in rows[1:]], ["memobj", "memobj", "context"])
        self.assertEqual([row["count"] for row in rows[1:]], [2, 1, 1])
        self.assertEqual([row.get("bytes") for row in rows[1:]], [8192, 100, None])
        for row in rows[1:3]:
            symbols = [frame["symbol"] for frame in row["stack"]]
            self.assertEqual(symbols[:2], ["make_buffer", "main"])
        self.assertEqual([row["exit_status"] for row in self.left("nothing")], [0])

    def test_ends(self) -> None:
        """However the program ends, all that it had is there."""
        expected = {"memobj": [3, 8292], "context": [1, 0]}
        for end, name, value in (
            ("segv", "signal", "SIGSEGV"),
            ("abort", "signal", "SIGABRT"),
            ("kill", "signal", "SIGKILL"),
            ("thread", "exit_status", 3),
            ("last", "exit_status", 5),
        ):
            with self.subTest(end=end):
                rows = self.left(end)
                self.assertEqual(rows[0].get(name), value)
                self.assertEqual(self.sums(rows), expected)

    @thorough
    def test_end_untold(self) -> None:
        """The tracer has not heard of the first thread's end when the last one's comes."""
        rows = self.left("untold")
        self.assertEqual(rows[0].get("exit_status"), 5)
        self.assertEqual(self.sums(rows), {"memobj": [3, 8292], "context": [1, 0]})

    def test_held(self) -> None:
        """What the program has released goes with what holds it; stacks end at main()."""
        answer = run(["run", FRAMES], self.variables)
        self.assertEqual(answer.code, FINDINGS)
        lines = answer.errors.splitlines()[1:]
        self.assertEqual(lines[0], "Left alive: 24 memory objects (1.8 MiB)")
        self.assertEqual(lines[1], "  24 memory objects (1.8 MiB) of 96 made at")
        self.assertIn("frame_upload at frames.c:", lines[2])
        self.assertEqual(lines[-1], "Released, but held by other objects: 1 OpenCL context")
        frames = lines[2:-3]
        self.assertEqual([i for i, line in enumerate(frames) if "main" in line], [len(frames) - 1])
        # What main() has left of the last handle may lie on the stack of what exits.
        self.assertRegex(lines[-3], "^    (23 )?lost: not found in the program's memory$")
        self.assertRegex(
            lines[-2], "^    they keep OpenCL context 0x[0-9a-f]+ alive after its release$"
        )
        rows = self.left_of(FRAMES, [])
        self.assertEqual([row.get("is_released") for row in rows[1:]], [None, True])
        self.assertEqual(rows[1]["count"], FORGOTTEN)
        self.assertIn(rows[1]["lost"], (FORGOTTEN - 1, FORGOTTEN))
        self.assertNotIn("lost", rows[2])

    def test_held_by_variable(self) -> None:
        """What the program still has the handle of is left alive, but not lost."""
        variables = dict(environment("pocl", recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        answer = run(["run", program("programs/lost-handles"), "leaky", "exit"], variables)
        self.assertEqual(answer.code, FINDINGS)
        self.assertRegex(answer.errors, "\n    held: its handle is at 0x[0-9a-f]+ <kept_buffer>\n")
        self.assertRegex(
            answer.errors,
            r"\n    they keep OpenCL context 0x[0-9a-f]+ and command queue 0x[0-9a-f]+ alive ",
        )
        answer = run(["run", program("programs/lost-handles"), "clean", "exit"], variables)
        self.assertEqual(answer.code, OK)
        self.assertIn(NOTHING_FOUND, answer.errors)

    def test_threads(self) -> None:
        """Buffers of threads that have ended are one group."""
        rows = self.left("threads")
        self.assertEqual(rows[1]["count"], THREADS)
        self.assertEqual(rows[1]["bytes"], THREADS * 1000)
        self.assertEqual([frame["symbol"] for frame in rows[1]["stack"]][1], "leave_buffer")
        self.assertEqual(self.sums(rows)["memobj"], [3 + THREADS, 8292 + THREADS * 1000])

    def test_exec(self) -> None:
        """A program that becomes another is followed."""
        answer = self.leave("exec")
        self.assertEqual((answer.code, answer.output), (OK, "output\noutput\n"))
        self.assertIn(NOTHING_FOUND, answer.errors)

    def test_over_release(self) -> None:
        rows = self.left("release")
        self.assertEqual(rows[0]["over_releases"], 1)
        self.assertEqual(rows[0]["findings"], 1)
        self.assertEqual((rows[1]["finding"], rows[1]["times"]), ("over-release", 1))
        answer = self.leave("release")
        self.assertRegex(
            answer.errors,
            r"exited with status 0\.\nFindings: 1\n1  Certain: OpenCL context 0x[0-9a-f]+ was "
            r"released at main at leave\.c:\d+ by LWP \d+, when it had no references left; the "
            r"last was released at main at leave\.c:\d+ by LWP \d+\.\n   OpenCL 3\.0, clRelease",
        )

    def test_interpreter(self) -> None:
        """What is alive when an interpreter exits is no leak; a mistake of its code is one."""
        answer = run(["run", sys.executable, "-c", PYTHON], self.variables)
        self.assertEqual(answer.code, ALIVE, answer)
        self.assertIn(INTERPRETER + "Alive when it died: 1 OpenCL context\n", answer.errors)
        self.assertNotIn("Left alive", answer.errors)
        release = PYTHON + "cl.clReleaseContext(context)\n"
        answer = run(["run", sys.executable, "-c", release], self.variables)
        self.assertEqual(answer.code, OK, answer)
        self.assertIn(NOTHING_FOUND, answer.errors)
        answer = run(["run", "--suppress", "libffi", sys.executable, "-c", PYTHON], self.variables)
        self.assertEqual(answer.code, OK, answer)
        self.assertIn("\n1 suppressed.\n", answer.errors)
        self.assertNotIn(INTERPRETER, answer.errors)

    def refuse(
        self, what: str, *options: str, runtime: str = "pocl", history: str = "256"
    ) -> Tuple[int, str]:
        """The code of a run of refuse on a runtime that checks what it is given, and the report
        behind how the program ended."""
        variables = dict(environment(runtime, recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        variables["OMPD_OPENCL_HISTORY"] = history
        answer = run(["run", *options, program("programs/refuse"), what], variables)
        end = " exited with status 0.\n"
        self.assertIn(end, answer.errors)
        text = re.sub(r"0x[0-9a-f]+|(?<=refuse\.c:)\d+|(?<=LWP )\d+", "N", answer.errors)
        return answer.code, text.split(end, maxsplit=1)[1]

    def test_thorough(self) -> None:
        """The verdict says which checks were made in addition, by option and by environment."""
        words = [program("programs/rules"), "event-set-twice", "right", "end"]
        added = "Also checked: whether commands of released events failed.\n"
        usual = run(["run", "--check=normal", *words], self.variables)
        self.assertIn(NOTHING_FOUND, usual.errors)
        self.assertNotIn(added, usual.errors)
        thorough_variables = dict(self.variables, OMPD_OPENCL_CHECK="thorough")
        for answer in (
            run(["run", "--check=thorough", *words], self.variables),
            run(["run", *words], thorough_variables),
        ):
            self.assertIn(added, answer.errors)
            self.assertNotIn("OMPD_OPENCL_CHECK", answer.errors)
        answer = run(["run", "--check", "some", "true"], self.variables)
        self.assertEqual((answer.code, answer.is_refusal()), (USAGE, True))

    def test_refused(self) -> None:
        """Refused calls are reported by place and error, and are findings, except for those that
        correct programs make."""
        code, text = self.refuse("refused")
        refused = (
            "Refused calls: 251\n"
            "  CL_INVALID_VALUE from clEnqueueReadBuffer at have_refused at refuse.c:N, 250 times: "
            "offset 0 and size 8192 exceed the 4096 bytes of buffer\n"
            "  CL_INVALID_MEM_OBJECT from clEnqueueWriteBuffer at have_refused at refuse.c:N: "
            "buffer is NULL\n"
        )
        nothing = "No OpenCL objects were left alive.\n"
        self.assertEqual((code, text), (FINDINGS, refused + nothing))
        ignored = NOTHING_FOUND.replace(", no refused calls", "")
        self.assertEqual(self.refuse("refused", "--errors=ignore"), (OK, ignored))
        self.assertEqual(self.refuse("refused", "--errors=report"), (FINDINGS, refused + nothing))
        code, text = self.refuse("probes")
        build = "Failed builds: 1\n  CL_BUILD_PROGRAM_FAILURE from clBuildProgram at probe at "
        log = "refuse.c:N: the program could not be built: see its build log\n"
        self.assertEqual((code, text), (OK, build + log + NOTHING_FOUND))
        answer = run(["run", "--errors", "some", "true"], self.variables)
        self.assertEqual((answer.code, answer.is_refusal()), (USAGE, True))

    def test_refused_in_json(self) -> None:
        self.variables = dict(environment("pocl", recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        rows = self.left_of(program("programs/refuse"), ["refused"])
        self.assertEqual((rows[0]["refused"], rows[0]["findings"]), (251, 0))
        self.assertEqual([row["times"] for row in rows[1:]], [250, 1])
        self.assertEqual(
            [(row["refused"], row["error"]) for row in rows[1:]],
            [
                ("clEnqueueReadBuffer", "CL_INVALID_VALUE"),
                ("clEnqueueWriteBuffer", "CL_INVALID_MEM_OBJECT"),
            ],
        )

    def test_mistake_once(self) -> None:
        """What is wrong at one place is one entry, however the program ends."""
        for end in ("twice", "early"):
            code, text = self.refuse(end)
            self.assertEqual(
                (code, text),
                (
                    FINDINGS,
                    "Findings: 1\n1  Certain: user event N was set at set_twice at refuse.c:N by "
                    "LWP N, although it had already been set at set_twice at refuse.c:N by LWP N "
                    "(250 times).\n   OpenCL 3.0, clSetUserEventStatus: the status of an event may "
                    "be set once only.\n"
                    "No OpenCL objects were left alive.\n",
                ),
            )

    def test_mapped(self) -> None:
        """Mappings that were never undone, of objects that the program has released, whether the
        runtime has deleted them then, as rusticl does, or not."""
        for runtime in ("pocl", "rusticl"):
            code, text = self.refuse("mapped", runtime=runtime)
            self.assertEqual(code, FINDINGS)
            self.assertEqual(
                sorted(text[text.index("Never unmapped") :].splitlines()[:3]),
                [
                    "  1 mapping of buffer N, which was made at map_buffer at refuse.c:N, mapped "
                    "at map_buffer at refuse.c:N, 2 times",
                    "  3 mappings of buffer N, which was made at main at refuse.c:N, mapped at "
                    "map_buffer at refuse.c:N",
                    "Never unmapped: 5 mappings",
                ],
                text,
            )
            self.assertNotIn("Nothing", text)
        text = self.refuse("mapped", runtime="rusticl", history="1")[1]
        self.assertIn("Never unmapped: at least ", text)

    def test_pending(self) -> None:
        """Commands that may be unfinished are reported, and are not leaks by themselves."""
        text = self.refuse("pending")[1]
        pending = "  write-buffer enqueued at leave_pending at refuse.c:N, never flushed, 3 times\n"
        self.assertTrue(
            text.startswith("Commands that may not have completed: 3\n" + pending), text
        )

    def test_failed(self) -> None:
        """Failed commands are reported with the cause, and are not mistakes."""
        self.assertEqual(
            self.refuse("failed"),
            (
                OK,
                "Note: a command that has no event never ran, because the program had set event N "
                "to -1 at fail_command at refuse.c:N by LWP N; enqueued at fail_command at "
                "refuse.c:N by LWP N.\n"
                "Failed commands: 1\n  clEnqueueWriteBuffer at fail_command at refuse.c:N never "
                "ran: a user event that it waits for was set to -1 at fail_command at "
                "refuse.c:N by LWP N\n" + NOTHING_FOUND,
            ),
        )

        self.assertIn("Failed commands: at least 1\n", self.refuse("failed", history="1")[1])

    def test_reloads(self) -> None:
        """A loader that is unloaded and loaded again is recorded each time, wherever it lies."""
        # More rounds than there are loaders to serve, or code to leave out.
        for way, rounds in (("again", 3), ("again", 10), ("moved", 20)):
            answer = run(["run", program("loader/reloads"), way, str(rounds)], self.variables)
            left = "\nLeft alive: %d memory objects (%d KiB)\n  %d memory objects (%d KiB) of %d "
            left += "made at\n    #0 buffer_forget at reloads.c:"
            left %= (rounds, 4 * rounds, rounds, 4 * rounds, rounds)
            self.assertIn(left, answer.errors)
            self.assertNotIn("not recorded", answer.errors)
            self.assertEqual(answer.code, FINDINGS)

    def test_loaders_refused(self) -> None:
        """Of loaders beyond those that are served it is said that they were not recorded."""
        folder = work_folder("command-run-loaders")
        ctypes.CDLL("libOpenCL.so.1")
        with open("/proc/self/maps", encoding="utf-8") as maps:
            system = next(line.split()[-1] for line in maps if "/libOpenCL." in line)
        files = []
        for number in range(4):
            files.append(os.path.join(folder, "libOpenCL-%d.so" % number))
            shutil.copy(system, files[-1])
        told = "was not recorded; calls through it are unknown.\n"
        for count, sentence in ((2, ""), (3, "1 OpenCL loader " + told)):
            answer = run(
                ["run", program("loader/reloads"), "at-once", *files[:count]], self.variables
            )
            self.assertIn("\n  2 memory objects (8 KiB) of 2 made at\n", answer.errors)
            self.assertEqual(answer.errors.endswith(told), sentence != "", answer.errors)
            self.assertIn(sentence, answer.errors)
        words = ["at-once", *files]
        answer = run(["run", "--json", program("loader/reloads"), *words], self.variables)
        self.assertEqual(json.loads(answer.errors.splitlines()[0])["loaders_refused"], 2)

    def test_no_opencl(self) -> None:
        """A program that has no OpenCL runs to its end, and its output comes through."""
        answer = run(["run", "sh", "-c", "echo said; exit 4"], self.variables)
        self.assertEqual((answer.code, answer.output), (UNREADABLE, "said\n"))
        self.assertIn("exited with status 4.\n", answer.errors)
        self.assertIn("ompd-opencl: the recorder was not loaded: ", answer.errors)
        self.assertNotIn(NOTHING_FOUND, answer.errors)

    def test_input(self) -> None:
        """The standard input is the program's."""
        done = subprocess.run(
            [COMMAND, "run", "cat"],
            input=b"through\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=TIME_LIMIT,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (UNREADABLE, b"through\n"))

    def test_not_a_program(self) -> None:
        folder = work_folder("command-run")
        text = os.path.join(folder, "text")
        with open(text, "w", encoding="ascii") as file:
            file.write("no program\n")
        for name, reason in ((text, "Permission"), (folder, "Permission"), ("/no/such", "No such")):
            answer = run(["run", name], self.variables)
            self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True), answer)
            self.assertIn("cannot run %s: %s" % (name, reason), answer.errors)
        self.assertEqual(run(["run"], self.variables).code, USAGE)
        self.assertEqual(run(["memobjs", "--output", "x"], self.variables).code, USAGE)

    def test_recorder(self) -> None:
        """A named recorder is used, or reported as missing; layers that are set stay."""
        missing = dict(self.variables, OMPD_OPENCL_RECORDER="/no/recorder.so")
        answer = run(["run", LEAVE, "exit"], missing)
        self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True))
        layers = dict(self.variables, OPENCL_LAYERS="first.so")
        answer = run(["run", "sh", "-c", "echo $OPENCL_LAYERS $OMPD_OPENCL_STACK_DEPTH"], layers)
        self.assertRegex(answer.output, r"\Afirst\.so:/.*/libompd-opencl-recorder\.so 16\n\Z")
        layers["OPENCL_LAYERS"] = environment("icd")["OPENCL_LAYERS"]
        layers["OMPD_OPENCL_STACK_DEPTH"] = "2"
        answer = run(["run", "sh", "-c", "echo $OPENCL_LAYERS $OMPD_OPENCL_STACK_DEPTH"], layers)
        self.assertEqual(answer.output, layers["OPENCL_LAYERS"] + " 2\n")

    def test_word_size(self) -> None:
        """A program that cannot load the recorder is not run, but for a recorder as it is."""
        folder = work_folder("command-run")
        other = {}
        for path in (LEAVE, RECORDER):
            other[path] = os.path.join(folder, os.path.basename(path))
            with open(path, "rb") as file:
                start = bytearray(file.read(4096))
            bits = {1: 64, 2: 32}[start[4]]
            start[4] = 3 - start[4]  # EI_CLASS
            with open(other[path], "wb") as file:
                file.write(start)
            os.chmod(other[path], 0o755)
        variables = dict(self.variables, PATH=folder + ":" + self.variables["PATH"])
        variables["OMPD_OPENCL_RECORDER"] = RECORDER
        sentence = "ompd-opencl: %s is %d-bit and the recorder %s is not; set OMPD_OPENCL_RECORDER "
        sentence += "to one that matches\n"
        for name in (other[LEAVE], "leave"):
            answer = run(["run", name], variables)
            self.assertEqual(answer.code, UNREADABLE)
            self.assertEqual(answer.errors, sentence % (name, bits, RECORDER))
        variables["OMPD_OPENCL_RECORDER"] = other[RECORDER]
        self.assertNotIn("-bit ", run(["run", "leave"], variables).errors)
        answer = run(["run", LEAVE, "nothing"], variables)
        self.assertEqual(answer.errors, sentence % (LEAVE, 96 - bits, other[RECORDER]))
        variables["OPENCL_LAYERS"] = other[RECORDER] + ":" + RECORDER
        self.assertEqual(run(["run", LEAVE, "nothing"], variables).code, OK)

    def test_daemon(self) -> None:
        """A process that the program leaves behind is not waited for."""
        read, write = os.pipe()
        words = "read line <&%d & echo parent" % read
        with subprocess.Popen(
            [COMMAND, "run", "sh", "-c", words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[read],
        ) as command:
            try:
                self.assertEqual(command.wait(TIME_LIMIT), UNREADABLE)
            finally:
                os.close(write)
                os.close(read)

    def test_signals(self) -> None:
        """The terminal's signals are the program's; those to the command are passed on."""
        words = "trap 'echo caught; exit 9' INT TERM; echo ready; while :; do read line; done"
        for number, is_group in ((signal.SIGTERM, False), (signal.SIGINT, True)):
            with subprocess.Popen(
                [COMMAND, "run", "bash", "-c", words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            ) as command:
                assert command.stdout is not None
                self.assertEqual(command.stdout.readline(), b"ready\n")
                if is_group:
                    os.killpg(command.pid, number)
                else:
                    command.send_signal(number)
                try:
                    output, errors = command.communicate(timeout=TIME_LIMIT)
                except subprocess.TimeoutExpired:
                    os.killpg(command.pid, signal.SIGKILL)
                    raise
                self.assertEqual((command.returncode, output), (UNREADABLE, b"caught\n"))
                self.assertIn(b"exited with status 9.\n", errors)


if __name__ == "__main__":
    main()
