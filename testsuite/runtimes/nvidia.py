# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's runtime, on a machine with its driver and a device, under the recorder.

The licence of the driver forbids reverse engineering, so that no layout of it is learned.
"""

from __future__ import annotations

import os
import re
import subprocess
import unittest

from harness import Skip, vendor_library
from release_cases import RecordedCase, UncountedCase
from releases import Installed, Runtime
from runtime_cases import RuntimeCases

# Of the driver in the kernel: "NVRM version: NVIDIA UNIX ... Kernel Module ...  580.95.05 ..."
_VERSION = "/proc/driver/nvidia/version"


def _version() -> str:
    """The version of the driver, without which there is no device either."""
    if not os.path.exists(_VERSION):
        raise Skip("this machine has no NVIDIA device")
    with open(_VERSION, encoding="utf-8") as file:
        found = re.search(r"  (\d[\d.]*) ", file.readline())
    assert found is not None
    return found.group(1)


def _path_of(library: str) -> str:
    """Where the dynamic loader finds what the .icd file names."""
    told = subprocess.run(
        ["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout
    found = re.search(r"^\t%s .*=> (.*)$" % re.escape(library), told, re.MULTILINE)
    return os.path.realpath(found.group(1)) if found else library


class NvidiaCase(RecordedCase, UncountedCase):
    """What a program does on it, as the recorder saw it."""

    @classmethod
    def setUpClass(cls) -> None:
        version = _version()
        library = _path_of(vendor_library("nvidia"))
        cls.runtime = Runtime("nvidia", "nvidia", "driver", library, "", "vendors")
        cls.installed = Installed(cls.runtime, library, ())
        cls.name_in_table("NVIDIA CUDA " + version, cls.installed.build_id())


class NvidiaStopCase(RuntimeCases, unittest.TestCase):
    """Every list of a program that uses all there is agrees with the truth."""

    runtime = "nvidia"

    @classmethod
    def setUpClass(cls) -> None:
        _version()
        super().setUpClass()
