#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole tree, tests too, with clang and -Werror.
set -eu
mkdir -p build-clang && cd build-clang
[ -f Makefile ] || ../configure -q CC=clang --enable-werror
make -s -j"$(nproc)"
make -s -j"$(nproc)" check TESTS=
