# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs: those of Debian packages, and the correct twins of this tree's own."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import tarfile
from typing import Dict, Iterator, List, NamedTuple, Sequence

from hangs import HANGS
from harness import BUILD, SOURCE, program
from mistakes import MISTAKES
from rule_cases import ALL as RULES

PACKAGES = (
    *("piglit", "pocl-tests", "pocl-source", "clpeak", "clinfo", "clfft-client", "hashcat"),
    *("ffmpeg", "python3-pyopencl", "python-pyopencl-doc", "opencl-clhpp-headers"),
    *("python3-pytest", "python3-pil", "clblast-tests", "libboost1.74-dev", "libboost1.74-doc"),
)
FOLDER = os.path.join(BUILD, "packages", "innocent")
ROOT = os.path.join(FOLDER, "root")
BUILT = os.path.join(FOLDER, "programs")
_POCL_TESTS = os.path.join(ROOT, "usr/share/pocl-tests/tests")

# What is not tried, and why.
LEFT_OUT = {
    "cl-interop-egl_khr_cl_event2": "It needs a screen.",
    "cl-program-bitcoin-phatk": "It needs a GPU.",
    "transpose": "It is a benchmark that takes many minutes on PoCL.",
    "test_builtin_args": "It needs a custom device.",
    "test_dlopen": "It does not call OpenCL.",
    "test_buffer_migration": "It needs two devices.",
    "test_buffer_ping_pong": "It needs two devices.",
    "waiting event-cycle right": "It sets an event that its callback sets again: see "
    "set_event() in waiting.c, after event_cycle().",
    "waiting set-behind-map right": "It sets its event twice: see "
    "set_behind_map() in waiting-reported.c.",
    "waiting locked-callback right": "Its callback waits in clFinish, which callbacks must not do: "
    "see call_with_lock() in waiting-reported.c.",
    "test_vectors_as_args": "It passes a float3 as 12 bytes; one has 16 (OpenCL C 3.0, section "
    "6.3.5).",
    "test_version": "It expects the version that PoCL's own build was configured with.",
}

# Tests that PoCL 3.1 does not pass, and the status that they end with.
_STATUSES = {
    "cl-api-create-command-queue": 2,
    "cl-api-create-program-with-binary": 1,
    "cl-api-get-command-queue-info": 1,
    "cl-api-get-device-info": 1,
    "cl-api-get-extension-function-address-for-platform": 1,
    "cl-api-get-kernel-info": 1,
    "cl-custom-use-sub-buffer-in-kernel": 1,
}

# What piglit's program for kernels is given.
_KERNELS = ("get-global-id", "get-local-size", "sizeof")

# What PoCL's tests are given.
_ARGUMENTS = {"test_alignment_with_dynamic_wg": "3 3 3"}

# Those that call wrongly to see that it is refused: they require the error.
_REFUSE = (
    *("test_clBuildProgram", "test_clCreateKernel", "test_clCreateProgramWithBinary"),
    *("test_event_free", "test_wrapper.py"),
)

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
    *("demo_mandelbrot", "demo-struct-reduce", "dump-properties", "narray", "pi-monte-carlo"),
    "svm",
)

# Tests of pyopencl that take seconds.
_PYTHON_TESTS = ("test_wrapper.py", "test_enqueue_copy.py", "test_arrays_in_structs.py")

# Examples of Boost.Compute that need no other library.
_COMPUTE = (
    *("hello_world", "copy_data", "fizz_buzz", "list_devices", "longest_vector", "mapped_view"),
    *("point_centroid", "print_vector", "simple_kernel", "sort_vector", "transform_sqrt"),
    "vector_addition",
)

# doc/innocent.md is of PoCL; another runtime may not pass the tests of others.
RUNTIME = os.environ.get("INNOCENT_RUNTIME", "pocl")

# The twins of this tree: programs of testsuite, and what each may be given.
_TWINS = {
    "programs/forget": [
        name + " right"
        for name in ("library", "event", "growth", "events", "order", "backend", "sampler")
    ],
    "programs/mistake": [name + " right" for name in ("all", *MISTAKES)],
    "programs/rules": [case.case + " right end" for case in RULES if RUNTIME in case.runtimes],
    "programs/still-there": ["clean"],
    "programs/kept-handles": [""],
    "programs/left": ["end"],
    "programs/released": ["3 20"],
    "programs/refuse": ["probes"],
    "programs/restless": ["1 exit", "2 exit"],
    "innocent/usages": ["tiles", "unwritten", "handler", "reader", "table", "options", "fallback"]
    + ["child", "recycled"],
    "innocent/careful": ["callbacks", "svm", "handles", "events", "failures", "kernels"]
    + ["mappings", "transfers"],
}

