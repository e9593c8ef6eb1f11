#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sizes: a file at most 600 lines, a function at most 80, main at most 40, at most 5 parameters.
# Every source file carries an SPDX line.
set -eu
cd "${1:-.}"
bad=0
for f in $(find src tests -name '*.[ch]' | sort); do
    n=$(wc -l <"$f")
    # The public header is the library's manual and stays one file.
    if [ "$n" -gt 600 ] && [ "$f" != src/saltkey/saltkey.h ]; then echo "$f: $n lines (at most 600)"; bad=1; fi
    head -n 3 "$f" | grep -q SPDX-License-Identifier || { echo "$f: no SPDX line"; bad=1; }
done
ctags=${CTAGS:-ctags}
if "$ctags" --version 2>/dev/null | grep -q Universal; then
    # shellcheck disable=SC2046
    sizes=$("$ctags" --kinds-c=f --fields=+neS -f - $(find src -name '*.c' | sort) |
        awk -F'\t' '{
            line = 0; end = 0; sig = ""
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) line = substr($i, 6)
                if ($i ~ /^end:/) end = substr($i, 5)
                if ($i ~ /^signature:/) sig = substr($i, 11)
            }
            len = end - line + 1; most = ($1 == "main") ? 40 : 80
            if (end && len > most) printf "%s:%d: %s has %d lines (at most %d)\n", $2, line, $1, len, most
            commas = gsub(/,/, ",", sig)
            if (commas > 4) printf "%s:%d: %s has %d parameters (at most 5)\n", $2, line, $1, commas + 1
        }')
    if [ -n "$sizes" ]; then echo "$sizes"; bad=1; fi
else
    echo "check-style: universal-ctags is missing, function sizes were not looked at"
    bad=1
fi
[ $bad = 0 ] && echo "check-style: sizes and licences hold"
exit $bad
