// SPDX-License-Identifier: GPL-3.0-or-later

// Checks the vectors of `saltplan key vectors`: go run salt_vectors.go vectors.tsv
// Put your writer's code into natural and bucket to prove it.
package main

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

var fieldForm = regexp.MustCompile(`^([a-z0-9-]+)(?:\((\d+)\))?(:desc)?(?:\+([0-9a-f]{2})(?:~([0-9a-f]{2}))?)?=(.*)$`)

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.TrimPrefix(s, "-"))
	if err != nil {
		panic(err)
	}
	return b
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			panic(err)
		}
		return int64(u)
	}
	return n
}

func big(n uint64, size int) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return b[8-size:]
}

func reversed(b []byte) []byte {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// blob is OrderedBytes' blobVar: seven bits a byte, the high bit set on all but the last.
func blob(b []byte) []byte {
	n := (len(b)*8 + 6) / 7
	if n == 0 {
		return []byte{0}
	}
	out := make([]byte, n)
	for bit := 0; bit < len(b)*8; bit++ {
		out[bit/7] |= b[bit/8] >> (7 - bit%8) & 1 << (6 - bit%7)
	}
	for i := 0; i+1 < n; i++ {
		out[i] |= 0x80
	}
	return out
}

// field is one field's bytes; false for a kind that this program doesn't build.
func field(kind string, width int, value string) ([]byte, bool) {
	switch kind {
	case "be8", "be16", "be24", "be32", "be64":
		size, _ := strconv.Atoi(kind[2:])
		return big(uint64(number(value)), size/8), true
	case "i8", "i16", "i32", "i64":
		size, _ := strconv.Atoi(kind[1:])
		return big(uint64(number(value))^1<<(size-1), size/8), true
	case "fixed":
		b := unhex(value)
		return append(b, make([]byte, width-len(b))...), true
	case "bytes", "text", "rawtext", "uuid":
		return unhex(value), true
	case "revtext":
		r := []rune(string(unhex(value)))
		for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
			r[i], r[j] = r[j], r[i]
		}
		return []byte(string(r)), true
	case "revlabels":
		l := strings.Split(string(unhex(value)), ".")
		for i, j := 0, len(l)-1; i < j; i, j = i+1, j-1 {
			l[i], l[j] = l[j], l[i]
		}
		return []byte(strings.Join(l, ".")), true
	case "ob-i8", "ob-i16", "ob-i32", "ob-i64":
		size, _ := strconv.Atoi(kind[4:])
		header := byte(0x29 + bits.TrailingZeros(uint(size/8)))
		return append([]byte{header}, big(uint64(number(value))^1<<(size-1), size/8)...), true
	case "ob-f64":
		n, _ := strconv.ParseUint(value[5:], 16, 64)
		if n>>63 == 1 {
			n = ^n
		} else {
			n ^= 1 << 63
		}
		return append([]byte{0x31}, big(n, 8)...), true
	case "ob-text":
		return append(append([]byte{0x34}, unhex(value)...), 0), true
	case "ob-blob":
		return append([]byte{0x37}, blob(unhex(value))...), true
	case "num":
		return []byte(fmt.Sprintf("%0*d", width, number(value))), true
	case "dec":
		return []byte(fmt.Sprintf("%0*d", width, uint64(number(value)))), true
	case "revdec":
		return reversed([]byte(fmt.Sprintf("%0*d", width, uint64(number(value))))), true
	case "hex":
		return []byte(fmt.Sprintf("%0*x", width, uint64(number(value)))), true
	case "rts":
		return big(uint64(math.MaxInt64-number(value)), 8), true
	case "rts19":
		return []byte(fmt.Sprintf("%019d", math.MaxInt64-number(value))), true
	}
	return nil, false
}

