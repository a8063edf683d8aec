#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library for debuggers on Windows, built with mingw-w64: a DLL that exports only public names
# and imports only what law 1 allows.  Programs in C and C++ use the installed library, and run if
# Wine is installed.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

machine=x86_64-w64-mingw32
folder=$TOP_BUILDDIR/check-long/windows
if ! command -v $machine-gcc >/dev/null; then
    echo "SKIP: mingw-w64's compiler is not installed"
    exit 77
fi
fail() {
    echo "FAIL: $*"
    exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$TOP_SRCDIR/configure" -q --enable-werror --host=$machine CC_FOR_BUILD=cc --prefix=/ompd
$MAKE -s -j2 >build.log
$MAKE -s install DESTDIR="$folder/installed" >install.log 2>&1
prefix=$folder/installed/ompd
library=$prefix/bin/libompd-opencl-0.dll
[ -f "$library" ] || fail "no DLL is installed"
[ ! -e "$prefix/bin/ompd-opencl" ] || fail "what needs Linux is installed"

sed -n 's/^ *\(ompd_[a-z_]*\);$/\1/p' "$TOP_SRCDIR/libompd/libompd-opencl.map" | sort >public
[ "$(wc -l <public)" -gt 5 ] || fail "no names are found in the version script"
$machine-objdump -p "$library" |
    awk '/Ordinal\/Name Pointer/ { inside = 1; next } /^$/ { inside = 0 } inside { print $NF }' |
    sort >exported
diff public exported || fail "the DLL exports other names than the version script"

$machine-objdump -p "$library" | sed -n '/DLL Name/,/^$/s/^.*[0-9]  *\([A-Za-z_]*\) *$/\1/p' |
    sort -u >imported
[ -s imported ] || fail "the DLL imports nothing"
if grep -vxE 'mem(cpy|move|set|cmp|chr)|str(len|n?cmp)' imported; then
    fail "the DLL imports what the heap law does not allow"
fi

flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --define-variable=prefix="$prefix" \
    --cflags --libs ompd-opencl)
# shellcheck disable=SC2086 # words
$machine-gcc -std=c11 -Wall -Wextra -Werror "$TOP_SRCDIR/testsuite/build/consumer.c" $flags \
    -o "$prefix/bin/consumer.exe"
programs=consumer
if command -v $machine-g++ >/dev/null; then
    # shellcheck disable=SC2086
    $machine-g++ -static -std=c++17 -Wall -Wextra -Werror \
        "$TOP_SRCDIR/testsuite/build/consumer-throws.cc" -Wl,-Bdynamic $flags -Wl,-Bstatic \
        -o "$prefix/bin/throws.exe"
    programs="consumer throws"
fi

wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2>/dev/null) || wine=
for program in $programs; do
    if [ -n "$wine" ]; then
        WINEPREFIX=$folder/wine WINEDEBUG=-all "$wine" "$prefix/bin/$program.exe" ||
            fail "$program.exe ended with status $?"
        echo "$program.exe ran"
    else
        echo "$program.exe is built, and was not run: there is no Wine"
    fi
done
echo "the DLL exports $(wc -l <exported) names and imports $(wc -l <imported)"
