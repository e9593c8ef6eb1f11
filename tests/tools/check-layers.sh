#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves from the #include lines that rooms only look downward. One line a room: what it may include.
set -eu
cd "${1:-.}/src"
allowed() {
    case $1 in
    saltkey | des) echo ;;
    saltkey/examples) echo saltkey ;;
    spec) echo saltkey result ;;
    result) echo saltkey des ;;
    scenario) echo saltkey spec ;;
    workload) echo saltkey des spec ;;
    hbase/rules) echo saltkey des spec ;;
    hbase/balance) echo saltkey des spec hbase/rules ;;
    hbase/model) echo saltkey des spec result hbase/rules hbase/balance ;;
    client) echo saltkey des spec result workload hbase/rules hbase/model ;;
    sim) echo saltkey des spec result workload hbase/rules hbase/balance hbase/model client chance ;;
    plan) echo saltkey des spec result workload hbase/rules hbase/balance sim lint echo ;;
    expect) echo spec result ;;
    diff) echo des result ;;
    chance) echo result ;;
    echo) echo saltkey spec hbase/rules ;;
    lint) echo saltkey spec result hbase/rules ;;
    why) echo result hbase/rules hbase/balance ;;
    emit) echo saltkey spec ;;
    report | chart) echo result ;;
    page) echo result report chart ;;
    diagnose) echo saltkey spec result ;;
    import) echo saltkey spec ;;
    cli) echo any ;;
    *) echo unknown ;;
    esac
}
bad=0
files=$(find . -name '*.[ch]' | sed 's|^\./||' | sort)
for f in $files; do
    room=$(dirname "$f")
    may=$(allowed "$room")
    [ "$may" = any ] && continue
    if [ "$may" = unknown ]; then
        echo "src/$f: room '$room' is not in the list of check-layers.sh"
        bad=1
        continue
    fi
    # shellcheck disable=SC2013
    for inc in $(sed -n 's/^#[ ]*include "\([^"]*\)".*/\1/p' "$f"); do
        case $inc in
        config.h) continue ;;
        saltkey.h) to=saltkey ;;
        */*) to=$(dirname "$inc") ;;
        *) to=$room ;;
        esac
        [ "$to" = "$room" ] && continue
        case " $may " in
        *" $to "*) ;;
        *)
            echo "src/$f: '$room' may not include '$inc' (room '$to')"
            bad=1
            ;;
        esac
    done
done
[ $bad = 0 ] && echo "check-layers: $(echo "$files" | wc -l) files, no upward include"
exit $bad
