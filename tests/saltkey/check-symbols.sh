#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The shared library exports saltkey_* only, each of them declared in the header; the static one
# defines no other global name.
set -eu
src=${srcdir:-.}
so=.libs/libsaltkey.so
a=.libs/libsaltkey.a
if [ ! -f $so ]; then
    echo "no shared library in this build"
    exit 77
fi
if nm $so | grep -q '__asan\|__ubsan\|__gcov\|__sanitizer'; then
    echo "instrumented build"
    exit 77
fi
bad=0
names=$(nm -D --defined-only $so | awk '{print $3}')
for name in $names; do
    case $name in
    saltkey__*) echo "$name: internal, but exported"; bad=1 ;;
    saltkey_*) grep -q "$name(" "$src/src/saltkey/saltkey.h" || { echo "$name: not in saltkey.h"; bad=1; } ;;
    _init | _fini) ;;
    *) echo "$name: not the library's"; bad=1 ;;
    esac
done
# shellcheck disable=SC2013
for name in $(sed -n 's/^[a-z].*[ *]\(saltkey_[a-z0-9_]*\)(.*/\1/p' "$src/src/saltkey/saltkey.h" | grep -v '^static'); do
    grep -q "^static inline.* \**$name(" "$src/src/saltkey/saltkey.h" && continue
    echo "$names" | grep -qx "$name" || { echo "$name: declared, but not exported"; bad=1; }
done
if [ -f $a ]; then
    for name in $(nm -g --defined-only $a 2>/dev/null | awk 'NF == 3 {print $3}'); do
        case $name in
        saltkey_*) ;;
        *) echo "$name: global in the static library"; bad=1 ;;
        esac
    done
fi
[ $bad = 0 ] && echo "$(echo "$names" | wc -l) names, all saltkey_*"
exit $bad
