#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages: nothing for mandoc to complain about, and the generated parts are those that the
# program's tables and the header give now (`make manpages` makes them anew).
set -eu
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
for page in saltplan.1 saltplan.5 saltkey.3; do
    sh "$srcdir/doc/manpages.sh" "$program" "$srcdir/doc/$page" >"$tmp/$page"
    diff -u "$srcdir/doc/$page" "$tmp/$page" || {
        echo "doc/$page is stale: make manpages"
        failed=1
    }
    [ "$(wc -l <"$tmp/$page")" -gt 100 ] || failed=1
    if command -v mandoc >/dev/null 2>&1; then
        # Whether other pages are installed is no matter here.
        if mandoc -Tlint "$tmp/$page" | grep -v 'referenced manual not found'; then
            failed=1
        fi
        mandoc -Tutf8 "$tmp/$page" >/dev/null
    fi
done
for command in $("$program" completion bash | sed -n "s/.*words='\(.*\) --help --version'.*/\1/p"); do
    grep -q "^\.Ss saltplan $command\$" "$tmp/saltplan.1" || {
        echo "saltplan.1 lacks the command $command"
        failed=1
    }
done
exit $failed
