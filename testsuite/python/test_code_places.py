#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""str() of a place is what the commands write."""

import unittest

from ompd_opencl import CodePlace


class TestCodePlaces(unittest.TestCase):
    """Locations of code addresses."""

    def test_text(self) -> None:
        inlined = (("/app/a.c", 40), (None, 0))
        for place, text in (
            (CodePlace("load", 0, "/app/a.c", 12, "/app/a", 5), "load at a.c:12"),
            (CodePlace("load", 16, None, 0, "/lib/libapp.so", 5), "load+16 in libapp.so"),
            (CodePlace("load", 0, None, 0, None, None), "load"),
            (CodePlace(None, 0, None, 0, "/lib/libapp.so", 0x1139), "libapp.so+0x1139"),
            (CodePlace(None, 0, None, 0, None, None), "?"),
            (
                CodePlace("load", 0, "a.c", 12, "app", 5, ("open", "main"), inlined),
                "load at a.c:12, inlined in open at a.c:40 in main",
            ),
            (
                CodePlace("load", 0, "a.c", 12, "app", 5, ("main",)),
                "load at a.c:12, inlined in main",
            ),
        ):
            self.assertEqual(str(place), text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
