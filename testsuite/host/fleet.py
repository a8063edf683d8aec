#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same cores give the same table with Slurm, with GNU parallel, with GNU parallel over ssh and
in the folder of systemd-coredump, even if a machine fails in the middle of a line.

FLEET_CORES is the number of cores.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import unittest
from typing import Any, Dict, List

from command import OK, run, write_core
from fleet_engines import LOST, MACHINES, Engines, fetch_duckdb, require_sqlite, unpack
from fleet_runs import FLEET, guide_block, guide_commands, query_names, result_files, result_rows
from fleet_runs import run_script, schema_commands, variables_with, write_list
from harness import TIME_LIMIT, Row, Skip, environment, main, work_folder
from test_command_triage import abort_at, require_cores

CORES = int(os.environ.get("FLEET_CORES", "48"))
SHARE = "4"
FOREIGN = 2  # cores beside those: one that is none, and one that is not there
NOBODY = 65534
OLDEST_CLICKHOUSE = (21, 1)

# Keys that two snapshots of a core share.
SAME = """
core, host, program, build_id, signal, class, signature, signature_version, signature_text,
signature_coarse, error, time, findings, is_incomplete
"""


def query_text(name: str) -> str:
    """A file of fleet/."""
    with open(os.path.join(FLEET, name), encoding="utf-8") as file:
        return file.read()


def ask(words: List[str], question: str, **options: Any) -> str:
    """What an engine says."""
    done = subprocess.run(
        words, input=question, stdout=subprocess.PIPE, check=True, text=True, **options
    )
    return str(done.stdout)


