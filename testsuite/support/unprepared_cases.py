# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the objects of an unprepared program with the expected ones, live and on cores."""

from __future__ import annotations

import glob
import re
import shutil
import unittest
from typing import Dict, Sequence

from fitting import fitting_layout
from harness import Skip, work_folder
from learning import parse
from unprepared import (
    Comparison,
    ask_command,
    compare,
    debuggers_core,
    program_environment,
    started,
    tool_environment,
)

# With this, glibc does not change freed memory except for its lists.
WITHOUT_TCACHE = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"}


def with_jemalloc() -> Dict[str, str]:
    """Another allocator, which leaves all of it alone."""
    found = sorted(glob.glob("/usr/lib/*/libjemalloc.so.2"))
    if not found:
        raise Skip("jemalloc is not installed")
    return {"LD_PRELOAD": found[0]}


class RuntimeCase(unittest.TestCase):
    """Set `runtime` in a derived class."""

    runtime = ""
    layout = ""  # the path of the one that fits
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.layout = fitting_layout(cls.runtime)  # skips without the runtime
        cls.variables = program_environment(cls.runtime)

    def tells_svm(self) -> bool:
        """Whether the layout covers SVM allocations or says that there are none.  Otherwise counts
        of them are incomplete."""
        with open(self.layout, encoding="utf-8") as file:
            return re.search(r"^  (list|none) svm\b", file.read(), re.MULTILINE) is not None

    def _tells_of_buffer(self, word: str) -> bool:
        """Whether the layout has such a line for buffers."""
        with open(self.layout, encoding="utf-8") as file:
            lines = parse(file.read()).objects["buffer"]
        return any(line.startswith(word + " ") for line in lines)

    def takes_callbacks(self) -> bool:
        """Whether the runtime takes the list of callbacks out of a buffer before it calls them."""
        return self._tells_of_buffer("taken")

    def calls_later(self) -> bool:
        """Whether the runtime calls back on its own thread, and keeps the buffer alive until
        then."""
        return self.takes_callbacks() and not self._tells_of_buffer("dying")

    def family(self) -> str:
        """The name of the runtime in comparisons."""
        return "pocl-7" if self.calls_later() else self.runtime

    def check(self, words: Sequence[str], variables: Dict[str, str]) -> Comparison:
        """A process with these words and variables, and the core that GDB writes of it.  Returns
        the answers about the process."""
        folder = work_folder("%s-%s" % (self.id(), self.runtime))
        with started(words, folder, dict(self.variables, **variables)) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            live = compare(truth, ask_command(target, tool_environment()), self.runtime)
            core = debuggers_core(process)
        compare(truth, ask_command(["--core", core], tool_environment()), self.runtime)
        shutil.rmtree(folder)
        return live
