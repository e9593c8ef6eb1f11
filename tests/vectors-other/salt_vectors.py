#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the vectors of `saltplan key vectors`: python3 salt_vectors.py vectors.tsv
Put your writer's code into natural() and bucket() to prove it."""
import hashlib
import re
import sys
import zlib

FIELD = re.compile(r"([a-z0-9-]+)(?:\((\d+)\))?(:desc)?(?:\+([0-9a-f]{2})(?:~([0-9a-f]{2}))?)?=(.*)")
MAX = 2**63 - 1
HEADERS = {"ob-i8": 0x29, "ob-i16": 0x2A, "ob-i32": 0x2B, "ob-i64": 0x2C}  # OrderedBytes


def unhex(s):
    return b"" if s == "-" else bytes.fromhex(s)


def blob(b):
    """OrderedBytes' blobVar: seven bits a byte, the high bit set on all but the last."""
    n = (len(b) * 8 + 6) // 7
    bits = int.from_bytes(b, "big") << (7 * n - 8 * len(b))
    return bytes((bits >> 7 * i & 127) | (128 if i else 0) for i in reversed(range(n))) or b"\0"


def field(kind, width, value):
    """One field's bytes, or None for a kind that this program doesn't build."""
    if re.fullmatch(r"be\d+", kind):
        return int(value).to_bytes(int(kind[2:]) // 8, "big")
    if re.fullmatch(r"i\d+", kind):
        bits = int(kind[1:])
        return (int(value) + (1 << (bits - 1))).to_bytes(bits // 8, "big")
    if kind == "fixed":
        return unhex(value).ljust(width, b"\0")
    if kind in ("bytes", "text", "rawtext", "uuid"):
        return unhex(value)
    if kind == "revtext":
        return unhex(value).decode()[::-1].encode()
    if kind == "revlabels":
        return b".".join(reversed(unhex(value).split(b".")))
    if kind in HEADERS:
        bits = int(kind[4:])
        return bytes([HEADERS[kind]]) + (int(value) + (1 << (bits - 1))).to_bytes(bits // 8, "big")
    if kind == "ob-f64":
        bits = int(value[5:], 16)
        return b"\x31" + (bits ^ (2**64 - 1 if bits >> 63 else 2**63)).to_bytes(8, "big")
    if kind == "ob-text":
        return b"\x34" + unhex(value) + b"\0"
    if kind == "ob-blob":
        return b"\x37" + blob(unhex(value))
    if kind == "num":
        return b"%0*d" % (width, int(value))
    if kind == "dec":
        return value.zfill(width).encode()
    if kind == "revdec":
        return value.zfill(width)[::-1].encode()
    if kind == "hex":
        return b"%0*x" % (width, int(value))
    if kind == "rts":
        return (MAX - int(value)).to_bytes(8, "big")
    if kind == "rts19":
        return b"%019d" % (MAX - int(value))
    return None


def natural(fields):
    """The natural key from the fields' values; None where a field is of another kind."""
    key = b""
    for text in fields.split("|"):
        m = FIELD.fullmatch(text)
        b = field(m[1], int(m[2] or 0), m[6]) if m else None
        if b is None:
            return None
        if m[5]:  # the mark stands inverted in a descending key
            special = (int(m[4], 16) ^ (255 if m[3] else 0), int(m[5], 16))
            b = b"".join(bytes([special[1], x] if x in special else [x]) for x in b)
        key += bytes(x ^ 255 for x in b) if m[3] else b
        key += bytes.fromhex(m[4] or "")
    return key


def signed(h):
    h &= 0xFFFFFFFF
    return h - 2**32 if h & 2**31 else h


def java_array_hash(b):
    h = 1
    for x in b:
        h = 31 * h + (x - 256 if x > 127 else x)
    return signed(h)


def java_string_hash(b):
    h = 0
    u = b.decode("utf-8").encode("utf-16-be")
    for i in range(0, len(u), 2):
        h = 31 * h + (u[i] << 8 | u[i + 1])
    return signed(h)


def rotl(x, r):
    x &= 0xFFFFFFFF
    return (x << r | x >> (32 - r)) & 0xFFFFFFFF


def murmur3(b, seed):
    h = seed & 0xFFFFFFFF
    n = len(b) // 4 * 4
    for i in range(0, n, 4):
        h ^= rotl(int.from_bytes(b[i:i + 4], "little") * 0xCC9E2D51, 15) * 0x1B873593 & 0xFFFFFFFF
        h = rotl(h, 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    h ^= rotl(int.from_bytes(b[n:], "little") * 0xCC9E2D51, 15) * 0x1B873593 & 0xFFFFFFFF
    h ^= len(b)
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return signed(h ^ h >> 16)


def murmur2(b, seed, signed_tail):
    """HBase's MurmurHash takes the last bytes as Java's signed ones."""
    h = (seed ^ len(b)) & 0xFFFFFFFF
    n = len(b) // 4 * 4
    for i in range(0, n, 4):
        k = int.from_bytes(b[i:i + 4], "little") * 0x5BD1E995 & 0xFFFFFFFF
        h = (h * 0x5BD1E995 ^ (k ^ k >> 24) * 0x5BD1E995) & 0xFFFFFFFF
    for i, x in enumerate(b[n:]):
        h ^= (x - 256 if signed_tail and x > 127 else x) << 8 * i & 0xFFFFFFFF
    if len(b) > n:
        h = h * 0x5BD1E995 & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    return signed(h ^ h >> 15)


def jenkins(b, seed):
    """lookup3's hashlittle."""
    s = [(0xDEADBEEF + len(b) + seed) & 0xFFFFFFFF] * 3
    while True:
        for i in range(3):
            s[i] = s[i] + int.from_bytes(b[4 * i:4 * i + 4], "little") & 0xFFFFFFFF
        if len(b) <= 12:
            break
        for r in (4, 6, 8, 16, 19, 4):
            s = [(s[0] - s[2] ^ rotl(s[2], r)) & 0xFFFFFFFF, s[1], s[2] + s[1] & 0xFFFFFFFF]
            s = [s[1], s[2], s[0]]
        b = b[12:]
    if b:
        for x, y, r in ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24)):
            s[x] = ((s[x] ^ s[y]) - rotl(s[y], r)) & 0xFFFFFFFF
    return signed(s[2])


def crc32c(b):
    c = 0xFFFFFFFF
    for x in b:
        c ^= x
        for _ in range(8):
            c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
    return signed(c ^ 0xFFFFFFFF)


def hash_of(name, seed, b):
    """None for a hash that this program doesn't have."""
    known = {
        "arrays-hash": lambda: java_array_hash(b),
        "string-hash": lambda: java_string_hash(b),
        "murmur3": lambda: murmur3(b, seed),
        "murmur": lambda: murmur2(b, seed, True),
        "murmur2": lambda: murmur2(b, seed, False),
        "jenkins": lambda: jenkins(b, seed),
        "fold": lambda: int.from_bytes(b[-8:], "big", signed=len(b) >= 8),
        "crc32": lambda: signed(zlib.crc32(b)),
        "crc32c": lambda: crc32c(b),
        "md5": lambda: signed(int.from_bytes(hashlib.md5(b).digest()[:4], "big")),
        "sha256": lambda: signed(int.from_bytes(hashlib.sha256(b).digest()[:4], "big")),
    }
    known["md5hex"], known["sha256hex"] = known["md5"], known["sha256"]
    return known[name]() if name in known else None


def bucket(remainder, h, n, wide):
    """|wide|: the hash has 64 bits."""
    if remainder == "floorMod":
        return h % n
    if remainder == "abs":
        return abs(h) % n
    if remainder == "absFirst":  # Math.abs(MIN_VALUE) stays negative, then a byte
        return -(2**31 % n) & 255 if h == -(2**31) and not wide else abs(h) % n
    if remainder == "truncated":  # (byte) (h % n)
        return (abs(h) % n if h >= 0 else -(abs(h) % n)) & 255
    if remainder == "zero":  # OpenTSDB doesn't salt a metric of zeros
        return 0
    if remainder == "unsigned":
        return h % (2**64 if wide else 2**32) % n
    return (h & 0xFFFFFFFF) >> (32 - (n.bit_length() - 1))  # the hash's first digits


def prefix(form, width, b):
    # bytes: beyond four the low ones repeat, as in OpenTSDB
    return {"bytes": lambda: bytes(b >> (8 * i & 31) & 255 for i in reversed(range(width))), "hex": lambda: b"%0*x_" % (width - 1, b),
            "dec": lambda: b"%0*d_" % (width - 1, b), "none": lambda: b""}[form]()


def check(c):
    """What is wrong with a row, or None."""
    nat, built, want = unhex(c[8]), natural(c[6]), int(c[9])
    if built is not None and built != nat:
        return "natural key is " + built.hex()
    if c[0] != "none":
        h = hash_of(c[0], int(c[2]), unhex(c[7]))
        if h is not None and bucket(c[1], h, int(c[3]), c[0] == "fold") != want:
            return "bucket is %d" % bucket(c[1], h, int(c[3]), c[0] == "fold")
    row = prefix(c[4], int(c[5]), want) + nat
    return None if row == unhex(c[10]) else "row is " + row.hex()


def main():
    rows = keys = salts = 0
    for name in sys.argv[1:]:
        with open(name, encoding="ascii") as lines:
            next(lines)
            for number, line in enumerate(lines, 2):
                c = line.rstrip("\n").split("\t")
                wrong = check(c)
                if wrong:
                    sys.exit("%s:%d: %s; the line is %s" % (name, number, wrong, line))
                rows += 1
                keys += natural(c[6]) is not None
                salts += c[0] == "none" or hash_of(c[0], 0, b"") is not None
    print("python: %d rows hold; keys built %d, salts computed %d" % (rows, keys, salts))
    if keys < rows or salts < rows:
        print("python: NOT CHECKED: %d keys, %d salts" % (rows - keys, rows - salts))
    sys.exit(0 if keys and salts else 1)


if __name__ == "__main__":
    main()
