#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-vectors must not call a folder right whose rows it didn't look at.
set -u
vectors=${srcdir:-.}/tests/data/vectors
check=./tests/saltkey/check-vectors
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0

# wrong NAME STATUS TEXT: the folder's run ends with STATUS and says TEXT
wrong() {
    "$check" "$dir" > "$dir.out" 2>&1
    status=$?
    if [ "$status" -ne "$2" ] || ! grep -q -- "$3" "$dir.out"; then
        echo "$1: status $status, expected $2 and '$3':"
        cut -c1-200 "$dir.out"
        bad=1
    fi
    rm -f "$dir"/*.tsv "$dir.out"
}

# other FILE COLUMN TEXT: the file with another text in one column of every row
other() {
    awk -F '\t' -v OFS='\t' -v column="$2" -v text="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        NR > 1 { $c = text }
        { print }' "$vectors/$1" > "$dir/$1"
}

other presplit.tsv algo NoSuchSplit
wrong 'split of an unknown name' 1 'no check knows'
other scan_ranges.tsv scheme no-such-scheme
wrong 'range of an unknown name' 1 'no check knows'
other seed_examples.tsv where 'nowhere'
wrong 'examples of an unknown place' 1 'no row was checked'
grep -e 'where' -e 'only bucket 0' "$vectors/seed_examples.tsv" > "$dir/seed_examples.tsv"
wrong 'only rows that wait' 1 'no row was checked'
head -1 "$vectors/corpus.tsv" > "$dir/corpus.tsv"
wrong 'no rows' 1 'the file is empty'
sed '1s/arrays_hashcode/hash/' "$vectors/corpus.tsv" > "$dir/corpus.tsv"
cp "$vectors/merge.tsv" "$dir"
wrong 'a column is missing' 1 'row 1 fails, no column'
sed '1s/arrays_hashcode/hash/' "$vectors/corpus.tsv" > "$dir/corpus.tsv"
cp "$vectors/merge.tsv" "$dir"
wrong 'the next file is still checked' 1 'merge.tsv .* 0 failed'
awk -F '\t' -v OFS='\t' '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /hex/) c = i }
    NR == 2 { $c = ""; for (i = 0; i < 70000; i++) $c = $c "00" }
    { print }' "$vectors/corpus.tsv" > "$dir/corpus.tsv"
wrong 'a cell too long' 1 'row 1 fails, a cell has more bytes'
awk -F '\t' -v OFS='\t' '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /hex/) c = i; if ($i ~ /arrays_hashcode/) h = i; if ($i == "len") n = i; if ($i == "bytes_hashcode") b = i } print }
    NR == 2 { $c = ""; for (i = 0; i < 5000; i++) $c = $c "00"; x = 1; for (i = 0; i < 5000; i++) x = x * 31 % 4294967296
              $h = $b = x > 2147483647 ? x - 4294967296 : x; $n = 5000; print }' "$vectors/corpus.tsv" > "$dir/corpus.tsv"
wrong 'a long cell is a cell' 0 '1 passed'
cp "$vectors/corpus.tsv" "$dir/corpus.tsv"
wrong 'the file as it is' 0 ' 0 failed'

# N = 300: the salt is no longer two digits in every row, as Java's %02x has it
awk -F '\t' -v OFS='\t' '
    NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; print }
    NR > 1 && $col["N"] <= 256 {
        h = $col["string_hash_i32"]; salt = (h < 0 ? -h : h) % 300
        text = sprintf("%02x", salt); hex = ""
        for (i = 1; i <= length(text); i++) {
            d = substr(text, i, 1); at = index("abcdef", d)
            hex = hex (at ? 60 + at : "3" d)
        }
        $col["rowkey_hex"] = hex substr($col["rowkey_hex"], 5)
        $col["N"] = 300; $col["salt"] = salt; print
    }' "$vectors/playbook_timeseries.tsv" > "$dir/playbook_timeseries.tsv"
wrong 'a time series of 300 salts' 0 ' 0 failed'
exit $bad
