#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs each mutant of mutants.list against its suites until a test fails. Survivors are printed; one without a
# reason in the list is an error, and so is a reason for one that a test kills.
#   mutants.list: NAME | SUITES | what is changed [| survives: REASON]
#   run.sh [NAME...]: only these
# CC, CFLAGS, LIBS and SUITES (SUITE=OBJECTS;...) come from make; objects and libraries lie in the working folder.
set -eu
LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-.}" && pwd)
export srcdir
SALTPLAN_SCENARIOS=$srcdir/scenarios
export SALTPLAN_SCENARIOS
here=$srcdir/tests/mutants
limit=${MUTANT_SECONDS:-300}
bin=tests/mutants/bin
mkdir -p "$bin"
only=$*
grep -v '^#' "$here/mutants.list" >"$bin/list"

# The list and the code name the same mutants.
sed 's/ *|.*//' "$bin/list" | sort >"$bin/listed"
{
    grep -h -o '(\{0,1\}"[a-z0-9-]*"' "$here"/wrap_*.c | sed 's/.*"\(.*\)"/\1/' | grep -v -e '^default-$' -e '^$'
    sed -n 's/^    \(WHOLE\|REAL\)(\(.*\));/default-\2/p' "$here"/wrap_rest.c
} | sort -u >"$bin/coded"
diff "$bin/listed" "$bin/coded" || {
    echo "mutants.list (<) and tests/mutants/wrap_*.c (>) name different mutants"
    exit 1
}

arguments() {
    case $1 in
    tests/truth/*) echo "$srcdir/tests/data/truth" ;;
    esac
}

# Only what is asked for from here on.
if [ -n "$only" ]; then
    for name in $only; do
        grep "^$name " "$bin/list" || {
            echo "$name is not a mutant of mutants.list" >&2
            exit 1
        }
    done >"$bin/chosen"
    mv "$bin/chosen" "$bin/list"
fi

# Each suite once more, with the mutants between its rules and their callers.
wraps=$(sed -n 's/^WRAP(.*, \([a-z0-9_]*\), (.*/-Wl,--wrap=\1/p' "$here"/wrap_*.c)
sed 's/^[^|]*| *\([^|]*\)|.*/\1/' "$bin/list" | tr ' ' '\n' | sort -u | sed '/^$/d' >"$bin/suites"
while read -r suite; do
    out=$bin/$(basename "$suite")
    # shellcheck disable=SC2153 # from the makefile
    objects=$(printf '%s\n' "$SUITES" | tr ';' '\n' | sed -n "s|^ *$suite=||p")
    [ -n "$objects" ] || {
        echo "$suite is not among MUTANT_SUITES of tests/mutants/Makefile.inc"
        exit 1
    }
    # shellcheck disable=SC2086
    $CC $CFLAGS -o "$out" $objects tests/mutants/mutant.o tests/mutants/wrap_write.o tests/mutants/wrap_rest.o \
        libsaltplan.a .libs/libsaltkey.a $wraps $LIBS
    # shellcheck disable=SC2046
    timeout "$limit" "$out" $(arguments "$suite") >"$bin/log" 2>&1 || {
        echo "$suite fails without a mutant:"
        tail -5 "$bin/log"
        exit 1
    }
done <"$bin/suites"

killed=0
failed=0
while IFS='|' read -r name suites what reason; do
    name=$(echo "$name" | tr -d ' ')
    dead=
    for suite in $suites; do
        status=0
        # shellcheck disable=SC2046
        SALTPLAN_MUTANT=$name timeout "$limit" "$bin/$(basename "$suite")" $(arguments "$suite") >"$bin/log" 2>&1 ||
            status=$?
        [ $status = 124 ] && echo "timeout  $name in $suite"
        [ $status = 0 ] || [ $status = 124 ] || {
            dead=$suite
            break
        }
    done
    if [ -n "$dead" ]; then
        killed=$((killed + 1))
        [ -n "${VERBOSE:-}" ] && echo "killed   $name by $dead"
        [ -z "$reason" ] || {
            echo "stale    $name: $dead fails for it, and yet it may survive by the list:$reason"
            failed=1
        }
    elif [ -n "$reason" ]; then
        echo "allowed  $name:$what:$reason"
    else
        echo "SURVIVES $name:$what"
        failed=1
    fi
done <"$bin/list"
echo "mutants: $killed killed of $(wc -l <"$bin/list")"
exit $failed
