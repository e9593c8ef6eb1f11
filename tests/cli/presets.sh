#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every preset runs, and its headline numbers are those that the case demands, each with its reason. The
# bounds come from counting, not from an earlier run: they leave room for the random placement only.
# Comparisons are left out, and long exact runs are taken by `flow`, to stay under a minute in all.
set -eu
LC_ALL=C
export LC_ALL
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
SALTPLAN_SCENARIOS=$(cd "$srcdir/scenarios" && pwd)
export SALTPLAN_SCENARIOS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# PRESET OPTION | FIGURE FROM TO | reason. A figure is one of the summary, `pattern NAME`, or query.FIGURE of the
# scenario's first query.
cat >"$tmp/cases" <<'CASES'
iot-telemetry --detail=flow | hot_server_ratio 1.49 1.52 | 16 tails on 12 servers: four have two, 2 / (16 / 12)
iot-telemetry --detail=flow | write_tails 16 16 | a tail a bucket
iot-telemetry --detail=flow | pattern moving edges | time-first keys in 16 buckets
iot-telemetry-unsalted --detail=flow | hot_server_ratio 11.8 12 | one server of twelve does it all
iot-telemetry-unsalted --detail=flow | done_share 0.46 0.51 | it carries 20 k of 40 k rows/s, less what its queries take
iot-telemetry-unsalted --detail=flow | pattern sequential | one moving edge
entity-salted-hot --detail=flow | hot_region_share 0.33 0.35 | 0.3 + 0.7 / 16
hashed-prefix --detail=flow | hot_server_ratio 1 1.06 | two of 24 even regions on each server
hashed-prefix --detail=flow | pattern even | hashes know no order
reversed-sequence --detail=flow | hot_server_ratio 1 1.06 | two of 24 even regions on each server
iot-no-presplit | regions_start 1 1 | not cut at its creation
iot-no-presplit | hot_server_ratio 2.5 8 | it begins with 12 and parts as it splits, later than half of the run
iot-no-presplit | splits 8 40 | sixteen tails have to come out of one region
iot-stacked-tails | tails_per_server_max 4 4 | two by placement and two by hand on rs00, for three quarters of the run
iot-stacked-tails | hot_server_ratio 2.5 2.8 | a quarter of the run 1.5, the rest 4 / (16 / 12) = 3
iot-stacked-tails | moves 2 2 | those by hand: the balancer leaves the stack alone
clickstream | hot_server_ratio 1 1.05 | 24 tails on 12 servers: two each, whatever the popularity of users
clickstream | pattern moving edges | the time comes first, not the user
opentsdb-20 | write_tails 20 20 | a tail a bucket
opentsdb-20 | hot_server_ratio 1.19 1.22 | eight of twelve servers hold two of twenty: 2 / (20 / 12)
opentsdb-20 | pattern moving edges | the salt is over the series, the time comes first behind it
phoenix-salt-4 | write_tails 4 4 | a tail a bucket
phoenix-salt-4 | hot_server_ratio 2.9 3.1 | four of twelve servers work: 12 / 4
phoenix-salt-16 | hot_server_ratio 1.49 1.55 | 16 tails on 12 servers
message-store | hot_server_ratio 1 1.2 | two of 24 nearly even regions on each server
message-store | pattern even | hashed users
user-profiles | hot_server_ratio 1 1.06 | reversed digits spread by themselves
user-profiles | pattern even | no edge
hot-tenant | done_share 0.99 1 | the largest bucket's 10 k rows/s are half of what its server carries
hot-tenant | hot_region_share 0.2 0.28 | the largest of 10 k tenants has 0.208 (zipf 1.2), its bucket's others 0.05
hot-tenant | hot_server_ratio 2.4 3.6 | that share of twelve servers
counter-row | pattern hot key | one row
counter-row | done_share 0.7 0.8 | the row's server does 20 k rows/s, the others a tenth of 30 k and less
grow-12-to-16 | regions_end 16 32 | sixteen tails, each alone on its server in the end, split once at most in that time
grow-12-to-16 | hot_server_ratio 1.1 1.45 | half of the run 1.5, then one tail a server, 1.0, after the move of many regions
grow-12-to-16 | moves 60 90 | four servers are filled to the mean of 17 regions
server-lost-at-peak | recovery_s 90 200 | ZooKeeper's session of 90 s, then a log to split and two regions to open
server-lost-at-peak | done_share 0.97 1 | eleven servers carry 220 k rows/s and catch up
server-lost-at-peak | hot_server_ratio 1.05 1.6 | two tails on each of twelve; then eleven share 24 in stripes: at most 4
two-tables | hot_server_ratio 1.1 1.5 | 16 tails of half the writes, and 12 of the other half that are one a server
audit-monthly | regions_start 24 24 | three tables of eight regions; later months' tables come when they begin
audit-monthly | done_share 0.999 1 | 62 rows/s are nothing to eight servers
audit-monthly | hot_server_ratio 1 1.35 | 8 regions of each table on 8 servers, then splits and moves
wrong-split-alphabet | hot_region_share 1 1 | decimal numbers begin with zeros: the first of 16 hexadecimal regions
wrong-split-alphabet | done_share 0.46 0.51 | one server carries 20 k of 40 k rows/s
wrong-split-alphabet | pattern sequential | numbers in their order
ycsb-load | hot_server_ratio 1 1.05 | three of 36 even regions on each server
ycsb-load | flushes 200 1000 | 36 M rows of 3 kB on the heap fill memstores of 128 MiB
ycsb-scans | query.scans 1 1 | the salt is over the thread: one bucket has all of it
ycsb-scans | query.rpcs 1 1 | fifty rows of 1.6 kB are one reply
ycsb-scans | query.rows_returned 47 50 | fifty; the youngest threads have fewer
ycsb-scans | query.server_share 0.1 0.3 | 2,000 scans/s of 0.5 ms (a call, seeks, 500 cells) on 12 servers, two buckets of 16 on some
ycsb-scans | hot_region_share 0.12 0.17 | the largest of 10 k threads has 0.10 (zipf 0.99), its bucket's others 0.9 / 16 in the mean
ycsb-scans --set=[table_posts]_salt_over=key | query.rpcs 16 16 | a thread in all buckets: a scan each
random-salt --detail=flow | write_tails 4 256 | the salt spreads though nobody can look it up
reader-last-missed --detail=flow | write_tails 4 256 | the writes are even, the reader is wrong
reader-no-salt --detail=flow | write_tails 4 256 | the same
reader-one-bucket --detail=flow | write_tails 4 256 | the same
reader-other-hash --detail=flow | write_tails 4 256 | the same
CASES

