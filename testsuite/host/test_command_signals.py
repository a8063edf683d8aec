#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl run` and signals: the program gets the same signals as without it, once and in the
same thread, from any sender.  Job control works."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import unittest
from typing import Any, Callable, List

from command import COMMAND, UNREADABLE
from harness import TIME_LIMIT, main, some, thorough

# Wait for signals.  A signal that comes before read() ends it too, which pause() would not notice.
WAIT = """
import os, signal
woken, wakes = os.pipe()
os.set_blocking(wakes, False)
signal.set_wakeup_fd(wakes)
def wait():
    while True:
        os.read(woken, 1)
"""
# Threads wait beside the first one, which tells of each signal that it gets, and ends with the one
# that is named.
PROGRAM = (
    WAIT
    + """
import sys, threading
def take(number, _):
    print(signal.Signals(number).name, flush=True)
    if sys.argv[1] == signal.Signals(number).name:
        os._exit(9)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
    if signal.getsignal(number) != signal.SIG_IGN:
        signal.signal(number, take)
for _ in range(3):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
wait()
"""
)
# It stops and goes on as the terminal says, and ends by its Ctrl-C.
JOB = (
    WAIT
    + """
import sys
signal.signal(signal.SIGCONT, lambda *_: print("continued", flush=True))
signal.signal(signal.SIGINT, lambda *_: sys.exit("interrupted"))
print("ready", flush=True)
wait()
"""
)


def take_signals() -> None:
    """Before a program starts: whoever runs the tests may have some signals ignored, as nohup(1)
    and a shell that starts a job in the background do."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def take_terminal() -> None:
    """The same, of the first process of a session that has a terminal."""
    take_signals()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A terminal of its own, and what was read from it so far."""

    def __init__(self, words: List[str], kept: int = -1) -> None:
        self.master, slave = pty.openpty()
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            words,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=take_terminal,
            pass_fds=[kept] if kept >= 0 else [],
            env=dict(os.environ, PS1="", HISTFILE="", TERM="dumb"),
        )
        os.close(slave)
        self.text = ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait_for(self, text: str) -> None:
        """Read until TEXT comes, and forget what came before."""
        while text not in self.text:
            try:
                read = os.read(self.master, 4096)
            except OSError:
                read = b""
            if not read:
                raise AssertionError("%r did not come: %r" % (text, self.text))
            self.text += read.decode()
        self.text = self.text.split(text, maxsplit=1)[1]


class TestSignals(unittest.TestCase):
    def run_program(
        self,
        act: Callable[["subprocess.Popen[str]"], None],
        last: str,
        prepare: Callable[[], Any] = take_signals,
    ) -> str:
        """The signals that the program reports after ACT."""
        with subprocess.Popen(
            [COMMAND, "run", sys.executable, "-c", PROGRAM, last],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            start_new_session=True,
            preexec_fn=prepare,
        ) as command:
            assert command.stdout is not None
            self.assertEqual(command.stdout.readline(), "ready\n")
            act(command)
            try:
                output, errors = command.communicate(timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(command.pid, signal.SIGKILL)
                raise
        self.assertEqual(command.returncode, UNREADABLE, errors)
        self.assertIn("exited with status 9.\n", errors)
        return output

    def test_timeout(self) -> None:
        """What timeout(1) sends: SIGCONT, which stops each thread that is traced, comes right
        behind a signal, which is the first thread's all the same."""

        def act(command: "subprocess.Popen[str]") -> None:
            command.send_signal(signal.SIGINT)
            with contextlib.suppress(ProcessLookupError):  # the first signal may have ended all
                os.killpg(command.pid, signal.SIGINT)
                command.send_signal(signal.SIGCONT)
                os.killpg(command.pid, signal.SIGCONT)

        for _ in range(3):
            self.assertEqual(self.run_program(act, "SIGINT"), "SIGINT\n")

    def test_alone(self) -> None:
        """Signals to the command alone."""
        for number in some((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1), 2):
            with self.subTest(number=number):
                name = signal.Signals(number).name
                output = self.run_program(lambda command: command.send_signal(number), name)
                self.assertEqual(output, name + "\n")

    def test_group(self) -> None:
        """Signals to the process group come once."""

        def act(command: "subprocess.Popen[str]") -> None:
            assert command.stdout is not None
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGUSR1):
                os.killpg(command.pid, number)
                self.assertEqual(command.stdout.readline(), signal.Signals(number).name + "\n")
            command.send_signal(signal.SIGUSR2)

        self.assertEqual(self.run_program(act, "SIGUSR2"), "SIGUSR2\n")

    def test_nohup(self) -> None:
        """What is ignored when the command starts stays so."""

        def act(command: "subprocess.Popen[str]") -> None:
            os.killpg(command.pid, signal.SIGHUP)
            command.send_signal(signal.SIGUSR2)

        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
        self.assertEqual(self.run_program(act, "SIGUSR2", ignore), "SIGUSR2\n")

    @thorough
    def test_closed_terminal(self) -> None:
        """The program of a command that leads its session gets the signal."""
        read, write = os.pipe()
        told = "os.write(%d, b'hung up')\n    if" % write
        program = PROGRAM.replace("print(signal.Signals(number).name, flush=True)\n    if", told)
        terminal = Terminal([COMMAND, "run", sys.executable, "-c", program, "SIGHUP"], write)
        os.close(write)
        terminal.wait_for("ready")
        os.close(terminal.master)
        with os.fdopen(read, encoding="ascii") as pipe:
            self.assertEqual(pipe.read(), "hung up")
        self.assertEqual(terminal.process.wait(TIME_LIMIT), UNREADABLE)

    def test_job_control(self) -> None:
        """Ctrl-Z, fg, bg and Ctrl-C in a shell, and a program that reads in the background."""
        terminal = Terminal(["bash", "--norc", "--noprofile", "--noediting", "-i"])
        terminal.type("set -b\n%s run %s -c '%s'\n" % (COMMAND, sys.executable, JOB))
        terminal.wait_for("ready")
        terminal.type("\x1a")
        terminal.wait_for("Stopped")
        terminal.type("fg\n")
        terminal.wait_for("\ncontinued")
        terminal.type("\x1a")
        terminal.wait_for("Stopped")
        terminal.type("bg\n")
        terminal.wait_for("\ncontinued")
        terminal.type("kill -STOP %1\n")
        terminal.wait_for("Stopped")
        terminal.type("fg\n")
        terminal.wait_for("\ncontinued")
        terminal.type("\x03")
        terminal.wait_for("interrupted")
        terminal.wait_for("exited with status 1.")
        terminal.type("%s run cat &\n" % COMMAND)
        terminal.wait_for("Stopped")
        terminal.type("fg\n")
        terminal.wait_for(" run cat")
        terminal.type("through\n")
        terminal.wait_for("through")
        terminal.type("\x04")
        terminal.wait_for("exited with status 0.")
        terminal.type("exit 7\n")
        self.assertEqual(terminal.process.wait(TIME_LIMIT), 7)
        os.close(terminal.master)


if __name__ == "__main__":
    main()