// natural is the natural key from the fields' values; false where a field is of another kind.
func natural(fields string) ([]byte, bool) {
	var key []byte
	for _, text := range strings.Split(fields, "|") {
		m := fieldForm.FindStringSubmatch(text)
		if m == nil {
			return nil, false
		}
		width, _ := strconv.Atoi(m[2])
		b, ok := field(m[1], width, m[6])
		if !ok {
			return nil, false
		}
		if m[5] != "" { // the mark stands inverted in a descending key
			mark, escape := unhex(m[4])[0], unhex(m[5])[0]
			if m[3] != "" {
				mark = ^mark
			}
			var escaped []byte
			for _, x := range b {
				if x == mark || x == escape {
					escaped = append(escaped, escape)
				}
				escaped = append(escaped, x)
			}
			b = escaped
		}
		for _, x := range b {
			if m[3] != "" {
				x = ^x
			}
			key = append(key, x)
		}
		key = append(key, unhex(m[4])...)
	}
	return key, true
}

func murmur3(b []byte, seed int32) int32 {
	h := uint32(seed)
	n := len(b) / 4 * 4
	for i := 0; i < n; i += 4 {
		h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(b[i:])*0xcc9e2d51, 15) * 0x1b873593
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	k := uint32(0)
	for i := len(b) - 1; i >= n; i-- {
		k = k<<8 | uint32(b[i])
	}
	h ^= bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	h ^= uint32(len(b))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int32(h ^ h>>16)
}

// murmur2: HBase's MurmurHash takes the last bytes as Java's signed ones.
func murmur2(b []byte, seed int32, signedTail bool) int32 {
	h := uint32(seed) ^ uint32(len(b))
	n := len(b) / 4 * 4
	for i := 0; i < n; i += 4 {
		k := binary.LittleEndian.Uint32(b[i:]) * 0x5bd1e995
		h = h*0x5bd1e995 ^ (k^k>>24)*0x5bd1e995
	}
	for i, x := range b[n:] {
		k := uint32(x)
		if signedTail {
			k = uint32(int32(int8(x)))
		}
		h ^= k << (8 * i)
	}
	if len(b) > n {
		h *= 0x5bd1e995
	}
	h = (h ^ h>>13) * 0x5bd1e995
	return int32(h ^ h>>15)
}

// jenkins is lookup3's hashlittle.
func jenkins(b []byte, seed int32) int32 {
	start := 0xdeadbeef + uint32(len(b)) + uint32(seed)
	s := [3]uint32{start, start, start}
	if len(b) == 0 {
		return int32(start)
	}
	for {
		var block [12]byte
		copy(block[:], b)
		for i := range s {
			s[i] += binary.LittleEndian.Uint32(block[4*i:])
		}
		if len(b) <= 12 {
			break
		}
		for _, r := range []int{4, 6, 8, 16, 19, 4} {
			s = [3]uint32{s[1], s[2] + s[1], (s[0] - s[2]) ^ bits.RotateLeft32(s[2], r)}
		}
		b = b[12:]
	}
	for _, t := range [][3]int{{2, 1, 14}, {0, 2, 11}, {1, 0, 25}, {2, 1, 16}, {0, 2, 4}, {1, 0, 14}, {2, 1, 24}} {
		s[t[0]] = (s[t[0]] ^ s[t[1]]) - bits.RotateLeft32(s[t[1]], t[2])
	}
	return int32(s[2])
}

