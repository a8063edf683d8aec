#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How `make check-long` tells what became of its parts, on four made-up ones in a repository of
# their own.
set -eu

runner=$TOP_SRCDIR/testsuite/build/parts.sh
folder=$TOP_BUILDDIR/testsuite/build/parts.tmp
rm -rf "$folder"
mkdir -p "$folder/tree/testsuite/build" "$folder/build"
cp "$TOP_SRCDIR/testsuite/build/check-skips.py" "$folder/tree/testsuite/build/"
echo 'check-long/cannot: no second machine' >"$folder/tree/testsuite/allowed-skips"
cat >"$folder/build/Makefile" <<'END'
check-good:
	@echo good was run
	@echo 'SKIP: testsuite/unit/one'
check-bad:
	@echo bad was run
	@false
check-cannot:
	@echo 'SKIP: no second machine'
	@exit 77
check-unlisted:
	@echo 'SKIP: nobody knows why'
END
cd "$folder/tree"
git init -q
git -c user.name=test -c user.email=test add .
git -c user.name=test -c user.email=test commit -q -m 'Begin'

# parts STATUS ARGUMENT...: check-long's runner, into the file output.
parts() {
    expected=$1
    shift
    status=0
    env TOP_SRCDIR="$folder/tree" TOP_BUILDDIR="$folder/build" \
        "${SHELL-/bin/sh}" "$runner" "$@" >"$folder/output" 2>&1 || status=$?
    if [ "$status" -ne "$expected" ]; then
        cat "$folder/output"
        echo "FAIL: parts.sh $*: status $status, not $expected"
        exit 1
    fi
}

# says TEXT: the output has it.
says() {
    if ! grep -q "$1" "$folder/output"; then
        cat "$folder/output"
        echo "FAIL: not said: $1"
        exit 1
    fi
}

parts 0 'good cannot'
says ' good passed in '
says ' cannot skipped in '
says '^SKIP: no second machine$'
parts 0 'good cannot'
says '^check-long: good: passed on .* before$'
says ' cannot skipped in '
parts 0 'good cannot' good
says ' good passed in '
parts 1 'bad good'
says ' bad failed in '
says '^bad was run$'
parts 1 'unlisted'
says 'does not allow: nobody knows why'
says ' unlisted failed in '
parts 2 'good' better
says '^check-long: no part better; there are: good$'
echo 'a change' >>"$folder/tree/testsuite/allowed-skips"
parts 0 'good'
says ' good passed in '
if [ "$(wc -l <"$folder/build/check-long/parts")" -ne 7 ]; then
    cat "$folder/build/check-long/parts"
    echo 'FAIL: not a line for each part that was run'
    exit 1
fi
cd "$TOP_BUILDDIR"
rm -rf "$folder"
