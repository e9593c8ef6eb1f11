#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The emitted statements against a real HBase 2.6.1 (mini-cluster) and a real Phoenix 5.2.1. Needs Java 17
# and Maven, which fetches their jars (about 400 MB) into its own cache; nothing is installed.
# Usage: emit.sh SALTPLAN [FOLDER for the jars, kept]
set -eu
saltplan=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
for tool in java javac mvn; do
    command -v $tool >/dev/null || { echo "emit.sh needs java 17, javac and mvn; missing: $tool"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lib=${2:-$work/lib}
[ -d "$lib" ] || mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$lib"

mkdir -p "$work/classes" "$work/cases"
n=10
while IFS='|' read -r key salt buckets splits family; do
    n=$((n + 1))
    d=$work/cases/$n
    mkdir "$d"
    emit() { "$saltplan" splits -k "$key" -s "$salt" ${buckets:+-n "$buckets"} -p "$splits" --family "$family" --table "t$n" "$@"; }
    emit -a hex >"$d/expected.hex"
    emit -a splits-file >"$d/splits.txt"
    cp "$d/splits.txt" "$d/t$n-splits.txt"
    emit -a shell >"$d/create.rb"
    emit -a java >"$d/CreateTable.java"
    printf %s "$family" >"$d/family"
    [ "$salt" = none ] || echo salted >"$d/salted"
    "$saltplan" key vectors -k "$key" -s "$salt" ${buckets:+-n "$buckets"} >"$d/vectors.tsv"
done <<'CASES'
ts:be64 device:fixed(16)|arrays-hash floorMod|16|buckets|d
ts:be64 device:fixed(16)|phoenix|256|buckets|d
ts:be64 device:fixed(16)|arrays-hash unsigned|20|buckets x 7|it's
user:text|text02x|32|buckets|gr#{1}"ü
user:text|text04d|100|buckets|#{raise}
user:text|md5hex 4||md5hex 16|日本
ts:be64|none||keys \x27,\x22,a\x27b,#{1},$x,\x5C,\x0A,~ ,\xFF\x80|d
ts:be64|none||HexStringSplit 16|d
ts:be64|none||UniformSplit 33|d
CASES
# The planner's statements, with the table's split policy in them; HBase's default one isn't written.
n=20
while IFS='|' read -r policy class; do
    n=$((n + 1))
    d=$work/cases/$n
    mkdir "$d"
    cat >"$work/plan.ini" <<INI
[cluster]
servers = 4
[table t$n]
key = ts:be64 device:fixed(16)
salt = arrays-hash floorMod
buckets = 8
split_policy = $policy
[family t$n/d]
column = v:100
[stream s]
tables = t$n
entities = 10k
arrival = 10k/s constant
[plan]
candidates = 8
targets = hot_server_ratio <= 4
INI
    for target in shell java splits-file; do
        case $target in shell) f=create.rb ;; java) f=CreateTable.java ;; *) f=splits.txt ;; esac
        "$saltplan" plan "$work/plan.ini" --quiet --emit $target >"$d/$f"
    done
    "$saltplan" splits -k 'ts:be64 device:fixed(16)' -s 'arrays-hash floorMod' -n 8 -a hex >"$d/expected.hex"
    printf d >"$d/family"
    echo salted >"$d/salted"
    printf %s "$class" >"$d/policy"
    "$saltplan" key vectors -k 'ts:be64 device:fixed(16)' -s 'arrays-hash floorMod' -n 8 >"$d/vectors.tsv"
done <<'POLICIES'
ConstantSizeRegionSplitPolicy|org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy
SteppingSplitPolicy|
KeyPrefixRegionSplitPolicy 9|org.apache.hadoop.hbase.regionserver.KeyPrefixRegionSplitPolicy
DelimitedKeyPrefixRegionSplitPolicy _|org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy
DisabledRegionSplitPolicy|org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy
POLICIES
d=$work/cases/11
layout='ts:be64 device:fixed(16)'
"$saltplan" splits -k "$layout" -s phoenix -n 16 --table PH -a phoenix | sed 's/  CONSTRAINT/  "d"."v" VARBINARY,\n&/' >"$d/phoenix.sql"
printf PH >"$d/phoenix.table"
echo 16 >"$d/phoenix.buckets"
i=0
while [ $i -lt 64 ]; do
    printf '%s\tdev-%s\n' $((1700000000000 + i * 977)) $((i * 7919 % 100000))
    i=$((i + 1))
done >"$work/values"
# shellcheck disable=SC2094
"$saltplan" key encode -k "$layout" -s phoenix -n 16 -f hex <"$work/values" | paste "$work/values" - >"$d/phoenix.rows"

# The planner's statement for Phoenix, with what the scenario states of table and family.
d=$work/cases/12
cat >"$work/phoenix.ini" <<'INI'
[cluster]
servers = 4
[table PP]
key = ts:be64 device:fixed(16)
salt = phoenix
buckets = 8
max_filesize = 1GiB
memstore_flushsize = 64MiB
[family PP/d]
column = v:100
ttl = 30d
versions = 3
compression = gz
encoding = prefix
bloom = none
[stream s]
tables = PP
entities = 10k
arrival = 10k/s constant
[plan]
candidates = 8
targets = hot_server_ratio <= 4
INI
"$saltplan" plan "$work/phoenix.ini" --quiet --emit phoenix >"$d/phoenix.sql"
printf PP >"$d/phoenix.table"
echo 8 >"$d/phoenix.buckets"
printf '%s\n' 'd DATA_BLOCK_ENCODING PREFIX' 'd BLOOMFILTER NONE' 'd VERSIONS 3' 'd COMPRESSION GZ' \
    '- MAX_FILESIZE 1073741824' '- MEMSTORE_FLUSHSIZE 67108864' '- NORMALIZATION_ENABLED false' >"$d/phoenix.properties"
# shellcheck disable=SC2094
"$saltplan" key encode -k "$layout" -s phoenix -n 8 -f hex <"$work/values" | paste "$work/values" - >"$d/phoenix.rows"

javac -nowarn -proc:none -cp "$lib/*" -d "$work/classes" "$here/EmitReal.java"
opens=$(for p in lang nio util lang.reflect util.concurrent io net; do printf -- '--add-opens java.base/java.%s=ALL-UNNAMED ' $p; done)
cd "$work"
# shellcheck disable=SC2086
java -Xmx3g $opens --add-opens java.base/sun.nio.ch=ALL-UNNAMED --add-opens java.base/jdk.internal.ref=ALL-UNNAMED \
    --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.base/sun.security.pkcs=ALL-UNNAMED \
    --add-exports java.base/sun.security.x509=ALL-UNNAMED -Dlog4j2.configurationFile="$here/log4j2.properties" \
    -cp "$work/classes:$lib/*" EmitReal "$work/cases" "$work/classes"
