#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every figure that result.json gives as a number, every gate of a plan and every code of a diagnostic is explained.
set -eu
# shellcheck source=tests/cli/program.sh
. "${srcdir:-.}/tests/cli/program.sh"

figures() {
    sed -n '/^const struct result_field result_\(summary\|server\|table\|query\|candidate\)_fields/,/^};/p' \
        "$src/src/result/fields.c" | sed -n 's/.*\(NUMBER\|FIGURE\)(result_[a-z_]*, \([a-z0-9_]*\)).*/\2/p'
}
gates() { grep -ho 'plan_gate_words){"[a-z0-9-]*"' "$src"/src/plan/*.c | sed 's/.*"\(.*\)"/\1/'; }
codes() { grep -rho '"[NW]-[A-Z]*"' "$src/src" | tr -d '"'; }

fail=0
for list in figures gates codes; do
    words=$($list | sort -u)
    [ "$(echo "$words" | wc -l)" -ge 10 ] || { echo "$list: only $(echo "$words" | wc -l) found"; fail=1; }
    for word in $words; do
        saltplan explain "$word" >"$tmp/out" 2>"$tmp/err" && grep -q '^  meaning ' "$tmp/out" && continue
        echo "$list: saltplan explain $word says:"
        cat "$tmp/out" "$tmp/err"
        fail=1
    done
done
# Nothing is explained that the program doesn't have.
{ figures; gates; codes; sed -n '/result_region_fields/,/^};/p; /result_window_fields/,/^};/p; /result_plan_fields/,/^};/p' \
    "$src/src/result/fields.c" | sed -n 's/.*(result_[a-z_]*, \([a-z0-9_]*\)).*/\1/p'; } | sort -u >"$tmp/known"
sed -n 's/^    {"\(figure\|gate\|code\)", "\([^"]*\)".*/\2/p' "$src/src/cli/topics.c" | sort -u >"$tmp/explained"
comm -13 "$tmp/known" "$tmp/explained" >"$tmp/invented"
[ ! -s "$tmp/invented" ] || { echo "explained, but not in the program:"; cat "$tmp/invented"; fail=1; }
# Each kind of event that the model logs is one that `why --kind` knows.
grep -rhoE '(model_log|log_server|log_table)\([^"]*"[a-z ]+"' "$src/src/hbase" | sed 's/.*"\(.*\)"/\1/' | sort -u >"$tmp/kinds"
[ "$(wc -l <"$tmp/kinds")" -ge 20 ] || { echo "kinds of events: only $(wc -l <"$tmp/kinds") found"; fail=1; }
sed -n '/^} rules\[\] = {/,/^};/s/^    {"\([a-z ]*\)".*/\1/p' "$src/src/why/tell.c" | sort -u >"$tmp/told"
comm -23 "$tmp/kinds" "$tmp/told" >"$tmp/unknown"
[ ! -s "$tmp/unknown" ] || { echo "kinds of events that src/why/tell.c doesn't list:"; cat "$tmp/unknown"; fail=1; }
exit $fail
