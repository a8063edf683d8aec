# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rows of each kind are called."""

from __future__ import annotations

from typing import Dict, NamedTuple

from . import fields


class Noun(NamedTuple):
    """A kind's name for people."""

    singular: str
    plural: str
    article: str = "a"

    def one(self) -> str:
        """ "an OpenCL context"."""
        return "%s %s" % (self.article, self.singular)


NOUNS: Dict[int, Noun] = {
    fields.CONTEXT: Noun("OpenCL context", "OpenCL contexts", "an"),
    fields.QUEUE: Noun("command queue", "command queues"),
    fields.MEMOBJ: Noun("memory object", "memory objects"),
    fields.DESTRUCTOR: Noun("destructor callback", "destructor callbacks"),
    fields.SVM: Noun("SVM allocation", "SVM allocations", "an"),
    fields.SVM_FREE: Noun("SVM-free command", "SVM-free commands", "an"),
    fields.THREAD: Noun("thread", "threads that have entered OpenCL"),
    fields.RUNTIME: Noun("OpenCL runtime", "OpenCL runtimes", "an"),
}
