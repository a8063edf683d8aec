# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Load ompd-opencl's commands into GDB:  gdb -x ompd-opencl-gdb.py ./program

Works from the source tree, from a build folder and installed.  Sourcing it again does no harm.
"""


def load_ompd_opencl(loader: str) -> None:
    """Find the Python package and the places where the library may be, and make the commands.
    LOADER is the path of this file."""
    import os
    import runpy
    import sys

    import gdb

    # The events of connections came with GDB 12, as did what else is used.
    if sys.version_info < (3, 8) or not hasattr(gdb.events, "connection_removed"):
        found = (gdb.VERSION,) + tuple(sys.version_info[:3])
        gdb.write(
            "ompd-opencl needs GDB 12 or later, built with Python 3.8 or later: this is GDB %s "
            "with Python %d.%d.%d.\n" % found,
            gdb.STDERR,
        )
        return

    # A build folder has a link to the loader, and made its own list of places beside it.
    here = os.path.dirname(os.path.abspath(loader))
    places = "ompd-opencl-paths.py"
    if not os.path.exists(os.path.join(here, places)):
        here = os.path.dirname(os.path.realpath(loader))
    package = here
    name = "libompd-opencl.so.0"
    libraries = [
        os.path.join(here, os.pardir, ".libs", name),
        os.path.join(here, os.pardir, "build", ".libs", name),
    ]
    layouts = [os.path.join(here, os.pardir, "layouts")]
    if os.path.exists(os.path.join(here, places)):
        values = runpy.run_path(os.path.join(here, places))
        package = os.path.normpath(os.path.join(here, values["PACKAGE"]))
        libraries = [os.path.join(here, library) for library in values["LIBRARIES"]]
        layouts = [os.path.join(here, folder) for folder in values["LAYOUTS"]]
    if package not in sys.path:
        sys.path.insert(0, package)
    import ompd_opencl

    ompd_opencl.install(
        [os.path.normpath(library) for library in libraries],
        [os.path.normpath(folder) for folder in layouts],
    )


# GDB leaves __file__ to a script that sources this one.
load_ompd_opencl(load_ompd_opencl.__code__.co_filename)
del load_ompd_opencl
