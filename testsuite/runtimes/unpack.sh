#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Unpacks packages of a release of Debian, with all that they depend on, in a folder of their own:
# the system stays as it is.
# usage: unpack.sh RELEASE[/ARCHITECTURE] FOLDER PACKAGE...
#
# FOLDER/root has the files.  FOLDER/loader names the dynamic loader that programs of this machine
# are to be run by, and the folders of its libraries; without a C library among the packages there
# is none.  What was fetched before is kept, and asked for anew each time:
# sid is another every day.  Without root's rights it works too.
set -eu

release=${1%/*}
architecture=amd64
case $1 in */*) architecture=${1#*/} ;; esac
folder=$2
shift 2

# The mirror is the one that this machine's own packages come from.
# shellcheck disable=SC2016 # apt-get expands what is in the quotes
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 2>/dev/null |
    sed -n 's/^Debian //p' | grep -v security | head -n 1)
[ -n "$mirror" ] || { echo "this machine's packages come from no mirror of Debian" >&2 && exit 1; }

mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
cd "$folder"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" \
    >apt/sources.list

# No package is installed there, so that all that is needed is fetched.  apt-get has its locks
# beside the list of those, each folder its own.
: >apt/status
apt_get() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o APT::Sandbox::User="$(id -un)" \
        -o Dir::State="$PWD/apt" -o Dir::State::status="$PWD/apt/status" -o Dir::Cache="$PWD/apt" \
        -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
        -o Acquire::Languages=none -o APT::Install-Recommends=false "$@"
}

# The C library's version, as "2.36", of the packages.
libc_of_release() {
    for archive in apt/archives/libc6_*.deb; do
        dpkg-deb --field "$archive" Version | sed 's/-.*//'
    done
}

# Programs that were built here need the newer one of the two C libraries.
write_loader() {
    [ -n "$(find apt/archives -name 'libc6_*_amd64.deb')" ] || return 0
    own=$(getconf GNU_LIBC_VERSION | sed 's/.* //')
    if dpkg --compare-versions "$(libc_of_release)" lt "$own"; then
        for archive in apt/archives/libc6_*.deb; do
            dpkg-deb --contents "$archive" | sed -n 's|.* \./\(.*\.so[.0-9]*\)$|root/\1|p' |
                while read -r file; do rm -f "$file"; done
        done
        loader=/lib64/ld-linux-x86-64.so.2
    else
        loader=$(find "$PWD/root" -type f -name ld-linux-x86-64.so.2 | sort | tail -n 1)
    fi
    libraries=
    for libraries_of in usr/lib/x86_64-linux-gnu lib/x86_64-linux-gnu usr/lib/oclgrind; do
        libraries=$libraries${libraries:+:}$PWD/root/$libraries_of
    done
    printf '%s\n' "$loader" "$libraries" >loader.partial
    mv loader.partial loader
}

apt_get update || echo "apt-get update failed; going on with the lists there are"
apt_get --download-only -y install "$@"
apt_get autoclean # archives that the release no longer has
(cd apt/archives && ls -- *.deb) >wanted
if ! cmp -s wanted unpacked; then
    rm -rf root loader unpacked
    mkdir root
    for archive in apt/archives/*.deb; do dpkg-deb --extract "$archive" root; done
    # As in an installed system, and in packages since Debian 13.
    if [ -d root/usr/lib ] && [ -d root/lib ]; then
        cp -a root/lib/. root/usr/lib
        rm -r root/lib
    fi
    if [ -d root/usr/lib ]; then ln -s usr/lib root/lib; fi
    write_loader
    mv wanted unpacked
fi
