#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page that `saltplan report` makes is valid HTML, as tidy judges it. Skipped where tidy is missing.
set -eu
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
command -v tidy >/dev/null 2>&1 || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$program" sim "$srcdir/scenarios/iot-telemetry.ini" --duration 5m -o "$dir/out" >"$dir/report.txt"
path=$("$program" report "$dir/out")
[ "$path" = "$dir/out/report.html" ] || {
    echo "report printed '$path'"
    exit 1
}
tidy -q -e "$path" || {
    echo "tidy complains about $path"
    exit 1
}
"$program" report "$dir/out/result.json" -o - | cmp - "$path"
"$program" report "$dir/out" --text | cmp - "$dir/report.txt"
for word in '<script' 'http:' 'https:' ' src='; do
    if grep -q "$word" "$path"; then
        echo "the page refers to something outside: $word"
        exit 1
    fi
done
if "$program" report "$dir/nothing" 2>"$dir/message"; then
    echo "a missing result was no failure"
    exit 1
else
    [ $? = 3 ]
fi
grep -q 'nothing' "$dir/message"
