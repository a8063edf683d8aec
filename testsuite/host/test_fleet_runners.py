#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts of fleet/ leave a complete file of verdicts or none, whatever happens, and do nothing
twice.  fleet.py tests the same with engines that most systems lack."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import unittest
from typing import Dict, List

from fleet_runs import FLEET, result_files, result_rows, run_script, variables_with
from fleet_runs import write_list, write_program
from harness import BUILD, SOURCE, TIME_LIMIT, Skip, main, work_folder
from journal import export_field

CORES = 5
# Says that it has written half a line, and then that it may not be waited for.
HALF = 'printf \'{"schema": 1, "core": \'; echo half >"$FLEET_SAYS"; exec cat "$FLEET_ENDS"\n'
HALVES = 8
FULL = 600  # bytes that a file may have: less than the lines of five cores
LIMIT = resource.RLIMIT_FSIZE


def require(tool: str, name: str) -> None:
    """Skip without a tool."""
    if shutil.which(tool) is None:
        raise Skip("%s is not installed" % name)


def fill_disk() -> None:
    """In the program to be: its files can have no more than FULL bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(LIMIT, (FULL, FULL))


class TestRunners(unittest.TestCase):
    end = -1  # closed, it ends what start_half has started

    def setUp(self) -> None:
        self.folder = work_folder("fleet-runners")
        self.variables = variables_with()
        self.cores = self.write_cores()
        self.list = write_list(self.path("cores.list"), self.cores)
        self.results = self.path("results")
        os.mkdir(self.results)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def write_cores(self) -> List[str]:
        """What are no cores, one that is not there, and one whose path has to be quoted."""
        os.mkdir(self.path("cores"))
        names = ["a", "b", "it's a 'core' \"of\" $HOME", "-n"]
        for name in names:
            with open(self.path("cores", name), "w", encoding="ascii") as file:
                file.write("no core\n")
        return [self.path("cores", name) for name in [*names, "missing"]]

    def run_share(self, variables: Dict[str, str]) -> "subprocess.CompletedProcess[str]":
        """Judge all cores as one share."""
        return run_script("triage-share.sh", [self.results, self.list, "1", str(CORES)], variables)

    def check_all(self) -> None:
        """Each core has a line, and nothing else is there."""
        self.assertEqual(sorted(row["core"] for row in result_rows(self.results)), self.in_order())
        hidden = [name for name in os.listdir(self.results) if name.startswith(".")]
        self.assertEqual(hidden, [])

    def in_order(self) -> List[str]:
        return sorted(self.cores)

    def test_shares(self) -> None:
        """Together they have all cores, and a list that has grown is not begun anew."""
        for number in ("1", "2", "3", "4"):
            words = [self.results, self.list, number, "2"]
            self.assertEqual(run_script("triage-share.sh", words, self.variables).returncode, 0)
        self.check_all()
        self.assertEqual(len(result_files(self.results)), 3)
        write_program(self.path("none"), "ompd-opencl", "exit 9\n")
        grown = write_list(self.path("grown.list"), [*self.cores[:4], "more"])
        for number, code in (("1", 0), ("2", 0), ("3", 1)):
            words = [self.results, grown, number, "2"]
            again = run_script("triage-share.sh", words, variables_with(self.path("none")))
            self.assertEqual(again.returncode, code, again.stderr)
        self.assertIn("ompd-opencl ended with 9", again.stderr)
        self.check_all()

    def test_folder(self) -> None:
        """Those that have come are judged, and those that were are not."""
        self.cores.pop()  # the missing one
        words = [self.results, self.path("cores")]
        self.assertEqual(run_script("triage-folder.sh", words, self.variables).returncode, 0)
        self.check_all()
        before = {path: os.stat(path).st_ino for path in result_files(self.results)}
        self.cores.append(self.path("cores", "new"))
        with open(self.cores[-1], "wb"):
            pass
        self.assertEqual(run_script("triage-folder.sh", words, self.variables).returncode, 0)
        self.check_all()
        for path, number in before.items():
            self.assertEqual(os.stat(path).st_ino, number)

    def test_journal(self) -> None:
        """A core that the journal does not name yet is left to a later run, and one that is old is
        not."""
        self.cores.pop()  # the missing one
        entry = export_field("_UID", "0") + export_field("COREDUMP_UNIT", "a.service")
        entry += export_field("COREDUMP_FILENAME", self.cores[0]) + b"\n"
        with open(self.path("told"), "wb") as file:
            file.write(entry)
        write_program(self.path("bin"), "journalctl", "cat '%s'" % self.path("told"))
        variables = dict(variables_with(self.path("bin")), TRIAGE_OPTIONS="--journal")
        words = [self.results, self.path("cores")]
        for code, count in ((1, 1), (0, len(self.cores))):
            done = run_script("triage-folder.sh", words, variables)
            self.assertEqual((done.returncode, done.stderr), (code, ""))
            rows = {row["core"]: row["unit"] for row in result_rows(self.results)}
            self.assertEqual((len(rows), rows[self.cores[0]]), (count, "a.service"))
            for core in self.cores:
                os.utime(core, (0, 0))
        self.check_all()

    def test_full_disk(self) -> None:
        words = [self.results, self.list, "1", str(CORES)]
        options = {"preexec_fn": fill_disk, "restore_signals": False}
        full = run_script("triage-share.sh", words, self.variables, **options)
        self.assertNotEqual(full.returncode, 0)
        self.assertIn("lines could be written", full.stderr)
        self.assertEqual(os.listdir(self.results), [])
        self.assertEqual(self.run_share(self.variables).returncode, 0)
        self.check_all()

    def test_lost_line(self) -> None:
        """A command that ends well, but has not said all, is not believed."""
        write_program(self.path("short"), "ompd-opencl", "echo '{}'; printf '{\"sch'; exit 1\n")
        short = self.run_share(variables_with(self.path("short")))
        self.assertEqual(short.returncode, 1)
        self.assertIn("only 1 of 5 lines", short.stderr)
        self.assertEqual(os.listdir(self.results), [])

    def start_half(self) -> "subprocess.Popen[bytes]":
        """Start a run that has written half a line, and stays there."""
        write_program(self.path("half"), "ompd-opencl", HALF)
        variables = variables_with(self.path("half"))
        said, says = os.pipe()
        ends, self.end = os.pipe()
        variables.update(FLEET_SAYS="/dev/fd/%d" % says, FLEET_ENDS="/dev/fd/%d" % ends)
        half = subprocess.Popen(
            [os.path.join(FLEET, "triage-share.sh"), self.results, self.list, "1", str(CORES)],
            env=variables,
            pass_fds=(says, ends),
            start_new_session=True,
        )
        self.addCleanup(half.wait)
        self.addCleanup(half.kill)
        os.close(says)
        os.close(ends)
        with open(said, encoding="ascii") as line:
            self.assertEqual(line.readline(), "half\n")
        return half

    def test_killed(self) -> None:
        """What is left of a run that is killed is read by none, and the next one does all."""
        for number, left in ((signal.SIGTERM, 0), (signal.SIGKILL, 1)):
            with self.subTest(signal=number):
                half = self.start_half()
                os.killpg(half.pid, number)
                os.close(self.end)
                self.assertNotEqual(half.wait(TIME_LIMIT), 0)
                self.assertEqual(result_files(self.results), [])
                self.assertEqual(len(os.listdir(self.results)), left)
        (partial,) = os.listdir(self.results)
        os.utime(os.path.join(self.results, partial), (0, 0))
        self.assertEqual(self.run_share(self.variables).returncode, 0)
        os.mkdir(self.path("empty"))
        os.symlink(self.results, self.path("link"))
        words = [self.path("link"), self.path("empty")]
        self.assertEqual(run_script("triage-folder.sh", words, self.variables).returncode, 0)
        self.check_all()

    def test_two(self) -> None:
        """One that comes while another is at work takes nothing from it."""
        half = self.start_half()
        self.assertEqual(self.run_share(self.variables).returncode, 0)
        self.assertEqual(len(result_rows(self.results)), CORES)
        os.close(self.end)
        self.assertEqual(half.wait(TIME_LIMIT), 1)
        self.check_all()

    def test_slurm(self) -> None:
        """What is asked of Slurm: no more tasks than it takes, of which each finds its share."""
        text = 'echo "$*"\nfor last; do :; done; SLURM_ARRAY_TASK_ID=1 exec sh -c "$last"\n'
        write_program(self.path("slurm"), "sbatch", text)
        variables = variables_with(self.path("slurm"))
        words = [self.results, self.list, "--partition=night"]
        done = run_script("triage-slurm.sh", words, variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" --array=1-1 ", done.stdout)
        self.assertIn(" --partition=night ", done.stdout)
        self.check_all()
        words[1] = write_list(self.path("long.list"), ["/nonesuch"] * 2001)
        done = run_script("triage-slurm.sh", words, dict(variables, SHARE="1"))
        self.assertIn(" --array=1-667 ", done.stdout)

    def test_parallel(self) -> None:
        require("parallel", "GNU parallel")
        words = [self.results, self.list]
        done = run_script("triage-parallel.sh", words, dict(self.variables, SHARE="2"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_all()
        self.assertEqual(len(result_files(self.results)), 3)

    def test_table(self) -> None:
        """All whole lines are in it, those beside half ones too, and an old one stays if none can
        be made."""
        require("sqlite3", "sqlite3")
        self.assertEqual(self.run_share(self.variables).returncode, 0)
        halves = ["%d.jsonl" % number for number in range(HALVES)]
        for name in (*halves, ".partial.jsonl"):
            with open(os.path.join(self.results, name), "w", encoding="ascii") as file:
                file.write('{"schema": 1, "core": "half')
        table = self.path("cores.db")

        def ask(question: str) -> str:
            words = ["sqlite3", table, question]
            return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout

        # systemd has a link in place of the folder.
        os.symlink(self.results, self.path("link"))
        for results in (self.results, self.path("link")):
            done = run_script("make-table.sh", [results, table], self.variables)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(ask("SELECT COUNT(*) FROM verdict_line"), "%d\n" % (CORES + HALVES))
        cores = ask("SELECT core FROM verdict ORDER BY core").splitlines()
        self.assertEqual(cores, self.in_order())
        options = {"preexec_fn": fill_disk, "restore_signals": False}
        full = run_script("make-table.sh", [self.results, table], self.variables, **options)
        self.assertNotEqual(full.returncode, 0)
        self.assertEqual(ask("SELECT COUNT(*) FROM verdict"), "5\n")
        tables = [name for name in os.listdir(self.folder) if name.startswith("cores.db")]
        self.assertEqual(tables, ["cores.db"])

    def test_units(self) -> None:
        """systemd takes them, where the scripts are installed."""
        require("systemd-analyze", "systemd")
        installed = os.path.join(BUILD, "fleet", "ompd-opencl-triage.service")
        with open(installed, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("@", text)
        (start,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
        script = start.split("=")[1].split(" ")[0]
        self.assertEqual(os.path.basename(script), "triage-folder.sh")
        service = self.path("ompd-opencl-triage.service")
        with open(service, "w", encoding="utf-8") as file:
            file.write(text.replace(script, os.path.join(FLEET, os.path.basename(script))))
        path = shutil.copy(os.path.join(SOURCE, "fleet", "ompd-opencl-triage.path"), self.folder)
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", service, path],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            text=True,
        )
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_usage(self) -> None:
        for name in sorted(os.listdir(FLEET)):
            if name.endswith(".sh"):
                with self.subTest(name):
                    done = run_script(name, [], self.variables)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertTrue(done.stderr.startswith("usage: %s " % name), done.stderr)


if __name__ == "__main__":
    main()
