#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The README's example, which simulates every row of two hours: part of `make check-long`.
DOCUMENTS=README.md exec sh "$(dirname "$0")/documents.sh" "$@"
