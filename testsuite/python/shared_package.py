#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets tests import the package that debuggers' plugins share."""

import os
import sys

SOURCE = os.environ["TOP_SRCDIR"]
LIBRARY = os.path.join(os.environ["TOP_BUILDDIR"], ".libs", "libompd-opencl.so.0")

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "python"))
