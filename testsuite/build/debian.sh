#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The README's two commands on a fresh Debian: all that they need is installed by them into what
# debootstrap makes.  Once by a user who may use sudo, once by root, each from the beginning.
# usage: debian.sh RELEASE [USER]
#
# The output of the commands goes to check-long/RELEASE.tmp; the packages that were fetched stay in
# check-long/RELEASE.packages.  DEBIAN_MIRROR names another mirror than debootstrap's own.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

release=$1
case $release in
debian-12) suite=bookworm ;;
debian-13) suite=trixie ;;
sid) suite=sid ;;
*) echo "debian.sh: no release $release" >&2 && exit 2 ;;
esac
folder=$TOP_BUILDDIR/check-long/$release.tmp
archives=$TOP_BUILDDIR/check-long/$release.packages
root=$folder/root

skip() {
    echo "SKIP: $*"
    exit 77
}
fail() {
    echo "FAIL: $*"
    exit 1
}

# What is mounted below is gone with this process, and never in the way of `rm`.
if [ -z "${INSIDE-}" ]; then
    command -v debootstrap >/dev/null 2>&1 || skip "debootstrap is not installed"
    [ "$(id -u)" -eq 0 ] || skip "debootstrap needs root"
    unshare --mount true 2>/dev/null || skip "nothing can be mounted here"
    INSIDE=yes exec unshare --mount "${SHELL:-/bin/sh}" "$0" "$@"
fi

# in_root USER COMMAND...: run a command in the new system, in an environment of its own.
in_root() {
    name=$1
    shift
    chroot --userspec="$name" "$root" env -i HOME=/srv LANG=C.UTF-8 CI=true \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# Nothing of this machine may be mounted in the system that goes.
system_remove() {
    for mounted in proc sys dev var/cache/apt/archives; do
        if mountpoint -q "$root/$mounted"; then umount --recursive --lazy "$root/$mounted"; fi
    done
    rm -rf --one-file-system "$root"
}

# An empty system, with a user who may use sudo.
system_make() {
    system_remove
    # shellcheck disable=SC2086 # none or one
    debootstrap --variant=minbase --cache-dir="$archives" "$suite" "$root" ${DEBIAN_MIRROR-} \
        >"$folder/debootstrap.log" 2>&1 || {
        if grep -q 'Failed getting release file' "$folder/debootstrap.log"; then
            skip "Debian's archive cannot be reached"
        fi
        tail -n 25 "$folder/debootstrap.log"
        fail "debootstrap of $suite"
    }
    for mounted in proc sys dev; do mount --rbind "/$mounted" "$root/$mounted"; done
    mount --bind "$archives" "$root/var/cache/apt/archives"
    # A mirror may be some days behind.
    printf '%s\n' 'APT::Keep-Downloaded-Packages "true";' 'Acquire::Check-Valid-Until "false";' \
        >"$root/etc/apt/apt.conf.d/99check-long"
    cp /etc/resolv.conf "$root/etc/"
    {
        in_root root apt-get -q update
        in_root root apt-get -q -y install --no-install-recommends sudo
    } >"$folder/sudo.log" 2>&1 || { tail -n 25 "$folder/sudo.log" && fail "sudo in $suite"; }
    in_root root useradd --home-dir /srv tester
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
}

# The sources, as a release has them, without what the autotools make.
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

mkdir -p "$folder" "$archives"
for user in ${2:-tester root}; do
    system_make
    sources_copy "$user"
    run "$user" demo
    grep -q '^Live and core agree in every field' "$folder/$user-demo.log" ||
        fail "the demo by $user on $release does not say that live and core agree"
    run "$user" check
    passed=$(grep -c '^PASS: ' "$folder/$user-check.log") || fail "no test passed"
    echo "$release: $user: the demo is right, $passed tests passed"
    grep '^SKIP: ' "$folder/$user-check.log" | sed "s/^SKIP: /  skipped: /" || :
done
system_remove
