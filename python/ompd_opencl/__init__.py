# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl in Python, without a debugger: what plugins of debuggers share, and scripts use."""
