# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Load ompd-opencl's commands with a program that uses OpenCL.

GDB runs this file when it loads an OpenCL loader, if the file is installed under the loader's name
in GDB's auto-load folder: see ompd-opencl-gdb(7).
"""


def load_plugin(own: str) -> None:
    """Run the plugin that is installed with this file.  OWN is this file's path."""
    import os

    import gdb

    folder = os.path.dirname(os.path.abspath(own))
    while True:
        plugin = os.path.join(folder, "ompd-opencl", "gdb", "ompd-opencl-gdb.py")
        if os.path.exists(plugin):
            break
        if folder == os.path.dirname(folder):
            gdb.write("%s: cannot find ompd-opencl-gdb.py.\n" % own, gdb.STDERR)
            return
        folder = os.path.dirname(folder)
    with open(plugin, "rb") as file:
        exec(compile(file.read(), plugin, "exec"), {"__name__": "__main__"})


# If another script sources this one, __file__ is that script's.
load_plugin(load_plugin.__code__.co_filename)
del load_plugin
