# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh disable=SC2154
# Functions for scripts that test on a fresh Debian system, made by debootstrap.  A script sets
# `release`, `folder` (for logs), `archives` (for fetched packages) and `root`.  DEBIAN_MIRROR
# overrides debootstrap's mirror.

skip() {
    echo "SKIP: $*"
    exit 77
}
fail() {
    echo "FAIL: $*"
    exit 1
}

# inside_mounts SCRIPT ARGUMENT...: run SCRIPT in a mount namespace.  Its mounts end with this
# process, and never block `rm`.
inside_mounts() {
    [ -z "${INSIDE-}" ] || return 0
    command -v debootstrap >/dev/null 2>&1 || skip "debootstrap is not installed"
    [ "$(id -u)" -eq 0 ] || skip "debootstrap needs root"
    unshare --mount true 2>/dev/null || skip "nothing can be mounted here"
    INSIDE=yes exec unshare --mount "${SHELL:-/bin/sh}" "$@"
}

# suite_of RELEASE: Debian's name for it.
suite_of() {
    case $1 in
    debian-12) echo bookworm ;;
    debian-13) echo trixie ;;
    sid) echo sid ;;
    *) echo "$0: no release $1" >&2 && exit 2 ;;
    esac
}

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

# system_make PACKAGE...: an empty system with these packages, and a user `tester`.
system_make() {
    system_remove
    # shellcheck disable=SC2086 # none or one
    debootstrap --variant=minbase --cache-dir="$archives" "$(suite_of "$release")" "$root" \
        ${DEBIAN_MIRROR-} >"$folder/debootstrap.log" 2>&1 || {
        if grep -q 'Failed getting release file' "$folder/debootstrap.log"; then
            skip "Debian's archive cannot be reached"
        fi
        tail -n 25 "$folder/debootstrap.log"
        fail "debootstrap of $release"
    }
    for mounted in proc sys dev; do mount --rbind "/$mounted" "$root/$mounted"; done
    mount --bind "$archives" "$root/var/cache/apt/archives"
    # A mirror may be some days behind.
    printf '%s\n' 'APT::Keep-Downloaded-Packages "true";' 'Acquire::Check-Valid-Until "false";' \
        >"$root/etc/apt/apt.conf.d/99check-long"
    cp /etc/resolv.conf "$root/etc/"
    in_root root apt-get -q update >"$folder/packages.log" 2>&1 ||
        { tail -n 25 "$folder/packages.log" && fail "apt-get update in $release"; }
    if [ $# -gt 0 ]; then system_install "$@"; fi
    in_root root useradd --home-dir /srv tester
}

# system_install PACKAGE...: install packages with their dependencies only.
system_install() {
    in_root root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install \
        --no-install-recommends "$@" >"$folder/packages.log" 2>&1 ||
        { tail -n 25 "$folder/packages.log" && fail "in $release, packages $*"; }
}
