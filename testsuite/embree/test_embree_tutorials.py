#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embree's own tutorials, of Debian's package embree-tools: after each commit of a scene the bytes
of each device are what a memory monitor has counted.

`make check` tries some of them, and check-long's part `thorough` all.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import signal
import struct
import subprocess
import unittest
from typing import Dict, Iterator, List

from command import OK, run
from embree import embree_environment, tool_variables
from harness import Skip, main, program, some, work_folder

# Those that draw a picture without a screen, in seconds.
TUTORIALS = (
    *("subdivision_geometry", "closest_point", "collide", "curve_geometry", "dynamic_scene"),
    *("displacement_geometry", "grid_geometry", "hair_geometry", "interpolation"),
    *("instanced_geometry", "intersection_filter", "motion_blur_geometry", "lazy_geometry"),
    *("multiscene_geometry", "next_hit", "pathtracer", "point_geometry", "triangle_geometry"),
    *("quaternion_motion_blur", "user_geometry", "viewer", "voronoi"),
)
AT_CHECK = 4
MOST_STOPS = 8  # of one tutorial; the rest of it is not waited for


def tutorials() -> Dict[str, str]:
    """The paths of those that are installed.  Embree 4 has `embree_` before each name."""
    found = {}
    for name in TUTORIALS:
        for path in glob.glob("/usr/bin/%s" % name) + glob.glob("/usr/bin/embree_%s" % name):
            found[name] = path
    if not found:
        raise Skip("Embree's tutorials are not installed")
    return found


class TestTutorials(unittest.TestCase):
    """They use Embree as it was meant."""

    def setUp(self) -> None:
        self.folder = work_folder("tutorials")
        self.counts = os.path.join(self.folder, "counts")

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    @contextlib.contextmanager
    def started(self, path: str) -> Iterator["subprocess.Popen[bytes]"]:
        """A tutorial that draws a small picture."""
        variables = embree_environment()
        variables["LD_PRELOAD"] = program("embree/.libs/libcount-commits.so")
        variables["EMBREE_COUNTS"] = self.counts
        picture = os.path.join(self.folder, "picture.ppm")
        with subprocess.Popen(
            [path, "-o", picture, "--size", "32", "32"],
            env=variables,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def counted(self) -> Dict[int, int]:
        """The bytes of each device, as the monitor has counted them."""
        with open(self.counts, "rb") as file:
            pairs = struct.iter_unpack("<2q", file.read())
        return {device: count for device, count in pairs if device}

    def devices(self, pid: int) -> None:
        """The devices have these bytes."""
        answer = run(["--pid", str(pid), "embree-devices", "--json"], tool_variables())
        self.assertEqual(answer.code, OK, answer.output + answer.errors)
        shown = {int(row["handle"], 16): row["bytes"] for row in answer.objects()}
        self.assertEqual(shown, self.counted(), answer.output)

    def test_bytes(self) -> None:
        compared: List[str] = []
        for name, path in some(sorted(tutorials().items()), AT_CHECK):
            with self.subTest(name), self.started(path) as process:
                for _ in range(MOST_STOPS):
                    _, status = os.waitpid(process.pid, os.WUNTRACED)
                    if not os.WIFSTOPPED(status):
                        process.returncode = os.WEXITSTATUS(status)
                        self.assertEqual(status, 0)
                        break
                    self.devices(process.pid)
                    compared.append(name)
                    process.send_signal(signal.SIGCONT)
        self.assertGreaterEqual(len(compared), AT_CHECK)
        print("compared at %d stops" % len(compared))


if __name__ == "__main__":
    main()
