#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Remakes the gallery: the pictures and the report of each preset.
# Usage: gallery.sh SALTPLAN SOURCE-DIR TARGET-DIR (`make plots` calls it)
set -eu
saltplan=$1
source=$2
target=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for ini in "$source"/scenarios/*.ini; do
    name=$(basename "$ini" .ini)
    "$saltplan" sim "$ini" -q -o "$tmp/$name" >"$target/$name.txt"
    for picture in keyspace servers; do
        cp "$tmp/$name/$picture.png" "$target/$name-$picture.png"
    done
    case $name in
    iot-stacked-tails) cp "$tmp/$name/tails.png" "$target/$name-tails.png" ;;
    server-lost-at-peak) cp "$tmp/$name/writes.png" "$target/$name-writes.png" ;;
    esac
    last=$tmp/$name
    echo "$name: $(tail -n 1 "$target/$name.txt")"
done
iot=$source/scenarios/iot-telemetry.ini
"$saltplan" plan "$iot" -q --latency -o "$tmp/plan" >"$target/plan.txt"
for picture in choice tornado latency; do
    cp "$tmp/plan/$picture.png" "$target/plan-$picture.png"
done
"$saltplan" plan "$iot" --layouts -o "$tmp/layouts" >"$target/plan-layouts.txt"
cp "$tmp/layouts/layouts.png" "$target/plan-layouts.png"
"$saltplan" chart "$last" --measured "$source/plots/calibration.tsv" --only calibration -o "$tmp/calibration"
cp "$tmp/calibration/calibration.png" "$target/calibration.png"
