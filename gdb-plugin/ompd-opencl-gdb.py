# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Load ompd-opencl's commands into GDB:  gdb -x ompd-opencl-gdb.py ./program

Works from the source tree, from a build folder and installed.  Sourcing it again does no harm.
"""


def load_ompd_opencl() -> None:
    """Find the Python package and the places where the library may be, and make the commands."""
    import os
    import runpy
    import sys

    here = os.path.dirname(os.path.realpath(__file__))
    package = here
    name = "libompd-opencl.so.0"
    libraries = [
        os.path.join(here, os.pardir, ".libs", name),
        os.path.join(here, os.pardir, "build", ".libs", name),
    ]
    paths = os.path.join(here, "ompd-opencl-paths.py")
    if os.path.exists(paths):
        # Made by the build, here or for the installed tree.
        values = runpy.run_path(paths)
        package = os.path.join(here, values["PACKAGE"])
        libraries = [os.path.join(here, library) for library in values["LIBRARIES"]]
    if package not in sys.path:
        sys.path.insert(0, package)
    import ompd_opencl

    ompd_opencl.install([os.path.normpath(library) for library in libraries])


load_ompd_opencl()
del load_ompd_opencl
