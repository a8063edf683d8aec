#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# All but what reads elfutils builds for 32 bits without a warning, with the programs that the tests
# of this folder look at, and the unit tests pass.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

[ -e "$I386_ROOT/lib/ld-linux.so.2" ] || {
    echo "SKIP: the packages of i386 are not unpacked"
    exit 77
}
libraries=$I386_ROOT/usr/lib/i386-linux-gnu
export PKG_CONFIG_SYSROOT_DIR="$I386_ROOT"
export PKG_CONFIG_LIBDIR="$libraries/pkgconfig:$I386_ROOT/usr/share/pkgconfig"
mkdir -p "$TOP_BUILDDIR/testsuite/i386/build.tmp"
cd "$TOP_BUILDDIR/testsuite/i386/build.tmp"
# What runs while it is built is of 64 bits, as the system's C library is.  Widths are the same
# with little optimisation, which takes less time than much or none.  The small shell is quicker in
# libtool than the one that configure prefers.
[ -f Makefile ] || CONFIG_SHELL=/bin/sh /bin/sh "$TOP_SRCDIR/configure" -q --enable-werror \
    --host=i686-linux-gnu \
    CC_FOR_BUILD=gcc CFLAGS='-g -O1' \
    CC="gcc -m32 --sysroot=$I386_ROOT -B$(echo "$I386_ROOT"/usr/lib/gcc/i686-linux-gnu/*)" \
    LDFLAGS="-Wl,--dynamic-linker=$I386_ROOT/lib/ld-linux.so.2"
# Programs of 64 bits pass over libraries of 32.
export LD_LIBRARY_PATH="$libraries:$I386_ROOT/lib/i386-linux-gnu"
$MAKE -s -j2 libompd-opencl-recorder.la testsuite/programs/truth-program \
    testsuite/programs/busy-threads
$MAKE -s -j2
tests=$($MAKE -s list-tests | tr ' ' '\n' | grep '^testsuite/unit/' | tr '\n' ' ')
$MAKE -s -j2 check TESTS="$tests"