# The first number of that name in result.json, which is the summary's.
figure() {
    awk -v key="\"$1\":" '$1 == key { sub(/,$/, "", $2); print $2; exit }' "$tmp/json"
}

failed=0
last=
while IFS='|' read -r run want why; do
    if [ "$run" != "$last" ]; then
        # shellcheck disable=SC2086
        set -- $run
        name=$1
        shift
        # A blank of an option is written _ there.
        [ $# -eq 0 ] || set -- "$(echo "$1" | sed 's/^\(--set=.table\)_\(.*\)]_/\1 \2] /')"
        "$program" sim "preset:$name" -q --json --set '[scenario] compare=no' "$@" >"$tmp/json" || {
            echo "$name: exit status $?"
            failed=1
        }
        last=$run
        "$program" chart "$tmp/json" --dump-layout >"$tmp/layout" || failed=1
        if grep '^wrong' "$tmp/layout" || ! grep -q '^picture summary' "$tmp/layout"; then
            echo "$name: its pictures can't be shown so"
            failed=1
        fi
        echo "$name" >>"$tmp/ran"
    fi
    # shellcheck disable=SC2086
    set -- $want
    if [ "$1" = pattern ]; then
        shift
        got=$(awk '/"pattern": \{/ { here = 1 } here && $1 == "\"name\":" { print; exit }' "$tmp/json")
        case $got in
        *"\"$*\""*) ok=1 ;;
        *) ok=0 ;;
        esac
    elif [ "$1" = done_share ]; then
        got=$(echo "$(figure writes_done) $(figure writes_offered)" | awk '{ printf "%.4f", $1 / $2 }')
        ok=$(echo "$got $2 $3" | awk '{ print ($1 >= $2 && $1 <= $3) }')
    else
        if [ "${1#query.}" != "$1" ]; then
            got=$(sed -n '/^  "queries": \[/,/\]/p' "$tmp/json" | sed -n "s/.*\"${1#query.}\": \([0-9.e+-]*\).*/\1/p" | head -n 1)
        elif [ "$1" = recovery_s ]; then
            got=$(sed -n 's/.*serve again, \([0-9.]*\) s after the server died.*/\1/p' "$tmp/json")
        else
            got=$(figure "$1")
        fi
        ok=$(echo "${got:-none} $2 $3" | awk '{ print ($1 != "none" && $1 + 0 >= $2 && $1 + 0 <= $3) }')
    fi
    [ "$ok" = 1 ] || {
        echo "$name: $want, but it is $got ($why)"
        failed=1
    }
done <"$tmp/cases"

"$program" chart "$tmp/json" --measured "$srcdir/plots/calibration.tsv" --only calibration --dump-layout >"$tmp/layout"
if grep '^wrong' "$tmp/layout" || ! grep -q 'text title.*figures inside what was measured' "$tmp/layout"; then
    echo "calibration: the picture can't be shown so"
    failed=1
fi

for ini in "$SALTPLAN_SCENARIOS"/*.ini; do
    name=$(basename "$ini" .ini)
    grep -qx "$name" "$tmp/ran" || {
        echo "$name: this test does not run it"
        failed=1
    }
    grep -q "^## $name\$" "$srcdir/plots/README.md" || {
        echo "$name: plots/README.md has no line about it"
        failed=1
    }
    head -n 1 "$ini" | grep -q '^; ' || {
        echo "$name: it tells no story"
        failed=1
    }
done
exit $failed
