#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stripped recorder, library and program, as in packages."""

import os
import shutil
import subprocess
import unittest

from comparing import compare_lists
from harness import LIBRARY, RECORDER, VIEW_LIBRARY, ask_lists, environment, main, program
from harness import read_truth, run_gdb, work_folder


class TestStripped(unittest.TestCase):
    def test_stripped(self) -> None:
        folder = work_folder("stripped")
        paths = {}
        for path in (LIBRARY, VIEW_LIBRARY, RECORDER, program("programs/truth-program")):
            paths[path] = os.path.join(folder, os.path.basename(path))
            shutil.copy(path, paths[path])
            subprocess.run(["strip", "--strip-all", paths[path]], check=True)
        variables = environment("icd")
        variables["OMPD_OPENCL_LIBRARY"] = paths[LIBRARY]
        variables["OPENCL_LAYERS"] = paths[RECORDER]
        # There is no truth_stop any more: the program aborts at its second stop.
        commands = ["run %s abort-destructor" % folder, *ask_lists(), "kill"]
        words = [paths[program("programs/truth-program")]]
        session = run_gdb(words, commands, variables, name="stripped", all_symbols=True)
        truth = read_truth(folder, "destructor")
        comparison = compare_lists(truth, session.answer)
        self.assertGreater(comparison.compared, 100)
        # Names of the program's functions and its lines are all that is lost.
        names = (" symbol:", "caller function:", "caller line:", "caller file:")
        lost = [text for text in comparison.differences if not any(name in text for name in names)]
        self.assertEqual(lost, [])
        self.assertNotEqual(comparison.differences, [])


if __name__ == "__main__":
    main()
