#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands of tests/cli/*.transcript and compares. A transcript is a list of
#   $ COMMAND     a line of shell
#   > TEXT        what it writes to stdout
#   ! TEXT        what it writes to stderr
#   ? STATUS      its exit status
# (the source folder's own path is left out) and comment lines that begin with '#'. Each transcript runs in a folder of its own that holds a copy
# of tests/data/bad. `transcripts.sh --update` writes what happens now; look at the difference.
set -eu
# shellcheck source=tests/cli/program.sh
. "${srcdir:-.}/tests/cli/program.sh"

replay() {
    while IFS= read -r line; do
        case $line in
        '$ '*)
            status=0
            printf '%s\n' "$line"
            sh -c "${line#??}" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null || status=$?
            sed "s|$src/||g; s/^/> /" "$tmp/stdout"
            sed "s|$src/||g; s/^/! /" "$tmp/stderr"
            printf '? %s\n' "$status"
            ;;
        '#'* | '') printf '%s\n' "$line" ;;
        esac
    done
}

failed=0
for transcript in "$src"/tests/cli/*.transcript; do
    name=$(basename "$transcript" .transcript)
    mkdir "$tmp/$name"
    cp "$src"/tests/data/bad/* "$tmp/$name"
    chmod -R u+w "$tmp/$name"
    (cd "$tmp/$name" && replay <"$transcript") >"$tmp/$name.now"
    if [ "${1:-}" = --update ]; then
        cp "$tmp/$name.now" "$transcript"
    elif ! diff -u "$transcript" "$tmp/$name.now"; then
        echo "$name: differs"
        failed=1
    fi
done
exit $failed
