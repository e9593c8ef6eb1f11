#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the library alone into a new directory, then builds a program outside the tree from what
# is there, with pkg-config only, as C and as C++, shared and static, and runs it.
set -eu
src=${srcdir:-.}
src=$(cd "$src" && pwd)
if nm .libs/libsaltkey.so 2>/dev/null | grep -q '__asan\|__ubsan\|__gcov\|__sanitizer'; then
    echo "instrumented build: nothing to install"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
${MAKE:-make} install-libLTLIBRARIES install-includeHEADERS install-pkgconfigDATA \
    prefix="$tmp/usr" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
pc=$(dirname "$(find "$tmp/usr" -name saltkey.pc)")
lib=$(dirname "$pc")
flags() {
    PKG_CONFIG_PATH=$pc ${PKG_CONFIG:-pkg-config} --define-variable=prefix="$tmp/usr" "$@" saltkey
}
cd "$tmp"
cp "$src/tests/saltkey/outside.c" outside.c
# shellcheck disable=SC2046
${CC:-cc} -Wall -Wextra -Werror -o as-c outside.c $(flags --cflags --libs)
LD_LIBRARY_PATH=$lib ./as-c
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    # shellcheck disable=SC2046
    ${CXX:-c++} -Wall -Wextra -Werror -x c++ outside.c -x none -o as-cxx $(flags --cflags --libs)
    LD_LIBRARY_PATH=$lib ./as-cxx
fi
if [ -f "$lib/libsaltkey.a" ]; then
    # shellcheck disable=SC2046
    ${CC:-cc} -o static outside.c $(flags --cflags) "$lib/libsaltkey.a" $(flags --libs --static | sed 's/-lsaltkey//')
    ./static
fi
