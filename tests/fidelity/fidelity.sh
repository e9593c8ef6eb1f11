#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes doc/fidelity.md of fidelity.md.in and statements.tsv. The last column is what the tests say today:
#   truth:FOLDER        cases and values of check-truth in that folder
#   phoenix, vectors    the sums of tests/saltkey/truth_phoenix and of check-vectors
#   test:PROGRAM:NAME   whether that test passes
#   line:PROGRAM:TEXT   the rest of the line that begins with TEXT in the program's output
#   run:PRESET ARGUMENTS:FIGURE   that figure of the summary, in flow
# fidelity.sh writes the document to stdout. fidelity.sh --check compares the committed one instead: all but the
# last column must be what would be written, each test and folder named must exist, each folder of recordings
# must have a row, and the figures of `run:` must be today's. It runs no other test. TRUTH_OUTPUT names a file
# with what check-truth printed, where it need not run again.
set -eu
LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-.}" && pwd)
export srcdir
here=$srcdir/tests/fidelity
program=${SALTPLAN:-./saltplan}
SALTPLAN_SCENARIOS=$srcdir/scenarios
export SALTPLAN_SCENARIOS
check=${1:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tab=$(printf '\t')

# What a program prints, run once.
output_of() {
    name=$(echo "$1" | tr '/ ' '__')
    # shellcheck disable=SC2086 # $2 may be nothing at all
    [ -f "$tmp/$name" ] || "./$1" $2 >"$tmp/$name" 2>&1 || echo "$1 fails" >&2
    cat "$tmp/$name"
}

truth_all() {
    [ -z "${TRUTH_OUTPUT:-}" ] || cp "$TRUTH_OUTPUT" "$tmp/truth"
    [ -f "$tmp/truth" ] || for t in $CHECK_TRUTH; do
        "./$t" "$srcdir/tests/data/truth" || true
    done >"$tmp/truth" 2>&1
    cat "$tmp/truth"
}

value_of() {
    rest=${1#*:}
    case $1 in
    truth:*)
        truth_all | awk -F"$tab" -v folder="$rest" '
            $1 == folder && NF >= 6 { n++; if ($0 !~ /\tok/) bad++ }
            index($0, "truth/" folder ": ") == 1 { split($0, at, " "); n = at[4]; bad = at[4] - at[2] }
            END { printf "%d of %d cases hold", n - bad, n }'
        ;;
    phoenix) truth_all | awk '/^phoenix .* real / { n++; if (!/ok *$/) bad++ } END { printf "%d of %d hold", n - bad, n }' ;;
    vectors) output_of tests/saltkey/check-vectors "$srcdir/tests/data/vectors" | awk '/ passed, / { n += $2; bad += $4 } END { printf "%d of %d rows hold", n, n + bad }' ;;
    test:*) output_of "${rest%%:*}" '' | grep -q "OK \] ${rest#*:}\$" && printf 'holds' || printf 'FAILS' ;;
    line:*) output_of "${rest%%:*}" '' | sed -n "s/^${rest#*:}[:, ]*//p" | head -n 1 | tr -d '\n' ;;
    run:*)
        # shellcheck disable=SC2086 # a preset and its arguments
        set -- ${rest%:*}
        preset=$1
        shift
        "$program" sim "preset:$preset" -q --json --detail flow --set '[scenario] compare=no' "$@" 2>/dev/null |
            awk -v key="\"${rest##*:}\":" '$1 == key { sub(/,$/, "", $2); printf "%.3g", $2; exit }'
        ;;
    esac
}

table() {
    printf '| statement | source | test | band | today |\n|---|---|---|---|---|\n'
    grep -v '^#' "$here/statements.tsv" | while IFS="$tab" read -r key statement source test band; do
        if [ "$check" = --check ] && [ "${key%%:*}" != run ]; then
            value='*'
        else
            value=$(value_of "$key")
        fi
        printf '| %s | %s | %s | %s | %s |\n' "$statement" "$source" "$test" "$band" "$value"
    done
}

document() {
    table >"$tmp/table"
    sed -e "/^@TABLE@/{r $tmp/table" -e 'd;}' "$here/fidelity.md.in"
}

if [ "$check" != --check ]; then
    document
    exit
fi
failed=0
for folder in "$srcdir"/tests/data/truth/*/; do
    name=$(basename "$folder")
    case $name in
    phoenix-regions | phoenix-rowkeys) continue ;; # truth_phoenix, one row
    esac
    grep -q "^truth:$name$tab" "$here/statements.tsv" || {
        echo "statements.tsv has no row for tests/data/truth/$name"
        failed=1
    }
done
sed -n 's/^\(test\|line\):\([^:]*\):.*/\2/p' "$here/statements.tsv" | sort -u | while read -r program; do
    [ -f "$srcdir/$program.c" ] || echo "statements.tsv names $program, and there is no $program.c"
done | grep . && failed=1
document >"$tmp/now"
# The last column of what wasn't run is not compared.
awk -F'|' 'NR == FNR { if (/^\| .* \| \* \|$/) loose[FNR] = 1; next }
    FNR in loose { sub(/\| [^|]* \|$/, "| * |") } { print }' "$tmp/now" "$srcdir/doc/fidelity.md" >"$tmp/committed"
grep -E -n '\| (FAILS|0 of 0 [a-z ]*|) \|$|[^0-9](FAIL)' "$srcdir/doc/fidelity.md" && failed=1
diff -u "$tmp/committed" "$tmp/now" || {
    echo "doc/fidelity.md is not what the tests say: make fidelity"
    failed=1
}
exit $failed
