# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs: others' of Debian's packages, and the right twins of this tree's own."""

from __future__ import annotations

import glob
import os
import re
import subprocess
import tarfile
from typing import Dict, Iterator, List, NamedTuple, Sequence

from harness import BUILD, SOURCE, program

PACKAGES = (
    *("piglit", "pocl-tests", "pocl-source", "clpeak", "clinfo", "clfft-client", "hashcat"),
    *("ffmpeg", "python3-pyopencl", "python-pyopencl-doc", "opencl-clhpp-headers"),
)
FOLDER = os.path.join(BUILD, "packages", "innocent")
ROOT = os.path.join(FOLDER, "root")
BUILT = os.path.join(FOLDER, "programs")

# Programs of piglit that need a screen, or a device that is none of ours.
_NOT_OF_PIGLIT = ("cl-interop-egl_khr_cl_event2", "cl-program-tester", "cl-program-bitcoin-phatk")

# What ffmpeg's filters are given.
_FILTERS = {
    "avgblur": "avgblur_opencl=sizeX=3",
    "boxblur": "boxblur_opencl=3:2",
    "convolution": "convolution_opencl=-1 -1 -1 -1 8 -1 -1 -1 -1",
    "dilation": "dilation_opencl",
    "erosion": "erosion_opencl",
    "nlmeans": "nlmeans_opencl=p=3:r=3",
    "prewitt": "prewitt_opencl",
    "roberts": "roberts_opencl",
    "sobel": "sobel_opencl",
    "transpose": "transpose_opencl=1",
    "unsharp": "unsharp_opencl",
}

# Examples of pyopencl that need no screen and no package besides.
_EXAMPLES = (
    *("demo", "demo_array", "demo_array_svm", "demo_elementwise", "demo_elementwise_complex"),
    *("demo_mandelbrot", "demo-struct-reduce", "dump-properties", "median-filter", "narray"),
    *("pi-monte-carlo", "svm", "transpose"),
)

# The twins of this tree, each `PROGRAM NAME right`.
_TWINS = {
    "forget": "library event growth events order sampler",
    "mistake": "all",
    "waiting": "user-finish user-events user-read user-set-later unflushed failed build "
    "mutex-cycle several-events",
}


class Innocent(NamedTuple):
    """A program that makes no mistake."""

    group: str
    name: str
    words: List[str]
    folder: str
    variables: Dict[str, str] = {}
    is_own: bool = False


def _missing(packages: Sequence[str]) -> List[str]:
    """The packages that these need, without those that the system has."""
    answer = subprocess.run(
        ["apt-get", "install", "-s", "-q", "--no-install-recommends", *packages],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    files = re.findall(r"^Inst (\S+) ", answer.stdout, re.MULTILINE)
    return sorted(set(files) | set(packages))


def unpack() -> None:
    """Fetch the packages, and unpack them in a folder of their own: the system stays as it is."""
    stamp = os.path.join(FOLDER, "unpacked")
    wanted = " ".join(_missing(PACKAGES)) + "\n"
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == wanted:
                return
    archives = os.path.join(FOLDER, "archives")
    os.makedirs(archives, exist_ok=True)
    subprocess.run(["apt-get", "-q", "download", *wanted.split()], cwd=archives, check=True)
    for archive in sorted(glob.glob(os.path.join(archives, "*.deb"))):
        subprocess.run(["dpkg-deb", "--extract", archive, ROOT], check=True)
    with tarfile.open(os.path.join(ROOT, "usr/src/pocl.tar.xz")) as source:
        source.extractall(FOLDER)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)


def libraries() -> str:
    """Where the packages' libraries lie."""
    folder = os.path.join(ROOT, "usr/lib/x86_64-linux-gnu")
    parts = ("", "/piglit/lib", "/pulseaudio", "/blas", "/lapack")
    return ":".join(folder + part for part in parts)


def _piglit() -> Iterator[Innocent]:
    folder = os.path.join(ROOT, "usr/lib/x86_64-linux-gnu/piglit/bin")
    for path in sorted(glob.glob(folder + "/cl-*")):
        name = os.path.basename(path)
        if name not in _NOT_OF_PIGLIT:
            yield Innocent("piglit", name, [path], folder)


def _pocl_folder() -> str:
    (folder,) = glob.glob(os.path.join(FOLDER, "pocl*/poclu"))
    return os.path.dirname(folder)