// fold is the last 8 bytes as a number.
func fold(b []byte) int64 {
	h := int64(0)
	for _, x := range b[max(0, len(b)-8):] {
		h = h<<8 | int64(x)
	}
	return h
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// hashOf is false for a hash that this program doesn't have.
func hashOf(name string, seed int32, b []byte) (int64, bool) {
	switch name {
	case "arrays-hash":
		h := int32(1)
		for _, x := range b {
			h = 31*h + int32(int8(x))
		}
		return int64(h), true
	case "string-hash":
		h := int32(0)
		for _, u := range utf16.Encode([]rune(string(b))) {
			h = 31*h + int32(u)
		}
		return int64(h), true
	case "murmur3":
		return int64(murmur3(b, seed)), true
	case "murmur":
		return int64(murmur2(b, seed, true)), true
	case "murmur2":
		return int64(murmur2(b, seed, false)), true
	case "jenkins":
		return int64(jenkins(b, seed)), true
	case "fold":
		return fold(b), true
	case "crc32":
		return int64(int32(crc32.ChecksumIEEE(b))), true
	case "crc32c":
		return int64(int32(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))), true
	case "md5", "md5hex":
		d := md5.Sum(b)
		return int64(int32(binary.BigEndian.Uint32(d[:]))), true
	case "sha256", "sha256hex":
		d := sha256.Sum256(b)
		return int64(int32(binary.BigEndian.Uint32(d[:]))), true
	}
	return 0, false
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// wide: the hash has 64 bits.
func bucket(remainder string, h int64, n int64, wide bool) int64 {
	switch remainder {
	case "floorMod":
		return ((h % n) + n) % n
	case "abs":
		return abs(h % n)
	case "absFirst": // an int's Math.abs(MIN_VALUE) stays negative, then a byte
		if h == math.MinInt32 && !wide {
			return int64(uint8(h % n))
		}
		return abs(h % n)
	case "truncated": // (byte) (h % n)
		return int64(uint8(h % n))
	case "zero": // OpenTSDB doesn't salt a metric of zeros
		return 0
	case "unsigned":
		if wide {
			return int64(uint64(h) % uint64(n))
		}
		return int64(uint32(h)) % n
	}
	return int64(uint32(h) >> (32 - bits.TrailingZeros64(uint64(n)))) // the hash's first digits
}

func prefix(form string, width int, b int64) []byte {
	switch form {
	case "bytes":
		bytes := make([]byte, width)
		for i := range bytes { // beyond four the low ones repeat, as in OpenTSDB
			bytes[i] = byte(b >> (8 * (width - 1 - i) & 31))
		}
		return bytes
	case "hex":
		return []byte(fmt.Sprintf("%0*x_", width-1, b))
	case "dec":
		return []byte(fmt.Sprintf("%0*d_", width-1, b))
	}
	return nil
}

// check says what is wrong with a row, or "".
func check(c []string) string {
	nat, want := unhex(c[8]), number(c[9])
	if built, ok := natural(c[6]); ok && !bytes.Equal(built, nat) {
		return "natural key is " + hex.EncodeToString(built)
	}
	wide := c[0] == "fold"
	if h, ok := hashOf(c[0], int32(number(c[2])), unhex(c[7])); ok && bucket(c[1], h, number(c[3]), wide) != want {
		return fmt.Sprint("bucket is ", bucket(c[1], h, number(c[3]), wide))
	}
	row := append(prefix(c[4], int(number(c[5])), want), nat...)
	if !bytes.Equal(row, unhex(c[10])) {
		return "row is " + hex.EncodeToString(row)
	}
	return ""
}

func main() {
	rows, keys, salts := 0, 0, 0
	for _, name := range os.Args[1:] {
		file, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		lines.Scan()
		for line := 2; lines.Scan(); line++ {
			c := strings.Split(lines.Text(), "\t")
			if wrong := check(c); wrong != "" {
				fmt.Fprintf(os.Stderr, "%s:%d: %s; the line is %s\n", name, line, wrong, lines.Text())
				os.Exit(1)
			}
			rows++
			if _, ok := natural(c[6]); ok {
				keys++
			}
			if _, ok := hashOf(c[0], 0, nil); ok || c[0] == "none" {
				salts++
			}
		}
	}
	fmt.Printf("go: %d rows hold; keys built %d, salts computed %d\n", rows, keys, salts)
	if keys < rows || salts < rows {
		fmt.Printf("go: NOT CHECKED: %d keys, %d salts\n", rows-keys, rows-salts)
	}
	if keys == 0 || salts == 0 {
		os.Exit(1)
	}
}
