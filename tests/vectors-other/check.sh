#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The vectors that `saltplan key vectors` writes, checked by real Java, Python and Go. Installs nothing.
# Usage: check.sh SALTPLAN
set -u
saltplan=$1
missing=
for tool in java python3 go; do command -v $tool >/dev/null || missing="$missing $tool"; done
if [ -n "$missing" ]; then
    echo "check-other-languages needs java (17 or later), python3 and go (1.18 or later); missing:$missing"
    exit 1
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0
while IFS='|' read -r key salt buckets over; do
    n=$((n + 1))
    "$saltplan" key vectors -k "$key" -s "$salt" ${buckets:+-n "$buckets"} ${over:+--salt-over "$over"} \
        -o "$work/$n" 2>"$work/err" || { cat "$work/err"; echo "no vectors of '$key' '$salt'"; exit 1; }
done <<'SCHEMES'
ts:be64 device:fixed(16)|arrays-hash floorMod|16|
ts:be64 device:fixed(16)|arrays-hash floorMod|20|device
a:text b:i64 c:i32:desc d:text|phoenix|255|
metric:text+_ device:text+_ ts:rts19|text02x|32|metric..device
s:text|text02x|16|
s:text+_ t:num|text04d|1000|s
u:rawtext+_ t:num|md5hex 4||
m:be24 t:be32 x:bytes(6)|crc32 unsigned|7|
m:i8 n:i16 r:rts|crc32c unsigned bytes 2|1000|
m:dec(5) n:revdec(12) r:hex(6)|sha256 floorMod|13|
m:text|hbasewd|100|
m:be8 n:be16|none||
m:text+_ n:be64|murmur3 floorMod|100|
u:fixed(8) n:dec(10)|md5 abs|9|
u:text n:be32|string-hash floorMod|12|
u:text|sha256hex 3||
u:text n:be32|arrays-hash truncated|20|
m:bytes(3) t:be32 g:text|opentsdb 6|300|m g
a:text+_~\ b:i32:desc c:ob-blob d:ob-f64 e:uuid|murmur3 floorMod seed 7|100|
a:text:desc+_~! b:revtext:desc c:revlabels|jenkins abs|100|
a:ob-i8 b:ob-i16:desc c:ob-i32 d:ob-i64:desc e:ob-text:desc f:ob-blob:desc|murmur unsigned seed 5|100|
a:num(4) b:text:desc|murmur2 floorMod seed -7|77|
u:text|hbasewd-2011|20|
u:bytes(9)|fold unsigned bytes 2|1000|
SCHEMES
[ $n -eq 24 ] || { echo "only $n schemes of 24"; exit 1; }
check() { # what, folder of the tests, the vectors
    d=$work/1
    java "$d/SaltVectors.java" "$@" && python3 "$d/salt_vectors.py" "$@" && go run "$d/salt_vectors.go" "$@"
}
check "$work"/*/vectors.tsv >"$work/out" || { cat "$work/out"; exit 1; }
cat "$work/out"
if grep "NOT CHECKED" "$work/out"; then
    echo "keys or salts were left unchecked"
    exit 1
fi
# what isn't computed is said, and nothing is called right
"$saltplan" key vectors -k a:be8 -s 'xxh3 floorMod' -n 4 -o "$work/xxh" 2>/dev/null || exit 1
if check "$work/xxh/vectors.tsv" >"$work/out" || ! grep -q 'NOT CHECKED: 0 keys, 64 salts' "$work/out"; then
    cat "$work/out"
    exit 1
fi
# each must see a wrong bucket, a wrong key and a wrong row
for column in 9 10 11; do
    awk -F'\t' -v OFS='\t' -v c=$column 'NR == 5 { $c = c == 10 ? ($c + 1) % 16 : "00" substr($c, 3) "00" } { print }' \
        "$work/1/vectors.tsv" >"$work/bad.tsv"
    for tool in "java $work/1/SaltVectors.java" "python3 $work/1/salt_vectors.py" "go run $work/1/salt_vectors.go"; do
        if $tool "$work/bad.tsv" >/dev/null 2>&1; then
            echo "column $column was changed and '$tool' didn't see it"
            exit 1
        fi
    done
done
echo "check-other-languages: 24 schemes hold in Java, Python and Go; changed vectors are seen"
