#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Four shards of a plan, run by GNU parallel as separate processes, join to the bytes of one run. Without
# GNU parallel xargs runs them.
set -eu
# shellcheck source=tests/cli/program.sh
. "${srcdir:-.}/tests/cli/program.sh"
cd "$tmp"

# shellcheck disable=SC2016
shard='"$PROGRAM" plan preset:iot-telemetry --duration 20s --jobs 1 --shard {}/4 --json >{}.json'
if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    parallel --will-cite -j 2 "$shard" ::: 1 2 3 4
else
    printf '%s\n' 1 2 3 4 | xargs -P 2 -I '{}' sh -c "$shard"
fi
"$PROGRAM" plan --merge preset:iot-telemetry --duration 20s 4.json 2.json 1.json 3.json --json >merged.json
"$PROGRAM" plan preset:iot-telemetry --duration 20s --json >whole.json
cmp merged.json whole.json
if "$PROGRAM" plan --merge preset:iot-telemetry --duration 20s 1.json 2.json 2>missing; then
    echo "two of four shards were taken for the whole"
    exit 1
fi
grep -q 'no shard has the candidate' missing
