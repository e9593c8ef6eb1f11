#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The completion scripts: bash's is run as bash would, the others are checked by their shells where
# these are installed. Skipped without bash.
set -eu
program=${SALTPLAN:-./saltplan}
command -v bash >/dev/null 2>&1 || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for shell in bash zsh fish; do
    "$program" completion $shell >"$tmp/$shell"
done
cat >"$tmp/ask" <<'ASK'
. "$1"
shift
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_saltplan
echo "${COMPREPLY[*]}"
ASK
failed=0
# expect ANSWER WORD...: what completes the last word
expect() {
    want=$1
    shift
    got=$(bash "$tmp/ask" "$tmp/bash" "$@")
    [ "$got" = "$want" ] || {
        echo "completing '$*': '$got' instead of '$want'"
        failed=1
    }
}
expect sim saltplan si
expect "chart check" saltplan ch
expect report saltplan rep
expect "--set --servers --seed" saltplan sim --se
expect --theme saltplan chart --th
expect "bash" saltplan completion ba
expect "hbase.regions.slop=" saltplan sim -D hbase.regions.s
expect "table.salt table.salt_over" saltplan explain table.salt
bash -n "$tmp/bash"
if command -v zsh >/dev/null 2>&1; then zsh -n "$tmp/zsh"; fi
if command -v fish >/dev/null 2>&1; then fish -n "$tmp/fish"; fi
grep -q "complete -c saltplan .* -a report " "$tmp/fish"
exit $failed
