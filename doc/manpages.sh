#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The parts of the manual pages that follow from the program's own tables, as mdoc:
#   manpages.sh PROGRAM commands       COMMANDS of saltplan(1), from each command's --help
#   manpages.sh PROGRAM keys           KEYS of saltplan(5), from `explain --man`
#   manpages.sh PROGRAM functions      FUNCTIONS of saltkey(3), from saltkey.h
#   manpages.sh PROGRAM PAGE           PAGE with the part between its marks made anew
set -eu
LC_ALL=C
export LC_ALL
program=$1

# Text as roff: a sentence a line, at most 78 letters, nothing that looks like a request.
roff='
function text(s,   n, i, words, line) {
    gsub(/\\-/, "-", s)
    gsub(/\\/, "\\e", s)
    n = split(s, words, " ")
    line = ""
    for (i = 1; i <= n; i++) {
        if (line != "" && length(line) + 1 + length(words[i]) > 76) { put(line); line = "" }
        line = line == "" ? words[i] : line " " words[i]
        if (words[i] ~ /[.!?]$/ || words[i] ~ /[.!?]\)$/) { put(line); line = "" }
    }
    if (line != "") put(line)
}
function put(line) {
    if (line ~ /^[.'"'"']/) line = "\\&" line
    print line
}
'

commands() {
    for name in $("$program" | sed -n '/^Commands:/,/^$/p' | sed 1d); do
        "$program" "$name" --help | awk -v name="$name" "$roff"'
            function close_list() { if (open) print ".El"; open = 0 }
            NR == 1 { summary = $0; next }
            /^Examples:/ { part = "examples"; next }
            /^Usage: / {
                sub(/^Usage: saltplan [a-z]+ /, "")
                sub(/^\[OPTIONS\] ?/, "")
                gsub(/\\/, "\\e")
                print ".Ss saltplan " name
                print ".Dl saltplan " name " [OPTIONS]" ($0 == "" ? "" : " " $0)
                print ".Pp"
                text(summary (summary ~ /\.$/ ? "" : "."))
                part = "usage"; next
            }
            /^Options:/ { part = "options"; print ".Bl -tag -width indent"; open = 1; next }
            /^Options that change the scenario/ {
                close_list(); part = "scenario"
                print ".Pp"
                print "The options of"; print ".Sx CHANGING A SCENARIO"; print "apply too."; next
            }
            part == "options" && /^  / {
                line = substr($0, 3)
                if (line ~ /^ +[^- ]/ && line !~ /^ *-/) { sub(/^ +/, "", line); text(line "."); next }
                if (match(line, /[^ ]  +[^ ]/)) {
                    help = substr(line, RSTART + RLENGTH - 1); line = substr(line, 1, RSTART)
                } else help = ""
                sub(/^ +/, "", line); gsub(/\\/, "\\e", line)
                gsub(/--/, "Fl -", line); sub(/^-/, "Fl ", line); sub(/, *Fl /, " , Fl ", line)
                n = split(line, w, " "); item = ""
                for (i = 1; i <= n; i++) {
                    if (w[i] != "Fl" && w[i] != "," && w[i] !~ /^-/ && w[i - 1] != "Fl" && item !~ / Ar /) item = item " Ar"
                    item = item " " w[i]
                }
                print ".It" item
                if (help != "") text(help ".")
                next
            }
            /^$/ { close_list(); if (part != "examples" && part != "") part = "after"; next }
            part == "after" {
                if (!literal) { print ".Bd -literal"; literal = 1 }
                gsub(/\\/, "\\e"); if ($0 ~ /^[.'"'"']/) $0 = "\\&" $0
                print
            }
            END { close_list(); if (literal) print ".Ed" }'
    done
}

keys() {
    "$program" explain --man | awk "$roff"'
        function close_list() { if (open) print ".El"; open = 0 }
        /^\.SH/ { next }
        /^\.SS/ { close_list(); print ".Ss " substr($0, 5) " section"; next }
        /^\.TP/ { next }
        /^\.B / {
            if (!open) print ".Bl -tag -width indent"
            open = 1
            name = substr($0, 4); gsub(/\\-/, "-", name); gsub(/\\/, "\\e", name)
            print ".It Cm " name; next
        }
        { sub(/^\\&/, ""); text($0) }
        END { close_list() }'
}

# The functions of each part of the header, by name.
functions() {
    awk '
        /^\/\* ---- .* ---- \*\// {
            sub(/^\/\* ---- /, ""); sub(/ ---- \*\/.*/, ""); group = $0; next
        }
        /^[a-z].*[ *]saltkey_[a-z0-9_]+\(/ {
            match($0, /saltkey_[a-z0-9_]+\(/)
            name = substr($0, RSTART, RLENGTH - 1)
            if (group == "") group = "version"
            if (group != last) { print ".Ss " toupper(substr(group, 1, 1)) substr(group, 2); last = group }
            print ".Fn " name
        }' "$(dirname "$0")/../src/saltkey/saltkey.h"
}

page() {
    part=$(sed -n 's/^\.\\" GENERATED \([a-z]*\).*/\1/p' "$1")
    sed '/^\.\\" GENERATED/q' "$1"
    "$part"
    sed -n '/^\.\\" END GENERATED/,$p' "$1"
}

case $2 in
commands | keys | functions) "$2" ;;
*) page "$2" ;;
esac
