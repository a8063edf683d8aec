#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the tree for aarch64 with a cross compiler, without warnings, and runs the library's unit
# tests under QEMU.
# usage: build.sh FOLDER
#
# FOLDER gets `build` and three folders of packages, made by testsuite/runtimes/unpack.sh: `target`
# for aarch64, `tools` and `qemu` for this machine.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

folder=$1
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
emulator=$release
# The gdbserver of Debian 12's own, 7.2, does not tell what is mapped.
if [ "$release" = bookworm ]; then emulator=bookworm-backports; fi

if [ -z "$release" ] || [ "$(uname -m)" != x86_64 ] || ! command -v apt-get >/dev/null; then
    echo "SKIP: no packages of Debian for x86-64 can be unpacked here"
    exit 77
fi
unpack=$TOP_SRCDIR/testsuite/runtimes/unpack.sh
mkdir -p "$folder"
{
    "$unpack" "$release/arm64" "$folder/target" pocl-opencl-icd ocl-icd-opencl-dev \
        opencl-c-headers libc6-dev libunwind-dev libdw-dev libelf-dev libffi-dev check &&
        "$unpack" "$release" "$folder/tools" gcc-aarch64-linux-gnu gdb-multiarch &&
        "$unpack" "$emulator" "$folder/qemu" qemu-user
} >"$folder/unpack.log" 2>&1 || {
    tail -n 5 "$folder/unpack.log"
    echo "SKIP: the packages of aarch64 cannot be unpacked"
    exit 77
}

root=$folder/target/root
libraries=$root/usr/lib/aarch64-linux-gnu
emulate="$folder/qemu/root/usr/bin/qemu-aarch64 -L $root"
export PKG_CONFIG_SYSROOT_DIR="$root"
export PKG_CONFIG_LIBDIR="$libraries/pkgconfig:$root/usr/share/pkgconfig"
mkdir -p "$folder/build"
cd "$folder/build"
(
    export PATH="$folder/tools/root/usr/bin:$PATH"
    export LD_LIBRARY_PATH="$folder/tools/root/usr/lib/x86_64-linux-gnu"
    [ -f Makefile ] || "$TOP_SRCDIR/configure" -q --enable-werror --host=aarch64-linux-gnu \
        CC="aarch64-linux-gnu-gcc --sysroot=$root"
    $MAKE -s -j2
    $MAKE -s -j2 test-programs
)
[ -e ompd-opencl ] || {
    echo "FAIL: the host library was not built"
    exit 1
}
tests=$($MAKE -s list-tests | tr ' ' '\n' | grep '^testsuite/unit/test-' | tr '\n' ' ')
$MAKE -s -j2 check-TESTS TESTS="$tests" \
    LOG_COMPILER="./libtool --mode=execute $emulate"
