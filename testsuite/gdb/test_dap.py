#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables in an editor that runs GDB: a handle shows its object, and expands to its fields."""

from __future__ import annotations

import json
import os
import unittest
from typing import Any, Dict, List, Optional

from editor import Body, Editor, need_cores
from harness import environment, main, program, work_folder

PROGRAM = program("programs/demo/edges")
STOP = "stop_here"
# Fields that children and JSON have in the same form.
NUMBERS = ("size", "references", "width", "height", "row_pitch", "map_count")
HANDLES = {"context": "context", "parent": "parent"}


OBJECTS = {
    "pipeline.picture": "buffer, ",
    "pipeline.tiles[0]": "sub-buffer, ",
    "pipeline.smooth": "image2d, ",
}


def begin(editor: Editor) -> None:
    editor.ask("initialize", adapterID="test")
    editor.event("initialized")


def launched(editor: Editor, path: str, variables: Dict[str, str]) -> int:
    """Run the program to its stop; returns the frame there."""
    begin(editor)
    editor.ask("setFunctionBreakpoints", breakpoints=[{"name": STOP}])
    launch = editor.send("launch", program=path, env=variables)
    editor.ask("configurationDone")
    editor.response(launch)
    return stopped_frame(editor)


def opened(editor: Editor, path: str, core: str) -> int:
    """Open a core; returns the frame in which it died."""
    begin(editor)
    attach = editor.send("attach", program=path, coreFile=core)
    editor.ask("configurationDone")
    editor.response(attach)
    return stopped_frame(editor)


def stopped_frame(editor: Editor) -> int:
    thread = editor.event("stopped")["threadId"]
    frame: int = editor.ask("stackTrace", threadId=thread)["stackFrames"][0]["id"]
    return frame


class TestEditor(unittest.TestCase):
    def _rows(self, editor: Editor, verb: str) -> Dict[str, Body]:
        """What the command shows, by handles."""
        answer = editor.ask("evaluate", expression="opencl %s -json" % verb, context="repl")
        return {row["handle"]: row for row in json.loads(answer["result"])}

    def _value(self, editor: Editor, frame: int, expression: str) -> Body:
        return editor.ask("evaluate", expression=expression, frameId=frame, context="watch")

    def _compare(self, children: Dict[str, Body], row: Body) -> int:
        """That children are the fields of a row; returns how many were compared."""
        compared = 0
        for name, value in row.items():
            child = children.get(name) or children.get(name + " (presumed)")
            if child is None or value is None:
                continue
            text = child["value"]
            if name in NUMBERS:
                self.assertEqual(int(text), value, (name, text))
            elif name in HANDLES:
                self.assertEqual(text.split()[0], value, (name, text))
            elif name == "flags":
                self.assertEqual(text.split(" | "), value, text)
            elif name in ("state", "kind"):
                self.assertEqual(text.strip('"'), value, text)
            else:
                continue
            compared += 1
        return compared

    def _look(self, editor: Editor, frame: int) -> Dict[str, Dict[str, str]]:
        """Compare what objects unfold to with the rows of the command; returns it as texts."""
        rows = self._rows(editor, "memobjs")
        texts = {}
        for expression, words in OBJECTS.items():
            found = self._value(editor, frame, expression)
            handle = found["result"].split()[0]
            self.assertIn(" <%s" % words, found["result"])
            children = editor.variables(found["variablesReference"])
            self.assertGreaterEqual(self._compare(children, rows[handle]), 5, children)
            self._check_callbacks(children, rows[handle]["destructors"])
            self._unfold(editor, children)
            texts[expression] = {name: child["value"] for name, child in children.items()}
        null = self._value(editor, frame, "(cl_mem)0")
        self.assertEqual(null["result"], "0x0")
        self.assertEqual(editor.variables(null["variablesReference"]), {})
        return texts

    def _live(self, recorder: bool, core: str = "") -> Dict[str, Dict[str, str]]:
        """Read the program, and leave a CORE of the same stop."""
        variables = environment("pocl", recorder)
        with Editor(variables) as editor:
            frame = launched(editor, PROGRAM, variables)
            texts = self._look(editor, frame)
            if core:
                editor.ask("evaluate", expression="generate-core-file " + core, context="repl")
            editor.quit()
        return texts

    def _check_callbacks(self, children: Dict[str, Body], callbacks: Optional[List[Any]]) -> None:
        """They are shown in the order of the list; that they are not known is said."""
        if callbacks is None:
            self.assertTrue(children["destructors"]["value"].startswith('"? ('), children)
            return
        shown = [children[name]["value"] for name in children if name.startswith("destructors[")]
        self.assertEqual(len(shown), len(callbacks))
        for text, callback in zip(shown, callbacks):
            self.assertEqual(text.split()[0], '"' + callback["function"])
            self.assertIn(" <%s> at " % callback["symbol"], text)

    def _unfold(self, editor: Editor, children: Dict[str, Body]) -> None:
        """The context is a handle, which unfolds in turn."""
        context = children["context"]
        self.assertIn("<OpenCL context", context["value"])
        within = editor.variables(context["variablesReference"])
        self.assertTrue(any(name.startswith("references") for name in within), within)

    def test_recorder(self) -> None:
        texts = self._live(True)
        self.assertIn(
            " at ../testsuite/programs/demo/edges.c:", texts["pipeline.picture"]["caller"]
        )

    def test_alone(self) -> None:
        """Without the recorder, presumed and unknown values are marked."""
        texts = self._live(False)
        self.assertEqual(texts["pipeline.picture"]["state (presumed)"], '"live"')
        self.assertEqual(texts["pipeline.picture"]["caller"], '"? (not observed)"')

    def test_core(self) -> None:
        """A core of a stop says the same as the process."""
        need_cores()
        core = os.path.join(work_folder("dap"), "core")
        live = self._live(True, core)
        with Editor(environment("pocl")) as editor:
            self.assertEqual(self._look(editor, opened(editor, PROGRAM, core)), live)
            editor.quit()


if __name__ == "__main__":
    main()
