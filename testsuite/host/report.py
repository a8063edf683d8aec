#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of `report` in a browser: they run and load nothing else, work with the keyboard and in
both colour schemes, and open quickly with 100,000 objects."""

from __future__ import annotations

import os
import subprocess
import time
import unittest
from typing import Dict, List

from browser import Browser
from command import OK, run
from harness import TIME_LIMIT, environment, main, program, work_folder
from report_page import Page, text_of
from stopped import stopped

MANY = 100000
LARGEST = 20 << 20  # bytes of a page of so many objects
SLOWEST = 3.0  # seconds, until it is seen

# What functions are called that the program registers as destructors.
HOSTILE = {
    "destructor_first": "</script><script>document.title='run'</script>",
    "destructor_second": "<img src=x onerror=\"document.title='run'\">&lt;'`${1}",
}
TAB, ENTER, SPACE = ("Tab", 9), ("Enter", 13, "\r"), (" ", 32, " ")

FOCUSED = "document.activeElement.closest('th') !== null && document.activeElement.textContent"
SECTION = "document.activeElement.closest('section.list').id"


class TestReport(unittest.TestCase):
    folder = ""
    variables: Dict[str, str] = {}
    page = ""

    @classmethod
    def setUpClass(cls) -> None:
        """A page of a program with an object of each kind, whose functions have hostile names."""
        cls.folder = work_folder("report")
        cls.variables = environment("icd")
        path = os.path.join(cls.folder, "<b>&amp;'\"")
        names = ["--redefine-sym=%s=%s" % names for names in HOSTILE.items()]
        source = program("programs/truth-program")
        subprocess.run(["objcopy", "--strip-debug", *names, source, path], check=True)
        with stopped([path, cls.folder, "wait"], cls.variables) as started:
            cls.page = cls.write("page.html", started.process.pid)

    @classmethod
    def write(cls, name: str, pid: int) -> str:
        """Write the page NAME of a process."""
        path = os.path.join(cls.folder, name)
        answer = run(["--pid", str(pid), "report", path], cls.variables)
        if (answer.code, answer.errors) != (OK, ""):
            raise AssertionError(answer)
        return path

    def focus_head(self, browser: Browser, section: str, title: str) -> None:
        """Go to the head of a column by the keyboard."""
        for _ in range(2000):
            browser.press(*TAB)
            if browser.evaluate(FOCUSED) == title and browser.evaluate(SECTION) == section:
                return
        self.fail("the keyboard does not get there")

    def cells(self, browser: Browser, section: str, title: str) -> List[str]:
        """What the column TITLE of a table shows."""
        shown: List[str] = browser.evaluate(
            """(() => {
              const table = document.querySelector("#%s table");
              const heads = [...table.querySelectorAll("thead th")];
              const at = heads.findIndex((head) => head.textContent === "%s");
              const rows = [...table.querySelectorAll("tbody tr")];
              return rows.map((row) => row.cells[at].textContent);
            })()"""
            % (section, title)
        )
        return shown

    def sizes(self, browser: Browser) -> List[int]:
        """The sizes of memory objects as their table shows them."""
        return [int(size.split()[0]) for size in self.cells(browser, "memobjs", "size")]

    def check_quiet(self, browser: Browser, page: str) -> None:
        """The page has complained of nothing and asked for nothing."""
        self.assertEqual(browser.complaints, [])
        self.assertEqual(browser.requests(), ["file://" + page])

    def test_hostile(self) -> None:
        """Names are shown as they are, and do nothing."""
        names = set(HOSTILE.values())
        rows = Page(self.page).lists["destructors"]
        self.assertEqual(
            {name for name in names for row in rows if name in text_of(row["function"])}, names
        )
        with Browser() as browser:
            browser.open(self.page)
            self.assertEqual(browser.evaluate("document.body.dataset.isReady"), "yes")
            title = browser.evaluate("document.title")
            self.assertRegex(title, r"""^OpenCL in <b>&amp;'", process \d+$""")
            shown = self.cells(browser, "destructors", "callback")
            self.assertEqual({name for name in names for cell in shown if name in cell}, names)
            self.assertEqual(browser.evaluate("document.images.length"), 0)
            self.assertTrue(browser.evaluate("document.querySelector('figure svg .node') !== null"))
            self.check_quiet(browser, self.page)

    def test_policy(self) -> None:
        """A script that is put into the page is not run: the policy is not an idle word."""
        path = os.path.join(self.folder, "changed.html")
        with open(self.page, encoding="utf-8") as file:
            source = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.replace("<main", "<script>document.title='run'</script><main", 1))
        with Browser() as browser:
            browser.open(path)
            self.assertNotEqual(browser.evaluate("document.title"), "run")
            self.assertEqual(len(browser.complaints), 1)
            self.assertIn("Content Security Policy", browser.complaints[0])

    def test_keyboard(self) -> None:
        with Browser() as browser:
            browser.show("light", 1400, 1000)
            browser.open(self.page)
            self.focus_head(browser, "memobjs", "size")
            width = "getComputedStyle(document.activeElement).outlineWidth"
            self.assertEqual(browser.evaluate(width), "3px")
            sizes = sorted(self.sizes(browser))
            self.assertGreater(len(set(sizes)), 5)
            state = "document.activeElement.closest('th').getAttribute('aria-sort')"
            for order, expected in (("ascending", sizes), ("descending", sizes[::-1])):
                browser.press(*ENTER)
                self.assertEqual(browser.evaluate(state), order)
                self.assertEqual(self.sizes(browser), expected)
            # The details of the first row, which the space bar opens and closes.
            browser.evaluate("document.querySelector('#memobjs tbody button').focus()")
            count = "document.querySelectorAll('#memobjs .details').length"
            for expected_count in (1, 0):
                browser.press(*SPACE)
                self.assertEqual(browser.evaluate(count), expected_count)
            self.check_quiet(browser, self.page)

    def test_find(self) -> None:
        with Browser() as browser:
            browser.open(self.page)
            browser.evaluate("document.querySelector('#memobjs input').focus()")
            browser.ask("Input.insertText", text="PIPE")
            rows = Page(self.page).lists["memobjs"]
            expected = sum("pipe" in str(list(row.values())).lower() for row in rows)
            self.assertGreater(expected, 0)
            self.assertLess(expected, len(rows))
            # It looks a moment after the last key.
            place = "document.querySelector('#memobjs .place').textContent"
            end = time.monotonic() + TIME_LIMIT
            while not browser.evaluate(place).endswith(" found"):
                self.assertLess(time.monotonic(), end)
            count = "document.querySelectorAll('#memobjs tbody tr').length"
            self.assertEqual(browser.evaluate(count), expected)
            self.check_quiet(browser, self.page)

    def test_schemes(self) -> None:
        """Text and background have enough contrast in both schemes.  The pictures are kept for
        review."""
        brightness: Dict[str, List[float]] = {}
        with Browser() as browser:
            for scheme in ("light", "dark"):
                browser.show(scheme, 1400, 1800)
                browser.open(self.page)
                brightness[scheme] = [
                    sum(map(int, colour[4:-1].split(",")))
                    for colour in browser.evaluate(
                        "[getComputedStyle(document.body).color, "
                        "getComputedStyle(document.body).backgroundColor]"
                    )
                ]
                path = os.path.join(self.folder, scheme + ".png")
                browser.picture(path)
                self.assertGreater(os.path.getsize(path), 50000)
        self.assertLess(brightness["light"][0] + 400, brightness["light"][1])
        self.assertGreater(brightness["dark"][0], brightness["dark"][1] + 400)

    def test_many(self) -> None:
        """100,000 buffers with a callback each; what the first opening takes is measured."""
        truth = os.path.join(self.folder, "truth")
        words = [program("programs/many-buffers"), str(MANY), "1", truth]
        with stopped(words, self.variables) as started:
            pid = started.process.pid
            page = self.write("many.html", pid)
        self.assertLess(os.path.getsize(page), LARGEST)
        read = Page(page)
        with open(truth, encoding="ascii") as file:
            handles = file.read().split()
        self.assertEqual([text_of(row["handle"]) for row in read.lists["memobjs"]], handles)
        self.assertEqual(len(read.lists["destructors"]), MANY)
        self.assertLess(len(read.graph), 10)
        with Browser() as browser:
            seconds = browser.open(page)
            print("%d bytes, opens in %.2f s" % (os.path.getsize(page), seconds))
            self.assertLess(seconds, SLOWEST)
            self.assertEqual(len(self.cells(browser, "memobjs", "memory object")), 100)
            browser.evaluate("document.querySelector('#memobjs th:nth-child(2) button').click()")
            browser.evaluate("document.querySelector('#memobjs th:nth-child(2) button').click()")
            last = sorted(handles, key=lambda handle: int(handle, 16))[::-1][:100]
            self.assertEqual(self.cells(browser, "memobjs", "memory object"), last)
            browser.evaluate("document.querySelector('#memobjs .tools button:last-child').click()")
            place = browser.evaluate("document.querySelector('#memobjs .place').textContent")
            self.assertEqual(place, "101\u2013200 of 100000")
            self.check_quiet(browser, page)

    def test_dot_that_hangs(self) -> None:
        """dot gets ten seconds."""
        folder = os.path.join(self.folder, "hanging")
        os.makedirs(folder)
        path = os.path.join(folder, "dot")
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nwhile :; do :; done\n")
        os.chmod(path, 0o755)
        page = os.path.join(folder, "page")
        words = [program("programs/truth-program"), self.folder, "wait"]
        with stopped(words, self.variables) as started:
            pid = started.process.pid
            answer = run(
                ["--pid", str(pid), "report", page],
                dict(self.variables, PATH=folder + ":" + os.environ["PATH"]),
            )
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertIn("The report has no graph: dot timed out.", answer.output)
        self.assertEqual(Page(page).graph, [])


if __name__ == "__main__":
    main()
