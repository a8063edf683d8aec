#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""100,000 buffers of a program without the recorder, none, half or every second of them freed, with
allocators that leave freed memory unchanged; and programs that release everything.  Part of `make
check-long`."""

from __future__ import annotations


from harness import main
from released import ReleasedCase
from unprepared_cases import WITHOUT_TCACHE, RuntimeCase, with_jemalloc


class Populations(RuntimeCase):
    many = "100000"

    def test_all(self) -> None:
        self.check([self.many, "none"], {})

    def test_second_freed(self) -> None:
        self.check([self.many, "second"], {})

    def test_half_freed(self) -> None:
        self.check([self.many, "half"], {})

    def test_second_freed_without_tcache(self) -> None:
        self.check([self.many, "second"], WITHOUT_TCACHE)

    def test_half_freed_without_tcache(self) -> None:
        self.check([self.many, "half"], WITHOUT_TCACHE)

    def test_second_freed_jemalloc(self) -> None:
        self.check([self.many, "second"], with_jemalloc())

    def test_half_freed_jemalloc(self) -> None:
        self.check([self.many, "half"], with_jemalloc())


class TestPocl(Populations):
    runtime = "pocl"


class TestOclgrind(Populations):
    runtime = "oclgrind"
    many = "60000"  # it numbers them by 16 bits


class TestRusticl(Populations):
    runtime = "rusticl"


class Released(ReleasedCase):
    """10,000 buffers of a program that released them, at once and in rounds."""

    def test_all_released(self) -> None:
        self.look(1, 10000, is_kept=False, with_core=True)

    def test_rounds_released(self) -> None:
        self.look(20, 500, is_kept=False, with_core=True)

    def test_last_kept(self) -> None:
        self.look(20, 500, is_kept=True, with_core=True)


class TestReleasedPocl(Released):
    runtime = "pocl"


class TestReleasedOclgrind(Released):
    runtime = "oclgrind"


class TestReleasedRusticl(Released):
    runtime = "rusticl"


del Populations, Released, ReleasedCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
