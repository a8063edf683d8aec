#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library as a vendor uses it: installed, found by pkg-config, compiled with gcc, clang and C++.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

folder=$TOP_BUILDDIR/testsuite/build/consumer.tmp
rm -rf "$folder"
mkdir -p "$folder"
pc=$(find "$TOP_BUILDDIR/testsuite/installed" -name ompd-opencl.pc)
prefix=${pc%/lib/pkgconfig/ompd-opencl.pc}
[ -f "$prefix/include/ompd-opencl.h" ] || { echo "no header below $prefix" && exit 1; }
export PKG_CONFIG_PATH="${pc%/*}"
# Only the prefix differs from that of a real installation.
flags() {
    pkg-config "--define-variable=prefix=$prefix" "$@" ompd-opencl
}
version=$(flags --modversion)

# The host library is installed where elfutils is; it needs the other one.
if [ -f "${pc%/*}/ompd-opencl-host.pc" ]; then
    # shellcheck disable=SC2046 # flags are words
    gcc -std=c11 -Wall -Wextra -Werror "$TOP_SRCDIR/testsuite/build/consumer-host.c" \
        -o "$folder/consumer-host" \
        $(pkg-config "--define-variable=prefix=$prefix" --cflags --libs ompd-opencl-host)
    LD_LIBRARY_PATH=$prefix/lib "$folder/consumer-host"
fi

# So does the view, from C and from C++.
for language in c c++; do
    compiler=gcc
    if [ $language = c++ ]; then
        compiler=g++
        command -v g++ >/dev/null || { echo "(no C++ in this gcc)" && continue; }
    fi
    # shellcheck disable=SC2046 # flags are words
    $compiler -x $language -Wall -Wextra -Werror "$TOP_SRCDIR/testsuite/build/consumer-view.c" \
        -x none -o "$folder/consumer-view" \
        $(pkg-config "--define-variable=prefix=$prefix" --cflags --libs ompd-opencl-view)
    said=$(LD_LIBRARY_PATH=$prefix/lib "$folder/consumer-view")
    for line in 'greeting' 'hello' '{"schema": 1, "greeting": "hello"}' 'List OpenCL contexts.'; do
        printf '%s\n' "$said" | grep -qxF "$line" || { echo "$language: no line $line" && exit 1; }
    done
done

# Archives, of the objects of the shared libraries: `pkg-config --static` names all that a program
# needs beside them.  What they need of others is archives, too, on Debian.
archives=$folder/archives
mkdir "$archives"
archive() {
    ar cr "$archives/lib$1.a" "$2"/*.o
    linker=$(sed -n 's/^LD = //p' "$TOP_BUILDDIR/Makefile") # libtool's, with options
    LD=$linker sh "$TOP_SRCDIR/libompd/static-archive.sh" "$archives/lib$1.a"
}
collect() { # the objects in the line $2 of the stamp, to the folder $1
    mkdir "$1"
    objects=$(sed -n "$2p" "$TOP_BUILDDIR/libompd/static-archives.stamp")
    for object in $objects; do
        path=$TOP_BUILDDIR/${object%/*}/.libs/${object##*/}
        cp "${path%.lo}.o" "$1/$(echo "${object%.lo}" | tr / -).o"
    done
}
link_static() { # SOURCE PACKAGE
    # shellcheck disable=SC2046
    gcc -Wall -Wextra -Werror -static "$1" -o "$folder/consumer-static" "-L$archives" \
        $(pkg-config "--define-variable=prefix=$prefix" --static --cflags --libs "$2") \
        2>"$folder/linker" || { cat "$folder/linker" && exit 1; }
    "$folder/consumer-static" >"$folder/said"
    echo "$2: linked with archives, and ran"
}
# shellcheck disable=SC2046
if echo 'int main(void) { return 0; }' | gcc -static -x c - -o "$folder/consumer-static" \
    $(pkg-config --static --libs libdw libpng libseccomp) >/dev/null 2>&1; then
    collect "$folder/objects" 1
    archive ompd-opencl "$folder/objects"
    link_static "$TOP_SRCDIR/testsuite/build/consumer.c" ompd-opencl
    mkdir "$folder/view"
    (cd "$folder/view" && ar x "$TOP_BUILDDIR/view/.libs/libview.a")
    archive ompd-opencl-view "$folder/view"
    link_static "$TOP_SRCDIR/testsuite/build/consumer-view.c" ompd-opencl-view
    if [ -f "${pc%/*}/ompd-opencl-host.pc" ]; then
        collect "$folder/host" 2
        archive ompd-opencl-host "$folder/host"
        link_static "$TOP_SRCDIR/testsuite/build/consumer-host.c" ompd-opencl-host
    fi
