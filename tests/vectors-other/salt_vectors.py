#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the vectors of `saltplan key vectors`: python3 salt_vectors.py vectors.tsv
Put your writer's code into natural() and bucket() to prove it."""
import hashlib
import re
import sys
import zlib

FIELD = re.compile(r"([a-z0-9]+)(?:\((\d+)\))?(:desc)?(?:\+([0-9a-f]{2}))?=(.*)")
MAX = 2**63 - 1


def unhex(s):
    return b"" if s == "-" else bytes.fromhex(s)


def field(kind, width, value):
    """One field's bytes, or None for a kind that this program doesn't build."""
    if re.fullmatch(r"be\d+", kind):
        return int(value).to_bytes(int(kind[2:]) // 8, "big")
    if re.fullmatch(r"i\d+", kind):
        bits = int(kind[1:])
        return (int(value) + (1 << (bits - 1))).to_bytes(bits // 8, "big")
    if kind == "fixed":
        return unhex(value).ljust(width, b"\0")
    if kind in ("bytes", "text", "rawtext"):
        return unhex(value)
    if kind == "num":
        return value.encode()
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
        b = field(m[1], int(m[2] or 0), m[5]) if m else None
        if b is None:
            return None
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
        "crc32": lambda: signed(zlib.crc32(b)),
        "crc32c": lambda: crc32c(b),
        "md5": lambda: signed(int.from_bytes(hashlib.md5(b).digest()[:4], "big")),
        "sha256": lambda: signed(int.from_bytes(hashlib.sha256(b).digest()[:4], "big")),
    }
    known["md5hex"], known["sha256hex"] = known["md5"], known["sha256"]
    return known[name]() if name in known else None


def bucket(remainder, h, n):
    if remainder == "floorMod":
        return h % n
    if remainder == "abs":
        return abs(h) % n
    if remainder == "absFirst":  # Math.abs(MIN_VALUE) stays negative, then a byte
        return -(2**31 % n) & 255 if h == -(2**31) else abs(h) % n
    if remainder == "truncated":  # (byte) (h % n)
        return (abs(h) % n if h >= 0 else -(abs(h) % n)) & 255
    if remainder == "unsigned":
        return (h & 0xFFFFFFFF) % n
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
        if h is not None and bucket(c[1], h, int(c[3])) != want:
            return "bucket is %d" % bucket(c[1], h, int(c[3]))
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
    sys.exit(0 if rows else 1)


if __name__ == "__main__":
    main()
