#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a database of SQLite of all lines below a folder of results, by schema.sql.
# usage: make-table.sh RESULTS DATABASE
#
# An old DATABASE is replaced once the new one is complete.
set -eu

[ $# -eq 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
here=$(dirname -- "$0")
results=$(cd "$1" && pwd -P)
partial=$(mktemp "$2.XXXXXX")
trap 'rm -f "$partial" "$partial-journal" "$partial.lines"' EXIT
trap 'exit 143' HUP INT TERM

# The last line of a file may be incomplete; end it, so that it stays separate from the next file.
find "$results" -name '*.jsonl' ! -name '.*' -type f -exec awk 1 {} + >"$partial.lines"
sqlite3 -bail "$partial" <"$here/schema.sql"
sqlite3 -bail "$partial" '.mode ascii' '.separator "\037" "\n"' \
    '.import /dev/stdin verdict_line' <"$partial.lines"
# .import does not report a full disk.
lines=$(sqlite3 "$partial" 'SELECT COUNT(*) FROM verdict_line')
if [ "$lines" -ne "$(wc -l <"$partial.lines")" ]; then
    echo "${0##*/}: not all lines could be written: $2 is as it was" >&2
    exit 1
fi
chmod a+r "$partial"
mv "$partial" "$2"
