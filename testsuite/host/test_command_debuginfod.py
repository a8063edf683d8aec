#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With --debuginfod, missing debug information comes from a debuginfod server.  Without that option
no server is contacted."""

from __future__ import annotations

import ctypes
import http.server
import os
import re
import shutil
import subprocess
import threading
import unittest
from typing import Dict, List

from command import OK, run
from harness import environment, main, program, run_gdb, work_folder

CLIENT = "libdebuginfod.so.1"  # that libdw loads
LINE = re.compile(r"destructor_first at population-destructors\.c:\d+")


class Server(http.server.ThreadingHTTPServer):
    """Answers as debuginfod(8) does, for one file of debug information."""

    daemon_threads = True

    def __init__(self, build_id: str, file: str) -> None:
        self.path = "/buildid/%s/debuginfo" % build_id
        self.file = file
        self.asked: List[str] = []  # paths
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:  # pylint: disable=invalid-name
        """Called by the server."""
        assert isinstance(self.server, Server)
        self.server.asked.append(self.path)
        if self.path != self.server.path:
            self.send_error(404)
            return
        with open(self.server.file, "rb") as file:
            content = file.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_words: object) -> None:  # pylint: disable=arguments-differ
        """Nothing: `asked` has all."""


def split(path: str, debug: str) -> str:
    """Move a program's debug information to the file DEBUG; returns its build-id."""
    subprocess.run(["objcopy", "--only-keep-debug", path, debug], check=True)
    subprocess.run(["strip", "--strip-all", path], check=True)
    notes = subprocess.run(
        ["readelf", "-n", path], stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout
    found = re.search(r"Build ID: ([0-9a-f]+)", notes)
    assert found is not None
    return found.group(1)


class TestDebuginfod(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    core = ""
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        try:
            ctypes.CDLL(CLIENT)
        except OSError:
            raise unittest.SkipTest("debuginfod's client library is not installed") from None
        cls.folder = work_folder("command-debuginfod")
        cls.core = os.path.join(cls.folder, "core")
        path = os.path.join(cls.folder, "truth-program")
        debug = os.path.join(cls.folder, "served")
        shutil.copy(program("programs/truth-program"), path)
        cls.server = Server(split(path, debug), debug)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.variables = environment("icd")
        for name in [name for name in cls.variables if name.startswith("DEBUGINFOD_")]:
            del cls.variables[name]
        commands = ["run %s abort-destructor > /dev/null" % cls.folder, "gcore " + cls.core, "kill"]
        run_gdb([path], commands, cls.variables, plugin=False, name="command-debuginfod")
        cls.variables["DEBUGINFOD_URLS"] = "http://127.0.0.1:%d" % cls.server.server_port

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()
        os.unlink(cls.core)

    def setUp(self) -> None:
        self.server.asked.clear()
        cache = os.path.join(self.folder, "cache")
        shutil.rmtree(cache, ignore_errors=True)
        self.variables["DEBUGINFOD_CACHE_PATH"] = cache

    def ask(self, *options: str) -> str:
        """The list of destructor callbacks."""
        answer = run(["--core", self.core, *options, "destructors"], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertIn("registered", answer.output)
        return answer.output

    def test_asked(self) -> None:
        """The program's debug information is fetched, once, and names lines."""
        self.assertRegex(self.ask("--debuginfod"), LINE)
        self.assertEqual(self.server.asked.count(self.server.path), 1)
        self.assertRegex(self.ask("--debuginfod"), LINE)
        self.assertEqual(self.server.asked.count(self.server.path), 1, "it was in the cache")

    def test_not_asked(self) -> None:
        """Without the option no server is contacted."""
        text = self.ask()
        self.assertNotRegex(text, LINE)
        self.assertIn(" truth-program+0x", text)
        self.assertEqual(self.server.asked, [])

    def test_no_server(self) -> None:
        """A server that does not answer changes nothing."""
        text = self.ask()
        with http.server.HTTPServer(("127.0.0.1", 0), Handler) as closed:
            port = closed.server_port
        self.variables["DEBUGINFOD_URLS"] = "http://127.0.0.1:%d" % port
        self.assertEqual(self.ask("--debuginfod"), text)
        self.variables["DEBUGINFOD_URLS"] = "http://127.0.0.1:%d" % self.server.server_port


if __name__ == "__main__":
    main()