# Those that abort when they have come to wait.
_WAITING = tuple(name for name, hang in HANGS.items() if hang.right[0] == 0)


class Innocent(NamedTuple):
    """A program that makes no mistake."""

    group: str
    name: str
    words: List[str]
    folder: str
    variables: Dict[str, str] = {}
    status: int = 0  # of its end, by itself
    refuses: bool = False  # it tests that wrong calls are refused
    is_own: bool = False
    source: str = ""  # what it is built of


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
    # hashcat finds its files beside itself.
    for path in glob.glob(os.path.join(ROOT, "usr/share/hashcat/*")):
        link = os.path.join(ROOT, "usr/bin", os.path.basename(path))
        if not os.path.lexists(link):
            os.symlink(path, link)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)


def libraries() -> str:
    """Where the packages' libraries lie."""
    folder = os.path.join(ROOT, "usr/lib/x86_64-linux-gnu")
    parts = ("", "/piglit/lib", "/pulseaudio", "/blas", "/lapack")
    return ":".join(folder + part for part in parts)


def _piglit() -> Iterator[Innocent]:
    folder = os.path.join(ROOT, "usr/lib/x86_64-linux-gnu/piglit/bin")
    kernels = os.path.join(ROOT, "usr/lib/x86_64-linux-gnu/piglit/tests/cl/program/execute")
    for path in sorted(glob.glob(folder + "/cl-*")):
        name = os.path.basename(path)
        if name == "cl-program-tester":
            for kernel in _KERNELS:
                words = [path, os.path.join(kernels, kernel + ".cl")]
                yield Innocent("piglit", "%s %s" % (name, kernel), words, folder)
        elif name not in LEFT_OUT:
            status = _STATUSES.get(name, 0)
            yield Innocent("piglit", name, [path], folder, {}, status, refuses=True)


def _pocl_folder() -> str:
    (folder,) = glob.glob(os.path.join(FOLDER, "pocl*/poclu"))
    return os.path.dirname(folder)


def _words_of_compiler(source: str) -> List[str]:
    """How SOURCE is compiled."""
    if not source.startswith((_pocl_folder(), _POCL_TESTS)):
        words = ["g++", "-w", "-g", "-O1", "-pthread", "-DCL_TARGET_OPENCL_VERSION=120"]
        return words + ["-isystem", os.path.join(ROOT, "usr/include")]
    # As PoCL's own build does, and its library poclu, which its tests are linked with.
    pocl = _pocl_folder()
    words = ["g++", "-DCL_HPP_ENABLE_EXCEPTIONS"]
    words += ["-DCL_HPP_TARGET_OPENCL_VERSION=120", "-DCL_HPP_MINIMUM_OPENCL_VERSION=120"]
    if source.endswith(".c"):
        words = ["gcc", "-DCL_TARGET_OPENCL_VERSION=300"]
    words += ["-w", "-g", "-O1", "-pthread", "-I" + BUILT, "-I%s/poclu" % pocl]
    return words + [
        "-include",
        os.path.join(BUILT, "config.h"),
        "-idirafter",
        pocl + "/include",
        "-idirafter",
        pocl,
    ]


def _compile(source: str, target: str, more: Sequence[str]) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not os.path.exists(target):
        subprocess.run([*_words_of_compiler(source), source, "-o", target, *more], check=True)


def prepare(innocent: Innocent) -> None:
    """Build it, if it is to be built."""
    if innocent.source:
        objects = glob.glob(os.path.join(BUILT, "*.c.o")) if innocent.group == "PoCL" else []
        _compile(innocent.source, innocent.words[0], [*objects, "-lOpenCL", "-lm"])