class TestFleet(unittest.TestCase):
    folder = ""
    cores = ""
    list = ""
    table = ""

    @classmethod
    def setUpClass(cls) -> None:
        require_cores()
        require_sqlite()
        unpack()
        cls.folder = work_folder("fleet")
        cls.cores = os.path.join(cls.folder, "cores")
        os.mkdir(cls.cores)
        snapshots = cls.save_snapshots()
        names = ["core.%d" % number for number in range(CORES)]
        paths = [os.path.join(cls.cores, name) for name in names]
        for number, path in enumerate(paths):
            os.link(snapshots[number % len(snapshots)], path)
        paths += [__file__, os.path.join(cls.folder, "missing")]
        cls.list = write_list(os.path.join(cls.folder, "cores.list"), paths)
        # What all are compared with.
        variables = variables_with()
        results = os.path.join(cls.folder, "alone")
        os.mkdir(results)
        words = [results, cls.list, "1", str(len(paths))]
        run_script("triage-share.sh", words, variables).check_returncode()
        cls.table = cls.make_table(results)

    @classmethod
    def save_snapshots(cls) -> List[str]:
        """Small cores of programs that died at two places, and of one that lives."""
        variables = environment("icd")
        snapshots = []
        for name in ("main", "destructor", "living"):
            folder = os.path.join(cls.folder, name)
            if name == "living":
                os.mkdir(folder)
                core = os.path.join(folder, "core")
                write_core("programs/truth-program", [folder], core, variables)
            else:
                core = abort_at(name, folder, variables)
            snapshots.append(os.path.join(cls.folder, "snapshot-" + name))
            answer = run(["--core", core, "save", snapshots[-1]], variables)
            if answer.code != OK:
                raise AssertionError(answer.errors)
            os.unlink(core)
        return snapshots

    @staticmethod
    def make_table(results: str) -> str:
        """The database of a folder of results."""
        table = results + ".db"
        run_script("make-table.sh", [results, table], variables_with()).check_returncode()
        return table

    def check_table(self, results: str) -> None:
        """It has what the one has that was made without any engine."""
        database = sqlite3.connect(self.make_table(results))
        database.execute("ATTACH '%s' AS alone" % self.table)
        count = database.execute("SELECT COUNT(*) FROM main.verdict").fetchone()
        self.assertEqual(count, (CORES + FOREIGN,))
        for one, other in (("main", "alone"), ("alone", "main")):
            difference = "SELECT {0} FROM {1}.verdict EXCEPT SELECT {0} FROM {2}.verdict"
            rows = database.execute(difference.format(SAME, one, other)).fetchall()
            self.assertEqual(rows, [])
        groups = "SELECT COUNT(DISTINCT signature) FROM verdict WHERE signature IS NOT NULL"
        self.assertEqual(database.execute(groups).fetchone(), (3,))
        database.close()

    def engines(self, name: str) -> Engines:
        """Those of a test."""
        engines = Engines(work_folder("fleet-" + name))
        self.addCleanup(engines.close)
        engines.variables["SHARE"] = SHARE
        return engines

    def check_lost(self, engines: Engines, lost: str, script: str, *options: str) -> None:
        """Run SCRIPT, lose a machine that is in the middle of a line, and compare the table."""
        results = os.path.join(engines.folder, "results")
        words = [os.path.join(FLEET, script), results, self.list, *options]
        with subprocess.Popen(words, env=engines.variables, stdin=subprocess.DEVNULL) as runner:
            try:
                engines.lose(lost)
                self.assertEqual(runner.wait(TIME_LIMIT), 0)
            finally:
                runner.kill()
        partial = [name for name in os.listdir(results) if name.startswith(".partial")]
        self.assertEqual(len(partial), 1, "the machine was lost in the middle of nothing")
        self.check_table(results)

    def run_guide(self, engines: Engines, mark: str) -> str:
        """Run what the guide says, in a folder of its own; returns what it prints."""
        folder = os.path.join(engines.folder, "guide")
        os.mkdir(folder)
        done = subprocess.run(
            ["sh", "-e", "-c", guide_commands(mark, self.cores)],
            cwd=folder,
            env=engines.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        database = sqlite3.connect(os.path.join(folder, "cores.db"))
        count = database.execute("SELECT COUNT(signature) FROM verdict").fetchone()
        self.assertEqual(count, (CORES,))
        database.close()
        return str(done.stdout)

    def test_slurm(self) -> None:
        engines = self.engines("slurm")
        engines.start_slurm()
        self.check_lost(engines, "n%d" % LOST, "triage-slurm.sh")
        # What is done is not done again.
        results = os.path.join(engines.folder, "results")
        before = {row["core"]: row["seconds"] for row in result_rows(results)}
        again = run_script("triage-slurm.sh", [results, self.list], engines.variables)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual({row["core"]: row["seconds"] for row in result_rows(results)}, before)
        self.run_guide(engines, "slurm")

    def test_parallel(self) -> None:
        engines = self.engines("parallel")
        results = os.path.join(engines.folder, "results")
        done = run_script("triage-parallel.sh", [results, self.list], engines.variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_table(results)

        def columns(text: str) -> List[str]:
            return [line.split(" = ")[0] for line in text.split("\n\n")[0].splitlines()]

        said = self.run_guide(engines, "parallel")
        self.assertIn("cores", " ".join(columns(said)))
        self.assertEqual(columns(said), columns(guide_block("columns: top-groups")))

    def lines_folder(self, name: str) -> str:
        """A folder with all lines, and half a one, and what makes a table of them."""
        work = work_folder("fleet-" + name)
        shutil.copy(os.path.join(FLEET, "schema.sql"), work)
        with open(os.path.join(work, "verdicts.jsonl"), "wb") as lines:
            for path in result_files(os.path.join(self.folder, "alone")):
                with open(path, "rb") as file:
                    lines.write(file.read())
            lines.write(b'{"schema": 1, "core": "half\n')
        return work

    def ask_all(self, engine: str, folder: str) -> Dict[str, List[Row]]:
        """What an engine answers to each query, its table made as the schema says."""
        variables = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
        work = self.lines_folder(engine)
        words = ["sh", "-e", "-c", schema_commands(engine)]
        subprocess.run(words, cwd=work, env=variables, check=True)
        answers = {}
        for name in query_names():
            words = [engine, "-json", os.path.join(work, "cores.db")]
            output = ask(words, query_text(name), env=variables)
            answers[name] = json.loads(output or "[]")
        return answers

    def test_duckdb(self) -> None:
        """DuckDB answers as SQLite does."""
        folder = fetch_duckdb()
        wanted = self.ask_all("sqlite3", folder)
        self.assertEqual(sum(row["cores"] for row in wanted["top-groups.sql"]), CORES)
        self.assertEqual(self.ask_all("duckdb", folder), wanted)

    def test_clickhouse(self) -> None:
        """And so does ClickHouse, by a schema of its own."""
        if shutil.which("clickhouse-local") is None:
            raise Skip("ClickHouse is not installed")
        version = ask(["clickhouse-local", "--query", "SELECT version()"], "").strip()
        if tuple(map(int, version.split(".")[:2])) < OLDEST_CLICKHOUSE:
            raise Skip("ClickHouse is older than 21.1, whose SQL the queries need")
        wanted = self.ask_all("sqlite3", "")
        work = self.lines_folder("clickhouse")
        words = ["clickhouse-local", "--multiquery", "--output-format", "JSONEachRow"]
        words += ["--output_format_json_quote_64bit_integers", "0"]
        for name, rows in wanted.items():
            output = ask(words, query_text("schema-clickhouse.sql") + query_text(name), cwd=work)
            self.assertEqual([json.loads(line) for line in output.splitlines()], rows, name)

    def test_ssh(self) -> None:
        self.assertGreater(MACHINES, LOST)
        engines = self.engines("ssh")
        logins = engines.start_machines()
        options = ("--sshloginfile", logins)
        self.check_lost(engines, "m%d" % LOST, "triage-parallel.sh", *options)

    def test_own_user(self) -> None:
        """What the unit of systemd runs: as a user who can read all cores, and nothing else."""
        results = os.path.join(self.folder, "own-user")
        os.mkdir(results)
        os.chown(results, NOBODY, NOBODY)
        for name in os.listdir(self.cores):
            os.chmod(os.path.join(self.cores, name), 0o600)
        words = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]
        words += ["--no-new-privs", "--bounding-set=-all,+dac_read_search"]
        words += ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
        words += [os.path.join(FLEET, "triage-folder.sh"), results, self.cores]
        done = subprocess.run(words, env=variables_with(), check=False)
        self.assertEqual(done.returncode, 0)
        rows = result_rows(results)
        self.assertEqual(len(rows), CORES)
        self.assertEqual([row for row in rows if "error" in row], [])
        self.assertEqual(len({row["signature"] for row in rows}), 3)


if __name__ == "__main__":
    main()
