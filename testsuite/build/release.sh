#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A release builds with clang without warnings from read-only sources, and uninstalls all files that
# it installed.  A part of `make check-long`.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONPYCACHEPREFIX

folder=$TOP_BUILDDIR/testsuite/build/release.tmp
remove() {
    if [ -d "$folder" ]; then chmod -R u+w "$folder" && rm -rf "$folder"; fi
}
run() {
    "$@" >"$folder/log" 2>&1 || { tail -n 40 "$folder/log" && echo "FAIL: $*" && exit 1; }
}
remove
mkdir -p "$folder/build"

run sh "$TOP_SRCDIR/testsuite/build/release-files.sh" "$folder/release"
chmod -R a-w "$folder/release"

compiler=clang
command -v clang >/dev/null || { echo "SKIP: clang is not installed" && compiler=cc; }
cd "$folder/build"
# Its warnings come without optimisation too, in half the time.  The small shell is quicker in
# libtool than the one that configure prefers.
CONFIG_SHELL=/bin/sh run /bin/sh ../release/configure -q --enable-werror \
    --disable-dependency-tracking CC=$compiler CFLAGS=-O0 --prefix="$folder/prefix"
run $MAKE -j2
# Of the tests only the objects: nothing warns when they are linked, which takes as long again.
# shellcheck disable=SC2016 # it is make that expands
echo 'objects: $(foreach list,$(filter am_testsuite_%_OBJECTS,$(.VARIABLES)),$($(list)))' \
    >"$folder/objects.mk"
run $MAKE -j2 -f Makefile -f "$folder/objects.mk" objects
find testsuite/unit -name 'test*.o' | grep -q . || { echo 'FAIL: no test was built' && exit 1; }
TOP_BUILDDIR=$folder/build run "$PYTHON" -B "$TOP_SRCDIR/testsuite/build/symbols.py"
run $MAKE install
for file in lib/libompd-opencl.so.0 lib/libompd-opencl-recorder.so lib/pkgconfig/ompd-opencl.pc \
    lib/libompd-opencl-view.so.0 lib/pkgconfig/ompd-opencl-view.pc include/ompd-opencl-view.h \
    include/ompd-opencl.h include/ompd-opencl-typed.h share/man/man7/ompd-opencl-gdb.7 \
    share/man/man3/libompd-opencl.3 share/man/man3/libompd-opencl-view.3 \
    share/gdb/auto-load \
    share/ompd-opencl/gdb/ompd-opencl-gdb.py share/ompd-opencl/gdb/ompd_opencl_gdb/__init__.py \
    share/ompd-opencl/lldb/ompd_opencl_lldb/__init__.py share/man/man7/ompd-opencl-lldb.7 \
    share/ompd-opencl/python/ompd_opencl/__init__.py \
    share/ompd-opencl/python/ompd-opencl-paths.py; do
    [ -e "$folder/prefix/$file" ] || { echo "FAIL: not installed: $file" && exit 1; }
done
"$GDB" -batch -nx -x "$folder/prefix/share/ompd-opencl/gdb/ompd-opencl-gdb.py" \
    -ex 'help opencl' | grep -q '^opencl memobjs' ||
    { echo "FAIL: the installed plugin has no command" && exit 1; }
if [ -x "$folder/prefix/bin/ompd-opencl" ] && command -v gdb >/dev/null; then
    echo 'help opencl catch' | "$folder/prefix/bin/ompd-opencl" gdb /bin/true 2>&1 |
        grep -q 'Usage: opencl catch EVENT' ||
        { echo "FAIL: the installed command finds no plugin" && exit 1; }
fi
lldb=$(command -v "${LLDB:-lldb-19}" || command -v lldb || :)
if [ -n "$lldb" ]; then
    "$lldb" --batch --no-lldbinit -o 'help opencl' \
        -O "command script import $folder/prefix/share/ompd-opencl/lldb/ompd_opencl_lldb" |
        grep -q ' memobjs  *-- List' ||
        { echo "FAIL: the installed plugin has no command in LLDB" && exit 1; }
fi
PYTHONPATH=$folder/prefix/share/ompd-opencl/python "$PYTHON" -c '
import ompd_opencl
try:
    ompd_opencl.open_core("/dev/null")
except ompd_opencl.TargetError:
    print("refused")' | grep -q refused ||
    { echo "FAIL: the installed package finds no library" && exit 1; }
run $MAKE uninstall
left=$(find "$folder/prefix" ! -type d)
[ -z "$left" ] || { echo "FAIL: left by uninstall: $left" && exit 1; }
remove
