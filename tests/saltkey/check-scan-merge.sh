#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The example program: rows of salted files in natural order, a limit, descending, bad input named.
set -eu
prog=$(pwd)/src/saltkey/examples/scan-merge
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
printf '%s\n' '\x00a' '\x00d' >b0
printf '%s\n' '\x01b' '\x01c\xFF' '\x01e' >b1
: >b2
"$prog" b0 b1 b2 >out
printf '%s\n' '\x00a' '\x01b' '\x01c\xFF' '\x00d' '\x01e' | cmp - out
"$prog" -n 2 b0 b1 | wc -l | grep -qx ' *2'
printf '%s\n' '\x01z' '\x01b' >down1
printf '%s\n' '\x00c' >down0
"$prog" -r down0 down1 >out
printf '%s\n' '\x01z' '\x00c' '\x01b' | cmp - out
printf '%s\n' '00_b' '00_d' >t0
printf '%s\n' '100_a' '100_c' >t1
"$prog" -d _ t0 t1 >out
printf '%s\n' '100_a' '00_b' '100_c' '00_d' | cmp - out
if "$prog" down1 2>err >/dev/null; then echo "unsorted input was taken"; exit 1; fi
grep -q '^scan-merge: down1:2: row sorts before' err
printf '%s\n' 'a\xab' >lower
if "$prog" lower 2>err >/dev/null; then echo "a lower-case escape was taken"; exit 1; fi
grep -q '^scan-merge: lower:1: HBase reads upper-case' err
if "$prog" nowhere 2>err; then echo "a missing file was taken"; exit 1; fi
grep -q '^scan-merge: nowhere: ' err
