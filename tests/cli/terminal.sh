#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# On a terminal: progress with the time that is left, erased before anything else is said; no colours at all, so
# that NO_COLOR has nothing to do. An interrupt writes what was simulated, marked as partial. Skipped without
# `script`, which makes the terminal.
set -eu
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
SALTPLAN_SCENARIOS=$(cd "$srcdir/scenarios" && pwd)
export SALTPLAN_SCENARIOS
command -v script >/dev/null 2>&1 || exit 77
command -v timeout >/dev/null 2>&1 || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}
# Long enough to be interrupted on any machine.
cat >"$tmp/run" <<RUN
timeout -s INT 4 $program sim preset:iot-telemetry --duration 4h --detail write --set '[scenario] compare=no' -o $tmp/out >$tmp/report
echo "status \$?"
RUN
script -qec "sh $tmp/run" "$tmp/typescript" >/dev/null 2>&1 </dev/null || :
tr '\r' '\n' <"$tmp/typescript" >"$tmp/lines"
grep -q '^sim  *[0-9]*%  ETA [0-9]* s' "$tmp/lines" || complain "no progress on a terminal"
esc=$(printf '\033')
grep -q "^$esc\[K" "$tmp/lines" || complain "the progress is not erased"
if sed "s/$esc\[K//g" "$tmp/lines" | grep -q "$esc"; then complain "colours or other terminal codes"; fi
grep -q 'saltplan: interrupted: the result is partial' "$tmp/lines" || complain "nothing says that it was interrupted"
grep -q 'status 124\|status 130' "$tmp/lines" || complain "the exit status"
grep -q '"partial": true' "$tmp/out/result.json" || complain "result.json is not marked as partial"
grep -q '^verdict: ' "$tmp/report" || complain "no report"
# Without a terminal nothing but the message.
timeout -s INT 3 "$program" sim preset:iot-telemetry --duration 4h --detail write --set '[scenario] compare=no' --json >"$tmp/json" 2>"$tmp/messages" || :
[ "$(cat "$tmp/messages")" = 'saltplan: interrupted: the result is partial and says so' ] || complain "$(cat "$tmp/messages")"
grep -q '"partial": true' "$tmp/json" || complain "the JSON is not marked as partial"
# A plan that was interrupted has nothing to emit, and doesn't end as one that finds nothing feasible.
rc=0
timeout --preserve-status -s INT 2 "$program" plan preset:iot-telemetry --duration 2h --detail write --emit shell >"$tmp/emitted" 2>"$tmp/messages" || rc=$?
[ $rc = 130 ] || complain "an interrupted plan --emit ends with $rc"
grep -q 'interrupted: nothing is decided' "$tmp/messages" || complain "$(cat "$tmp/messages")"
# A comparison of layouts that was interrupted compares nothing.
rc=0
timeout --preserve-status -s INT 1 "$program" plan preset:iot-telemetry --detail tick --layouts >"$tmp/compared" 2>"$tmp/messages" || rc=$?
[ $rc = 130 ] || complain "an interrupted plan --layouts ends with $rc"
[ ! -s "$tmp/compared" ] || complain "an interrupted plan --layouts prints a comparison"
exit $failed
