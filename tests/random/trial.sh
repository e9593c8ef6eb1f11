#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A planted off-by-one in the split key: found within 1,000 seeds, and shown again by the INI that is printed.
set -eu
program=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
first=1
while [ "$first" -le 1000 ]; do
    SALTPLAN_TRIAL=1 "$program" "$first" 10 >"$tmp/out" 2>"$tmp/err" || true
    grep -q ' fails: ' "$tmp/err" && break
    first=$((first + 10))
done
grep ' fails: ' "$tmp/err" | head -n 1 || {
    echo "not found within 1,000 seeds"
    exit 1
}
sed -n '/^; /,$p' "$tmp/out" | awk '/^; / && !/^; drawn/ && n++ { exit } /^reached:/ { exit } { print }' >"$tmp/found.ini"
cat "$tmp/found.ini"
if SALTPLAN_TRIAL=1 "$program" "$tmp/found.ini"; then
    echo "the INI doesn't show it"
    exit 1
fi
"$program" "$tmp/found.ini"
