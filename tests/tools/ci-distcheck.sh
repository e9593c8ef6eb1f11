#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tarball builds, tests, installs and uninstalls out of tree.
set -eu
cd build-check
make -s distcheck AM_DISTCHECK_CONFIGURE_FLAGS=
