#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the Debian packages from a release, as a user on a system with only the build dependencies.
# Checks them with lintian, installs them on another system, uses them and removes them.
# usage: packages.sh RELEASE
#
# The packages and all output go to check-long/packages-RELEASE.tmp.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

release=$1
folder=$TOP_BUILDDIR/check-long/packages-$release.tmp
archives=$TOP_BUILDDIR/check-long/$release.packages
root=$folder/root
# shellcheck source=testsuite/build/debian-system.sh
. "$TOP_SRCDIR/testsuite/build/debian-system.sh"
suite_of "$release" >/dev/null
inside_mounts "$0" "$@"

# run USER NAME COMMAND: a shell command in /srv, whose output goes to NAME.log.
run() {
    in_root "$1" sh -c "cd /srv && $3" >"$folder/$2.log" 2>&1 </dev/null || {
        tail -n 40 "$folder/$2.log"
        fail "$2 on $release: all of its output is in $folder/$2.log"
    }
}

# says NAME PATTERN: the output of `run` has such a line.
says() {
    grep -q -e "$2" "$folder/$1.log" || fail "not in $folder/$1.log: $2"
}

# A user makes a release and its packages.
build() {
    tar=$(basename "$1")
    source=${tar%.tar.xz}
    system_make build-essential lintian
    # The demo needs more packages than the build, so they are installed after it.
    cp "$1" "$root/srv/"
    tar -C "$root/srv" -xf "$1" "$source/packaging"
    cp -R "$root/srv/$source/packaging/debian" "$root/srv/$source/debian"
    run root build-needs "apt-get -q -y --no-install-recommends build-dep ./$source"
    mv "$root/srv/$source/packaging" "$root/srv/"
    rm -rf "$root/srv/$source"
    in_root root chown -R tester /srv
    run tester build "packaging/build-debian.sh $tar packages"
    run tester lintian "lintian --info --fail-on error,warning packages/*.changes"
    run tester index 'cd packages && dpkg-scanpackages --multiversion . >Packages'
    run root demo-needs 'apt-get -q -y --no-install-recommends install ocl-icd-opencl-dev'
    run tester demo-program "cd packages/$source/testsuite/programs/demo &&
        gcc -g -o /srv/packages/edges edges.c callbacks.c picture.c -lOpenCL -lm"
    mv "$root/srv/packages" "$folder/packages"
}

# The packages on a system that has a runtime, as a program's user has it, and nothing to build.
install() {
    system_make ocl-icd-libopencl1 pocl-opencl-icd
    cp -R "$folder/packages" "$root/srv/"
    in_root root chown -R tester /srv
    echo 'deb [trusted=yes] file:/srv/packages ./' >"$root/etc/apt/sources.list.d/packages.list"
    run root update 'apt-get -q update'
    install='apt-get -q -y --no-install-recommends install'

    run root install-gdb "$install ./packages/ompd-opencl-gdb_*.deb"
    for user in tester root; do
        run "$user" "unprepared-$user" "packages/$source/debian/tests/unprepared packages/edges"
        says "unprepared-$user" 'GDB has loaded the commands by itself'
    done
    run tester script "python3 -c '
import ompd_opencl
try:
    ompd_opencl.open_core(\"/dev/null\")
except ompd_opencl.TargetError as error:
    print(\"refused:\", error)'"
    says script '^refused: '

    run root install-command "$install ompd-opencl"
    run tester layouts 'ompd-opencl layouts; ompd-opencl --version'
    says layouts 'Portable Computing Language'
    ! in_root tester sh -c 'command -v gcc' >/dev/null || fail "a package asks for a compiler"

    needs=$(sed -n '/^Depends:/,/^[A-Z].*:/{s/^Depends://;/^[A-Z]/d;s/,//g;p}' \
        "$folder/packages/$source/debian/tests/control" | tr -s ' \n' ' ')
    run root install-lldb "$install ompd-opencl-lldb"
    run tester lldb "\$(ls /usr/bin/lldb* | grep -E '/lldb(-[0-9]+)?\$' | tail -n 1) -b \
        -o 'command script import /usr/share/ompd-opencl/lldb/ompd_opencl_lldb' -o 'help opencl'"
    says lldb ' memobjs  *-- '
    run root install-rest "$install $needs libompd-opencl-dev pkgconf libdw-dev"
    for test in demo unprepared; do
        run tester "autopkgtest-$test" "cd packages/$source && debian/tests/$test"
    done
    run tester example "cd /usr/share/doc/libompd-opencl-dev/examples && gcc -o /srv/commands \
        commands.c \$(pkg-config --cflags --libs ompd-opencl-view ompd-opencl-host) &&
        /srv/commands /dev/null memobjs; test \$? -eq 3"
}

# No file of the packages is left, and no process.
purge() {
    ours=$(sed -n 's/^Package: //p' "$folder/packages/$source/debian/control" | tr '\n' ' ')
    run root purge "apt-get -q -y purge $ours"
    left=$(find "$root" -xdev -path '*ompd*opencl*' -o -path '*/gdb/auto-load/*/libOpenCL*' |
        grep -v -e "^$root/srv/" -e "^$root/var/lib/apt/lists/" -e "^$root/var/cache/") || :
    [ -z "$left" ] || fail "left behind by purge: $left"
}

system_remove
rm -rf "$folder"
mkdir -p "$folder" "$archives"
$MAKE -s -C "$TOP_BUILDDIR" dist >"$folder/dist.log" 2>&1 ||
    { tail -n 25 "$folder/dist.log" && fail "make dist"; }
build "$(ls "$TOP_BUILDDIR"/ompd-opencl-*.tar.xz)"
install
purge
system_remove
count=$(find "$folder/packages" -maxdepth 1 -name '*.deb' ! -name '*-dbgsym_*' | wc -l)
echo "$release: $count packages are built, used and taken away"