else
    echo "SKIP: libdw, libpng and libseccomp have no archives"
fi

cat >"$folder/release.cc" <<'END'
#ifdef OTHER_FIRST
#include <omp-tools.h>
#endif
#include <ompd-opencl.h>
int main()
{
    uint32_t major, minor;
    return ompd_rel_address_space_handle(nullptr) == ompd_rc_bad_input &&
           ompd_cl_version_get(&major, &minor) == ompd_rc_ok ? 0 : 1;
}
END
other_headers=
for header in /usr/lib*/llvm-*/lib/clang/*/include/omp-tools.h \
    "$TOP_BUILDDIR"/packages/*/usr/lib/llvm-*/lib/clang/*/include/omp-tools.h; do
    [ ! -f "$header" ] || other_headers="$other_headers ${header%/*}"
done
[ -n "$other_headers" ] || echo "SKIP: LLVM's omp-tools.h is not installed"

compilers=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "SKIP: $compiler is not installed" && continue; }
    # shellcheck disable=SC2046 # flags are words
    $compiler -std=c11 -Wall -Wextra -Werror "$TOP_SRCDIR/testsuite/build/consumer.c" \
        $(flags --cflags) $(flags --libs) -o "$folder/consumer-$compiler"
    said=$(LD_LIBRARY_PATH=$prefix/lib "$folder/consumer-$compiler")
    case $version in
    "$said" | "$said".*) ;;
    *) echo "$compiler: the library says version $said, pkg-config $version" && exit 1 ;;
    esac
    # An entry point of OMPD and a function of ours from C++, also where LLVM's header, which before
    # LLVM 15 declares the entry points with the linkage of C++, came first.
    for first in -DALONE $other_headers; do
        if [ $compiler = gcc ] && ! command -v g++ >/dev/null; then
            echo "(no C++ in this gcc)" && break
        fi
        case $first in -D*) ;; *) first="-DOTHER_FIRST -idirafter $first" ;; esac
        # shellcheck disable=SC2046,SC2086
        $compiler -std=c++17 -Wall -Wextra -Werror "$folder/release.cc" $first \
            $(flags --cflags) $(flags --libs) -o "$folder/release-$compiler"
        LD_LIBRARY_PATH=$prefix/lib "$folder/release-$compiler"
        echo "$compiler, C++, $first: linked and ran"
    done
    # Callbacks of C++ may throw.
    if [ $compiler = clang ] || command -v g++ >/dev/null; then
        source=$TOP_SRCDIR/testsuite/build/consumer-throws.cc
        # shellcheck disable=SC2046
        $compiler -std=c++17 -Wall -Wextra -Werror "$source" $(flags --cflags) \
            $(flags --libs) -lstdc++ -o "$folder/throws-$compiler"
        LD_LIBRARY_PATH=$prefix/lib "$folder/throws-$compiler"
    fi
    # The guide's example is C that compiles.
    sed -n '/^<!-- compiled -->$/,/^```$/p' "$TOP_SRCDIR/doc/guide-vendors.md" |
        sed -e '/^<!--/d' -e '/^```/d' >"$folder/guide.c"
    grep -q ompd_cl_memobj_list_next "$folder/guide.c"
    # shellcheck disable=SC2046
    $compiler -std=c11 -Wall -Wextra -Werror -fsyntax-only $(flags --cflags) "$folder/guide.c"
    compilers=$((compilers + 1))
done
rm -rf "$folder"
[ $compilers -gt 0 ]
