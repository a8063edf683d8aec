# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A GDB that does not read this file as Python reads it as GDB commands.  The first of them ends it
# if that GDB lacks Python.  The next line is, for that GDB, part of this comment. \
r"""
python gdb.write("This is Python: `set script-extension soft` has GDB read it.\n", gdb.STDERR)

Load ompd-opencl's commands into GDB:  gdb -x ompd-opencl-gdb.py ./program

Works from the source tree, from a build folder and installed.  Sourcing it again does no harm.
"""


def load_ompd_opencl(loader: str) -> None:
    """Find the Python packages, and create the commands.  LOADER is the path of this file."""
    import os
    import sys

    import gdb

    # GDB 12 introduced the connection events and everything else used here.
    if sys.version_info < (3, 8) or not hasattr(gdb.events, "connection_removed"):
        found = (gdb.VERSION,) + tuple(sys.version_info[:3])
        gdb.write(
            "ompd-opencl needs GDB 12 or later, built with Python 3.8 or later: this is GDB %s "
            "with Python %d.%d.%d.\n" % found,
            gdb.STDERR,
        )
        return

    # The packages lie in this folder and in the folder "python" beside it. The opened file may be a
    # link to a link: a build folder has one, and a folder "python" that finds its libraries.
    folders = []
    path = os.path.abspath(loader)
    while os.path.islink(path):
        folders.append(os.path.dirname(path))
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    folders += [os.path.dirname(path), os.path.dirname(os.path.realpath(path))]
    for package in ("../python/ompd_opencl", "ompd_opencl_gdb"):
        for folder in folders:
            found = os.path.normpath(os.path.join(folder, package))
            if os.path.exists(os.path.join(found, "__init__.py")):
                if os.path.dirname(found) not in sys.path:
                    sys.path.insert(0, os.path.dirname(found))
                break
    import ompd_opencl_gdb

    ompd_opencl_gdb.install()


# If another script sources this one, __file__ is that script's.
load_ompd_opencl(load_ompd_opencl.__code__.co_filename)
del load_ompd_opencl
