#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever a command is given, even files of tests/data/bad and damaged results, it answers in words: no crash,
# no assertion, no bare error number, and an exit status of the table.
set -eu
LC_ALL=C
export LC_ALL
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$srcdir"/tests/data/bad/* "$tmp"
cd "$srcdir" && bad=$tmp
mkdir "$bad/folder"
: >"$bad/empty"
head -c 300 /dev/zero >"$bad/zeros"
printf '{"schema": "saltplan/1", "version": "0.1.0"' >"$bad/cut.json"
printf '{"schema": "saltplan/9"}' >"$bad/later.json"
printf '[1, 2, 3]' >"$bad/list.json"
printf '{"schema": "saltplan/1", "version": 7, "servers": "many", "timeline": [null, {}]}' >"$bad/types.json"
printf 'figure,measured\nsplits\n' >"$bad/measured.csv"
failed=0
runs=0
# try COMMAND...: its status is one of the table's, and what it says is a sentence.
try() {
    status=0
    timeout 20 "$@" >"$bad/.out" 2>"$bad/.err" </dev/null || status=$?
    runs=$((runs + 1))
    case $status in
    0 | 1 | 2 | 3) ;;
    *)
        echo "exit status $status: $*"
        failed=1
        ;;
    esac
    if [ "$status" -ge 2 ] && ! grep -q '^saltplan: .*[a-z][a-z]' "$bad/.err"; then
        echo "no word of why: $*"
        failed=1
    fi
    if grep -i 'assert\|backtrace\|traceback\|segmentation\|errno\|error [0-9]\|(null)\|sanitizer' "$bad/.out" "$bad/.err"; then
        echo "no sentence for a user: $*"
        failed=1
    fi
}
case $program in
/*) ;;
*) program=$OLDPWD/$program ;;
esac
for file in "$bad"/*; do
    for command in check show plan sim migrate; do
        case $command in
        plan | sim | migrate) try "$program" $command "$file" --duration 1ms --set '[scenario] compare=no' ;;
        *) try "$program" $command "$file" ;;
        esac
    done
    for command in chart report why; do
        try "$program" $command "$file"
    done
    try "$program" chart "$file" --dump-layout
    try "$program" diff "$file" "$file"
    try "$program" merge "$file" "$file"
    try "$program" splits -p "file $file"
    try "$program" key "$file"
    try "$program" presets show "$file"
    try "$program" explain "$file"
done
echo "$runs runs"
[ "$runs" -gt 200 ] || failed=1
exit $failed