def _compile(source: str, target: str) -> bool:
    """Build a test of PoCL's; some need what PoCL's own build finds out."""
    pocl = _pocl_folder()
    compiler = ["gcc"] if source.endswith(".c") else ["g++", "-DCL_HPP_ENABLE_EXCEPTIONS"]
    helpers = [name for name in glob.glob(pocl + "/poclu/*.c") if "cl_half" not in name]
    objects = []
    for helper in helpers:
        made = os.path.join(BUILT, os.path.basename(helper) + ".o")
        if not os.path.exists(made):
            words = ["gcc", "-w", "-g", "-O1", "-c", "-I%s/include" % pocl, helper, "-o", made]
            words += ["-I" + BUILT]
            if subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode != 0:
                continue
        objects.append(made)
    words = [*compiler, "-w", "-g", "-O1", "-pthread", "-I%s/include" % pocl]
    words += ["-I%s/poclu" % pocl, "-I" + BUILT, "-DCL_HPP_TARGET_OPENCL_VERSION=120"]
    words += ["-DCL_HPP_MINIMUM_OPENCL_VERSION=120", source, *objects, "-o", target]
    words += ["-lOpenCL", "-lm"]
    return subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0


def _pocl() -> Iterator[Innocent]:
    tests = os.path.join(ROOT, "usr/share/pocl-tests/tests")
    os.makedirs(BUILT, exist_ok=True)
    with open(os.path.join(BUILT, "config.h"), "w", encoding="utf-8") as file:
        file.write('#define SRCDIR "%s"\n#define BUILDDIR "%s"\n' % (_pocl_folder(), BUILT))
    for room in ("regression", "runtime"):
        for source in sorted(glob.glob("%s/%s/test_*.c*" % (tests, room))):
            name, kind = os.path.splitext(os.path.basename(source))
            target = os.path.join(BUILT, name)
            if kind not in (".c", ".cpp"):
                continue
            if os.path.exists(target) or _compile(source, target):
                yield Innocent("PoCL", name, [target], os.path.dirname(source))


def _python() -> Iterator[Innocent]:
    folder = os.path.join(ROOT, "usr/share/doc/python-pyopencl-doc/examples")
    modules = os.path.join(ROOT, "usr/lib/python3/dist-packages")
    variables = {"PYTHONPATH": modules, "PYOPENCL_CTX": "0", "MPLBACKEND": "agg"}
    for name in _EXAMPLES:
        path = os.path.join(folder, name + ".py")
        yield Innocent("pyopencl", name, ["/usr/bin/python3", path], folder, variables)


def _tools() -> Iterator[Innocent]:
    tools = os.path.join(ROOT, "usr/bin")
    ffmpeg = os.path.join(tools, "ffmpeg")
    if not os.path.exists(ffmpeg):
        ffmpeg = "ffmpeg"
    begin = [ffmpeg, "-v", "error", "-init_hw_device", "opencl=gpu:0.0", "-filter_hw_device", "gpu"]
    begin += ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2", "-vf"]
    for name, filter_words in _FILTERS.items():
        filters = "format=yuv420p,hwupload,%s,hwdownload,format=yuv420p" % filter_words
        yield Innocent("ffmpeg", name, [*begin, filters, "-f", "null", "-"], FOLDER)
    for name, line in (
        ("clinfo", "clinfo"),
        ("clinfo-raw", "clinfo --raw"),
        ("clinfo-list", "clinfo -l"),
        ("clpeak-latency", "clpeak --kernel-latency"),
        ("clfft-1d", "clFFT-client -x 1024 -p 2"),
        ("clfft-2d", "clFFT-client -x 64 -y 64 -p 2"),
        ("clfft-3d", "clFFT-client -x 16 -y 16 -z 16"),
        ("hashcat-info", "hashcat -I"),
    ):
        words = line.split()
        found = os.path.join(tools, words[0])
        if os.path.exists(found):
            words[0] = found
        yield Innocent("tools", name, words, FOLDER, {"HOME": FOLDER})


def _twins() -> Iterator[Innocent]:
    for of, names in _TWINS.items():
        for name in names.split():
            words = [program("programs/" + of), name, "right"]
            yield Innocent("twins", "%s %s" % (of, name), words, SOURCE, is_own=True)


def innocents() -> Iterator[Innocent]:
    """All of them, those that are quick to be told of first."""
    for of in (_twins, _tools, _piglit, _pocl, _python):
        yield from of()
