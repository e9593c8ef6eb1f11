#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each header compiles alone; the public one also as C++.
# Usage: check-headers.sh SRCDIR BUILDDIR FLAGS...
set -eu
src=$(cd "$1" && pwd)
build=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
for h in $(find "$src/src" -name '*.h' | sort); do
    printf '#include "%s"\nint check_headers_dummy;\n' "$h" >"$tmp/h.c"
    ${CC:-cc} -std=c11 "$@" -I"$build" -Wno-missing-variable-declarations -fsyntax-only "$tmp/h.c" || {
        echo "$h does not compile alone"
        exit 1
    }
    n=$((n + 1))
done
if command -v c++ >/dev/null 2>&1; then
    printf '#include "%s"\nint main() { return saltkey_version() ? 0 : 1; }\n' "$src/src/saltkey/saltkey.h" >"$tmp/h.cc"
    c++ -fsyntax-only -Wall -Werror "$tmp/h.cc"
fi
echo "check-headers: $n headers compile alone"
