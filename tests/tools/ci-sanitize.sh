#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All test programs under AddressSanitizer and UndefinedBehaviorSanitizer.
set -eu
mkdir -p build-asan && cd build-asan
[ -f Makefile ] || ../configure -q --enable-asan --enable-ubsan --enable-debug CFLAGS='-O1 -g'
make -s -j"$(nproc)"
make -s -j"$(nproc)" check
make -s check-truth
