#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the README's two commands on a fresh Debian system made by debootstrap, where they install
# everything that they need: once as a user who may use sudo, and once as root.  Then runs the part
# kernel-cores of check-long with the release's own C library and runtime.
# usage: debian.sh RELEASE [USER]
#
# The output of the commands goes to check-long/RELEASE.tmp.  Fetched packages stay in
# check-long/RELEASE.packages.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

release=$1
folder=$TOP_BUILDDIR/check-long/$release.tmp
archives=$TOP_BUILDDIR/check-long/$release.packages
root=$folder/root
# shellcheck source=testsuite/build/debian-system.sh
. "$TOP_SRCDIR/testsuite/build/debian-system.sh"
suite_of "$release" >/dev/null
inside_mounts "$0" "$@"

# The sources as in a release, without the files of the autotools.
sources_copy() {
    $MAKE -s -C "$TOP_BUILDDIR" distdir distdir="$root/srv/ompd-opencl" >"$folder/sources.log" 2>&1
    rm "$root/srv/ompd-opencl/configure" "$root/srv/ompd-opencl/Makefile.in"
    in_root root chown -R "$1" /srv
}

# run USER COMMAND: `./bootstrap COMMAND`, whose output is kept.
run() {
    log=$folder/$1-$2.log
    in_root "$1" sh -c "cd /srv/ompd-opencl && ./bootstrap $2" >"$log" 2>&1 </dev/null || {
        sed 's/^/  /' "$log" | grep -v '^  PASS' | tail -n 40
        keep_logs "$1"
        fail "./bootstrap $2 by $1 on $release: all of its output is in $log"
    }
}

# keep_logs USER: those of the tests that failed outlive the system.
keep_logs() {
    if [ -f "$root/srv/ompd-opencl/build/test-suite.log" ]; then
        cp "$root/srv/ompd-opencl/build/test-suite.log" "$folder/$1-test-suite.log"
    fi
}

# kernel_cores USER: in the system that is there, for which `./bootstrap check` has built.
kernel_cores() {
    log=$folder/$1-kernel-cores.log
    in_root "$1" make -s -C /srv/ompd-opencl/build check-long PART=kernel-cores \
        >"$log" 2>&1 </dev/null || {
        tail -n 40 "$log"
        fail "kernel-cores by $1 on $release: all of its output is in $log"
    }
    tail -n 1 "$log" | sed "s/^check-long: /$release: /"
}

mkdir -p "$folder" "$archives"
for user in ${2:-tester root}; do
    system_make sudo
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
    sources_copy "$user"
    run "$user" demo
    grep -q '^Live and core agree in every field' "$folder/$user-demo.log" ||
        fail "the demo by $user on $release does not say that live and core agree"
    run "$user" check
    passed=$(grep -c '^PASS: ' "$folder/$user-check.log") || fail "no test passed"
    echo "$release: $user: the demo is right, $passed tests passed"
    grep '^SKIP: ' "$folder/$user-check.log" | sed "s/^SKIP: /  skipped: /" || :
done
kernel_cores "$user"
system_remove