def _prepare_pocl() -> None:
    """Make what PoCL's own configuration makes, and poclu."""
    pocl = _pocl_folder()
    os.makedirs(BUILT, exist_ok=True)
    with open(os.path.join(BUILT, "config.h"), "w", encoding="utf-8") as file:
        file.write('#define SRCDIR "%s"\n#define BUILDDIR "%s"\n' % (pocl, BUILT))
        file.write('#define POCL_VERSION_BASE "3.1"\n#define POCL_VERSION_FULL "3.1"\n')
    with open(os.path.join(pocl, "pocl_opencl.h.in.cmake"), encoding="utf-8") as file:
        header = file.read().replace("#cmakedefine ENABLE_PROXY_DEVICE", "")
    with open(os.path.join(BUILT, "pocl_opencl.h"), "w", encoding="utf-8") as file:
        file.write(header)
    for helper in glob.glob(pocl + "/poclu/*.c"):
        _compile(helper, os.path.join(BUILT, os.path.basename(helper) + ".o"), ["-c"])
    # What a test writes, and what another reads.
    os.makedirs(os.path.join(BUILT, "tests", "runtime"), exist_ok=True)
    shutil.copy(pocl + "/tests/regression/test_flatten_barrier_subs.cl", pocl)


def _pocl() -> Iterator[Innocent]:
    _prepare_pocl()
    for room in ("regression", "runtime"):
        for source in sorted(glob.glob("%s/%s/test_*.c*" % (_POCL_TESTS, room))):
            name, kind = os.path.splitext(os.path.basename(source))
            target = os.path.join(BUILT, name)
            if kind not in (".c", ".cpp") or name in LEFT_OUT:
                continue  # it is data, or not tried
            words = [target, *_ARGUMENTS.get(name, "").split()]
            refuses = name in _REFUSE
            folder = os.path.dirname(source)
            if name == "test_kernel_cache_includes":
                folder = os.path.join(BUILT, "tests", "runtime")  # it includes what it writes
            status = _STATUSES.get(name, 0)
            yield Innocent("PoCL", name, words, folder, {}, status, refuses, source=source)


def _boost() -> Iterator[Innocent]:
    folder = os.path.join(ROOT, "usr/share/doc/libboost1.74-doc/examples/libs/compute/example")
    for name in _COMPUTE:
        words = [os.path.join(BUILT, "compute-" + name)]
        source = os.path.join(folder, name + ".cpp")
        yield Innocent("Boost.Compute", name, words, folder, source=source)


def _python() -> Iterator[Innocent]:
    folder = os.path.join(ROOT, "usr/share/doc/python-pyopencl-doc/examples")
    modules = os.path.join(ROOT, "usr/lib/python3/dist-packages")
    variables = {"PYTHONPATH": modules, "PYOPENCL_CTX": "0", "MPLBACKEND": "agg"}
    for name in _EXAMPLES:
        path = os.path.join(folder, name + ".py")
        yield Innocent("pyopencl", name, ["/usr/bin/python3", path], folder, variables)
    for test in _PYTHON_TESTS:
        words = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
        refuses = test in _REFUSE
        yield Innocent("pyopencl", test, words, folder, variables, refuses=refuses)


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
        ("clblast-xaxpy", "clblast_test_xaxpy"),
        ("clblast-xdot", "clblast_test_xdot"),
        ("clblast-xswap", "clblast_test_xswap"),
        ("clblast-xscal", "clblast_test_xscal"),
    ):
        words = line.split()
        found = os.path.join(tools, words[0])
        if os.path.exists(found):
            words[0] = found
        yield Innocent("tools", name, words, FOLDER, {"HOME": FOLDER})


def _twins() -> Iterator[Innocent]:
    for of, lines in _TWINS.items():
        for line in lines:
            words = [program(of), *line.split()]
            name = ("%s %s" % (os.path.basename(of), line)).strip()
            refuses = of == "programs/restless"  # it has a call refused now and then
            yield Innocent("twins", name, words, SOURCE, refuses=refuses, is_own=True)
    for name in _WAITING:
        words = [program("programs/waiting"), name, "right"]
        called = "waiting %s right" % name
        if called not in LEFT_OUT:
            yield Innocent("twins", called, words, SOURCE, {}, -6, is_own=True)
    words = [os.path.join(BUILT, "thrown")]
    source = os.path.join(SOURCE, "testsuite", "innocent", "thrown.cpp")
    yield Innocent("twins", "thrown", words, SOURCE, is_own=True, source=source)


def innocents() -> Iterator[Innocent]:
    """All of them, the fast ones first."""
    for of in (_twins, _tools, _piglit, _pocl, _boost, _python):
        yield from of()
