#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a newcomer types first, and that its result is readable by other tools.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
./bootstrap sim scenarios/iot-telemetry.ini -o "$out"
for f in report.txt result.json servers.csv regions.csv timeline.csv keyspace.png keyspace.csv servers.png; do
    [ -s "$out/$f" ] || { echo "$f is missing"; exit 1; }
done
jq -e '.schema == "saltplan/1"' "$out/result.json"
