# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCL runtimes of other releases than this machine's, unpacked in folders and run by the dynamic
loader of their packages."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from typing import Dict, List, NamedTuple, Tuple

from fitting import SHIPPED
from harness import BUILD, WORK, Skip, environment

_HERE = os.path.dirname(os.path.abspath(__file__))

_FOLDER = os.path.join(BUILD, "packages", "runtimes")
_LEARN_LIMIT = 600  # seconds

# Starts the probe, in whose own working folder the runtime is to find its files.
_PROBE = """#!/bin/sh
headers='%s'/opencl-c-base.h
for word; do
    case $word in
    --folder=*) [ ! -e "$headers" ] || ln -s "$headers" "${word#--folder=}" ;;
    esac
done
exec %s "$@"
"""

# What a runtime needs in the environment to show itself without a device; learn does it itself.
VARIABLES = {
    "neo": {
        "NEOReadDebugKeys": "1",
        "SetCommandStreamReceiver": "1",
        "ProductFamilyOverride": "tgllp",
    },
}


class Runtime(NamedTuple):
    """A line of one of the lists."""

    name: str
    family: str  # what comparisons know it by
    release: str
    library: str
    package: str
    list_name: str  # the file: "releases", or "vendors"

    def packages_folder(self) -> str:
        """Where its release's packages of the same list are unpacked."""
        name = self.release if self.list_name == "releases" else self.release + "-" + self.list_name
        return os.path.join(_FOLDER, name)


def all_runtimes(list_name: str) -> List[Runtime]:
    """Those of a list."""
    with open(os.path.join(_HERE, list_name), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [Runtime._make([*line, list_name]) for line in lines]


def _unpack(runtime: Runtime) -> str:
    """The folder of the packages of a runtime's release, brought up to date."""
    folder, release = runtime.packages_folder(), runtime.release
    others = all_runtimes(runtime.list_name)
    packages = sorted({each.package for each in others if each.release == release})
    log = folder + ".log"
    os.makedirs(_FOLDER, exist_ok=True)
    with open(log, "w", encoding="utf-8") as output:
        done = subprocess.run(
            [os.path.join(_HERE, "unpack.sh"), release, folder, *packages],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        print("the reason is in " + log)
        raise Skip("the packages of %s cannot be unpacked" % release)
    return folder


class Installed(NamedTuple):
    """A runtime that is unpacked: programs are run as `loader`, then their path."""

    runtime: Runtime
    library: str
    loader: Tuple[str, ...]

    def environment(self, recorder: bool) -> Dict[str, str]:
        """That of a program that uses it."""
        vendors = os.path.join(WORK, "vendors", self.runtime.name)
        os.makedirs(vendors, exist_ok=True)
        with open(os.path.join(vendors, "only.icd"), "w", encoding="utf-8") as file:
            file.write(self.library + "\n")
        result = environment("icd", recorder=recorder)
        result["OCL_ICD_VENDORS"] = vendors
        result["POCL_CACHE_DIR"] = os.path.join(WORK, self.runtime.name + "-cache")
        pipes = os.path.join(os.path.dirname(self.library), "gallium-pipe")
        if os.path.isdir(pipes):
            result["GALLIUM_PIPE_SEARCH_DIR"] = pipes
        result.update(VARIABLES.get(self.runtime.family, {}))
        if not recorder:
            del result["OMPD_OPENCL_LIBRARY"]
        return result

    def prepare(self, folder: str) -> None:
        """Let the runtime find its files with FOLDER as the working folder: rusticl searches there
        for clang's headers, and else where they are installed."""
        root = os.path.join(self.runtime.packages_folder(), "root")
        headers = glob.glob(root + "/usr/lib/llvm-*/lib/clang/*/include/opencl-c-base.h")
        link = os.path.join(folder, "opencl-c-base.h")
        if self.runtime.family.startswith("rusticl") and headers and not os.path.exists(link):
            os.symlink(sorted(headers)[-1], link)

    def build_id(self) -> str:
        """Of its library."""
        notes = subprocess.run(
            ["readelf", "--notes", self.library],
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        ).stdout
        return notes.split("Build ID: ")[1].split()[0]

    def shipped_layout(self) -> str:
        """The path of the shipped layout for this build; "" if there is none."""
        for path in sorted(glob.glob(os.path.join(SHIPPED, "*.layout"))):
            with open(path, encoding="utf-8") as file:
                if "build-id %s\n" % self.build_id() in file.read():
                    return path
        return ""

    def learn(self) -> str:
        """The text of the layout that `ompd-opencl learn` writes, whose probe then is run by the
        loader too."""
        folder = os.path.join(WORK, "learn-" + self.runtime.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shutil.copy(os.path.join(BUILD, ".libs", "ompd-opencl"), folder)
        self.prepare(folder)
        probe = os.path.join(folder, "ompd-opencl-probe")
        words = [*self.loader, os.path.join(BUILD, "ompd-opencl-probe")]
        command = " ".join("'%s'" % word for word in words)
        with open(probe, "w", encoding="utf-8") as file:
            file.write(_PROBE % (folder, command))
        os.chmod(probe, 0o755)
        variables = self.environment(recorder=False)
        variables["LD_LIBRARY_PATH"] = os.path.join(BUILD, ".libs")
        variables["HOME"] = folder
        for name in VARIABLES.get(self.runtime.family, {}):
            del variables[name]
        done = subprocess.run(
            [os.path.join(folder, "ompd-opencl"), "learn", "--output", "-", "only"],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=_LEARN_LIMIT,
            check=False,
        )
        print(done.stderr, end="")
        if "built with AddressSanitizer" in done.stderr:
            raise Skip("the probe is built with AddressSanitizer")
        if done.returncode != 0:
            raise AssertionError("learn %s: %d" % (self.runtime.name, done.returncode))
        return done.stdout

    def layout(self) -> str:
        """The path of the one layout, in a folder of its own, that fits: the shipped one, or what
        is learned first."""
        folder = os.path.join(WORK, "layout-" + self.runtime.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shipped = self.shipped_layout()
        if shipped:
            shutil.copy(shipped, folder)
            return os.path.join(folder, os.path.basename(shipped))
        path = os.path.join(folder, self.runtime.name + ".layout")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.learn())
        return path


def install(runtime: Runtime) -> Installed:
    """Unpack what is needed; skips when that cannot be had."""
    if os.uname().machine != "x86_64":
        raise Skip("packages of x86-64 do not run on this machine")
    folder = _unpack(runtime)
    with open(os.path.join(folder, "loader"), encoding="utf-8") as file:
        loader, libraries = file.read().split("\n")[:2]
    found = glob.glob(os.path.join(folder, "root", "usr", "lib", "*", runtime.library))
    if not found:
        raise Skip("%s has no %s" % (runtime.release, runtime.library))
    return Installed(runtime, found[0], (loader, "--library-path", libraries))
