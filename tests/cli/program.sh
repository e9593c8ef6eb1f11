# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Read by scripts that compare what the program prints: $src the source folder, $tmp a folder that goes with the
# script, $PROGRAM the program, which is also the command saltplan.
LC_ALL=C
export LC_ALL
src=$(cd "${srcdir:-.}" && pwd)
PROGRAM=${SALTPLAN:-$(pwd)/saltplan}
SALTPLAN_SCENARIOS=$src/scenarios
export PROGRAM SALTPLAN_SCENARIOS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"
# shellcheck disable=SC2016
printf '#!/bin/sh\nexec "$PROGRAM" "$@"\n' >"$tmp/bin/saltplan"
chmod +x "$tmp/bin/saltplan"
PATH=$tmp/bin:$PATH
export PATH
