#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How `make check-long` reports which parts are due and their results, tested with fake parts in
# their own repository.
set -eu

# The interpreter itself, because a shim that selects one takes longer than the scripts here.
PYTHON=$("$PYTHON" -c 'import sys; print(sys.executable)')
export PYTHON
runner=$TOP_SRCDIR/testsuite/build/parts.sh
folder=$TOP_BUILDDIR/testsuite/build/parts.tmp
rm -rf "$folder"
mkdir -p "$folder/tree/testsuite/build" "$folder/tree/view" "$folder/tree/host" "$folder/build"
for script in check-skips.py due_parts.py git_changes.py; do
    cp "$TOP_SRCDIR/testsuite/build/$script" "$folder/tree/testsuite/build/"
done
touch "$folder/tree/view/row.c" "$folder/tree/host/core.c"
for part in good bad cannot unlisted; do
    printf '[%s]\nminutes = 2\nrooms = view\nproves = It is %s.\n' $part $part
done >"$folder/tree/testsuite/build/parts.ini"
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
# commit SUBJECT: all that there is.
commit() {
    git add .
    git -c user.name=test -c user.email=test commit -q -m "$1"
}
git init -q
commit 'Begin'

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

# says_not TEXT: the output does not have it.
says_not() {
    if grep -q "$1" "$folder/output"; then
        cat "$folder/output"
        echo "FAIL: said: $1"
        exit 1
    fi
}

parts 0 'good cannot'
says '^good  *2  yes  never  *-$'
says '^check-long: 2 of 2 parts are due, about 4 minutes$'
says '^check-long: good: about 2 min; It is good.$'
says ' good passed in '
says ' cannot skipped in '
says '^SKIP: no second machine$'
parts 0 'good cannot' list
says '^good  *2  no  '
says '^cannot  *2  yes  '
says_not ' skipped in '
parts 0 'good'
says '^check-long: 0 of 1 parts are due, about 0 minutes$'
says_not ' good passed in '
parts 0 'good cannot' all
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

# Uncommitted changes are tested each time they touch a room.
echo 'a change' >>"$folder/tree/view/row.c"
parts 0 'good'
says '^good  *2  yes  .*  view$'
says ' good passed in .*-dirty$'

# A release has no history.
mv .git "$folder/history"
parts 0 'good'
says '^good  *2  yes  '
says ' good passed in .* release$'
if [ "$(wc -l <"$folder/build/check-long/parts")" -ne 8 ]; then
    cat "$folder/build/check-long/parts"
    echo 'FAIL: not a line for each part that was run'
    exit 1
fi
cd "$TOP_BUILDDIR"
rm -rf "$folder"
