#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `configure` refuses what it must, with one sentence each.
set -eu

folder=$TOP_BUILDDIR/testsuite/build/configure.tmp
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
configure=$TOP_SRCDIR/configure
# /bin/sh is faster than the shell that configure prefers.
CONFIG_SHELL=/bin/sh
export CONFIG_SHELL

# refused SENTENCE-PART OPTION...: configure ends with an error that says so.
refused() {
    part=$1
    shift
    if /bin/sh "$configure" --quiet "$@" >output 2>&1; then
        echo "FAIL: configure took $*"
        exit 1
    fi
    if [ "$(grep -c '^configure: error: ' output)" != 1 ] || ! grep -q "$part" output; then
        cat output
        echo "FAIL: configure did not say: $part"
        exit 1
    fi
}

refused 'remove --disable-shared$' --disable-shared

# Checks of the compiler and GDB run each time.  Results that do not change are cached.
cached() {
    refused "$@" --cache-file="$folder/cache"
}

# with_gdb COMMAND: a gdb that does that, before all others.
with_gdb() {
    mkdir -p bin
    printf '#!/bin/sh\n%s\n' "$1" >bin/gdb
    cp bin/gdb bin/gdb-multiarch
    chmod +x bin/gdb bin/gdb-multiarch
}

# said SENTENCE-PART: the same run warned of that.
said() {
    if ! grep -q "^configure: WARNING: $1" output; then
        cat output
        echo "FAIL: configure did not warn: $1"
        exit 1
    fi
}

mkdir -p headers/CL unwind/include
cat >headers/CL/cl_layer.h <<'END'
typedef struct { void *clGetPlatformIDs; } cl_icd_dispatch;
END
echo 'int unw_step(void *cursor);' >unwind/include/libunwind.h
path=$PATH
export GDB=
with_gdb 'echo "Python scripting is not supported in this copy of GDB." >&2; exit 1'
PATH=$PWD/bin:$path
cached 'have no clSetContextDestructorCallback in cl_icd_dispatch: install those of OpenCL 3.0' \
    CPPFLAGS="-I$PWD/headers"
said 'gdb is no GDB with Python 3.8 and the events of GDB 12: .* name it by GDB=COMMAND$'
PATH=$path
rm cache
export LIBUNWIND_CFLAGS="-I$PWD/unwind/include" LIBUNWIND_LIBS=-lunwind
cached 'no libunwind with unw_backtrace: install it and its headers' GDB=no-such-gdb
said 'no no-such-gdb with Python 3.8 and the events of GDB 12: '
unset GDB LIBUNWIND_CFLAGS LIBUNWIND_LIBS

# A colon in the path of the sources hides autoconf's own files before this check.
mkdir 'a:colon' 'a blank'
cd 'a:colon'
refused "cannot build where .* move $PWD\$"
cd '../a blank'
refused "cannot build where .* move $PWD\$"
ln -s "$TOP_SRCDIR" source
mkdir ../empty
cd ../empty
configure='../a blank/source/configure'
refused 'cannot build where .* move .*/a blank/source$'

cd "$TOP_BUILDDIR"
rm -rf "$folder"
