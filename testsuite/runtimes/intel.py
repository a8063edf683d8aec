# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intel's OpenCL runtime for processors, from the Python Package Index, under the recorder.

Fetching it accepts Intel's licence, so that it is fetched only on a person's request.  The licence
forbids reverse engineering, so that no layout of it is learned.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import zipfile
from typing import Dict

from harness import BUILD, Skip
from release_cases import RecordedCase
from releases import Installed, Runtime

# Set to this by who has read https://pypi.org/project/intel-opencl-rt and agrees to its licence.
_ACCEPTANCE = ("OMPD_OPENCL_INTEL_LICENCE", "accepted")

_PACKAGES = (
    "intel-opencl-rt intel-cmplr-lib-rt intel-cmplr-lib-ur intel-cmplr-lic-rt tbb tcmlib umf"
)
_FOLDER = os.path.join(BUILD, "packages", "runtimes", "intel")
_IS_ACCEPTED = os.environ.get(_ACCEPTANCE[0]) == _ACCEPTANCE[1]


def _fetch() -> str:
    """The path of its library, which is fetched when it is not there."""
    library = os.path.join(_FOLDER, "lib", "libintelocl.so")
    if os.path.exists(library):
        return library
    if not _IS_ACCEPTED:
        raise Skip("Intel's licence is not accepted: see doc/runtimes.md")
    wheels = os.path.join(_FOLDER, "wheels")
    words = ["download", "--quiet", "--no-deps", "--dest", wheels, *_PACKAGES.split()]
    done = subprocess.run([sys.executable, "-m", "pip", *words], check=False)
    if done.returncode != 0:
        raise Skip("Intel's runtime cannot be fetched")
    for wheel in glob.glob(wheels + "/*.whl"):
        _unpack(wheel)
    return library


def _unpack(wheel: str) -> None:
    """Unpack the libraries of a wheel, and what lies beside them."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            _, found, path = name.partition(".data/data/lib/")
            if found and not path.endswith("/"):
                target = os.path.join(_FOLDER, "lib", path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.open(name) as source, open(target, "wb") as copy:
                    shutil.copyfileobj(source, copy)


class IntelCase(RecordedCase):
    """What a program does on it, as the recorder saw it."""

    @classmethod
    def setUpClass(cls) -> None:
        library = _fetch()
        version = glob.glob(library + ".*")[0].split(".so.")[1]
        cls.runtime = Runtime("intel-pypi", "intel", "pypi", "libintelocl.so", "", "vendors")
        cls.installed = Installed(cls.runtime, library, ())
        cls.name_in_table("Intel(R) CPU Runtime for OpenCL(TM) Applications", version[2:])

    def environment(self, recorder: bool) -> Dict[str, str]:
        return dict(
            super().environment(recorder), LD_LIBRARY_PATH=os.path.dirname(self.installed.library)
        )
