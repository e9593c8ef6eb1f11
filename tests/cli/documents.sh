#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What documents show is what the program prints: each block of a document that begins with a line
# `$ COMMAND` is run, one after the other in one folder, and its output compared. `./bootstrap` stands
# for saltplan. DOCUMENTS names others than the tutorial. `documents.sh --update` writes what is printed now; look at the difference.
set -eu
# shellcheck source=tests/cli/program.sh
. "${srcdir:-.}/tests/cli/program.sh"

# The document with each command's output made anew.
replay() {
    inside=0
    while IFS= read -r line; do
        case $inside$line in
        0'```'*) inside=1 && printf '%s\n' "$line" ;;
        [123]'```'*) inside=0 && printf '%s\n' "$line" ;;
        1'$ '* | 3'$ '*)
            inside=3
            printf '%s\n' "$line"
            command=$(printf '%s\n' "${line#??}" | sed 's|^\./bootstrap|saltplan|')
            sh -c "$command" 2>&1 </dev/null || true
            ;;
        3*) ;;
        1*) inside=2 && printf '%s\n' "$line" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

failed=0
for document in ${DOCUMENTS:-doc/tutorial.md}; do
    name=$(basename "$document" .md)
    mkdir "$tmp/$name"
    ln -s "$src/scenarios" "$tmp/$name/scenarios"
    (cd "$tmp/$name" && replay <"$src/$document") >"$tmp/$name.now"
    if [ "${1:-}" = --update ]; then
        cp "$tmp/$name.now" "$src/$document"
    elif ! diff -u "$src/$document" "$tmp/$name.now"; then
        echo "$document: differs"
        failed=1
    fi
done
exit $failed
