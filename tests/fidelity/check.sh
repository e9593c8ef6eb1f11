#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
exec sh "${srcdir:-.}/tests/fidelity/fidelity.sh" --check
