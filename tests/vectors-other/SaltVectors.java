// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the vectors of `saltplan key vectors` with Java's own hashes: java SaltVectors.java vectors.tsv
// Put your writer's code into natural() and bucket() to prove it.
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

public class SaltVectors {
    static final Pattern FIELD =
        Pattern.compile("([a-z0-9-]+)(?:\\((\\d+)\\))?(:desc)?(?:\\+([0-9a-f]{2})(?:~([0-9a-f]{2}))?)?=(.*)");

    static byte[] hex(String s) {
        return s.equals("-") ? new byte[0] : HexFormat.of().parseHex(s);
    }

    static byte[] big(long n, int bytes) {
        return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(n).array(), 8 - bytes, 8);
    }

    static byte[] ascii(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }

    static String digits(String n, int width) {
        return "0".repeat(Math.max(0, width - n.length())) + n;
    }

    static byte[] join(int header, byte[] bytes) {
        return ByteBuffer.allocate(bytes.length + 1).put((byte) header).put(bytes).array();
    }

    // OrderedBytes' blobVar: seven bits a byte, the high bit set on all but the last.
    static byte[] blob(byte[] b) {
        int n = (b.length * 8 + 6) / 7;
        byte[] out = new byte[Math.max(n, 1)];
        for (int bit = 0; bit < b.length * 8; bit++)
            if ((b[bit / 8] >> (7 - bit % 8) & 1) != 0)
                out[bit / 7] |= (byte) (0x40 >> bit % 7);
        for (int i = 0; i + 1 < n; i++)
            out[i] |= (byte) 0x80;
        return out;
    }

    // One field's bytes, or null for a kind that this program doesn't build.
    static byte[] field(String kind, int width, String value) {
        switch (kind) {
        case "be8": case "be16": case "be24": case "be32": case "be64":
            return big(Long.parseUnsignedLong(value), Integer.parseInt(kind.substring(2)) / 8);
        case "i8": case "i16": case "i32": case "i64": {
            int bits = Integer.parseInt(kind.substring(1));
            return big(Long.parseLong(value) ^ (1L << (bits - 1)), bits / 8);
        }
        case "fixed":
            return Arrays.copyOf(hex(value), width);
        case "bytes": case "text": case "rawtext": case "uuid":
            return hex(value);
        case "revtext":
            return new StringBuilder(new String(hex(value), StandardCharsets.UTF_8)).reverse().toString()
                .getBytes(StandardCharsets.UTF_8);
        case "revlabels": {
            List<String> labels = Arrays.asList(new String(hex(value), StandardCharsets.ISO_8859_1).split("\\.", -1));
            Collections.reverse(labels);
            return String.join(".", labels).getBytes(StandardCharsets.ISO_8859_1);
        }
        case "ob-i8": case "ob-i16": case "ob-i32": case "ob-i64": {
            int bits = Integer.parseInt(kind.substring(4));
            return join(0x29 + Integer.numberOfTrailingZeros(bits / 8), big(Long.parseLong(value) ^ (1L << (bits - 1)), bits / 8));
        }
        case "ob-f64": {
            long bits = Long.parseUnsignedLong(value.substring(5), 16);
            return join(0x31, big(bits ^ (bits < 0 ? -1 : Long.MIN_VALUE), 8));
        }
        case "ob-text":
            return join(0x34, Arrays.copyOf(hex(value), hex(value).length + 1));
        case "ob-blob":
            return join(0x37, blob(hex(value)));
        case "num":
            return ascii(width > 0 ? String.format(Locale.ROOT, "%0" + width + "d", Long.parseLong(value)) : value);
        case "dec":
            return ascii(digits(value, width));
        case "revdec":
            return ascii(new StringBuilder(digits(value, width)).reverse().toString());
        case "hex":
            return ascii(digits(Long.toHexString(Long.parseUnsignedLong(value)), width));
        case "rts":
            return big(Long.MAX_VALUE - Long.parseLong(value), 8);
        case "rts19":
            return ascii(String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - Long.parseLong(value)));
        default:
            return null;
        }
    }

    // The natural key from the fields' values; null where a field is of another kind.
    static byte[] natural(String fields) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        for (String text : fields.split("\\|")) {
            Matcher m = FIELD.matcher(text);
            byte[] bytes = m.matches() ? field(m.group(1), m.group(2) == null ? 0 : Integer.parseInt(m.group(2)),
                                               m.group(6)) : null;
            if (bytes == null)
                return null;
            if (m.group(5) != null) { // the mark stands inverted in a descending key
                byte mark = (byte) (hex(m.group(4))[0] ^ (m.group(3) != null ? 0xff : 0)), escape = hex(m.group(5))[0];
                ByteArrayOutputStream escaped = new ByteArrayOutputStream();
                for (byte b : bytes) {
                    if (b == mark || b == escape)
                        escaped.write(escape);
                    escaped.write(b);
                }
                bytes = escaped.toByteArray();
            }
            if (m.group(3) != null)
                for (int i = 0; i < bytes.length; i++)
                    bytes[i] = (byte) ~bytes[i];
            key.writeBytes(bytes);
            if (m.group(4) != null)
                key.writeBytes(hex(m.group(4)));
        }
        return key.toByteArray();
    }

    static int murmur3(byte[] b, int seed) {
        int h = seed, n = b.length / 4 * 4, k = 0;
        for (int i = 0; i < n; i += 4) {
            k = (b[i] & 0xff) | (b[i + 1] & 0xff) << 8 | (b[i + 2] & 0xff) << 16 | b[i + 3] << 24;
            h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
            h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
        }
        k = 0;
        for (int i = b.length - 1; i >= n; i--)
            k = k << 8 | (b[i] & 0xff);
        h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
        h ^= b.length;
        h = (h ^ h >>> 16) * 0x85ebca6b;
        h = (h ^ h >>> 13) * 0xc2b2ae35;
        return h ^ h >>> 16;
    }

    // HBase's MurmurHash takes the last bytes as signed ones.
    static int murmur2(byte[] b, int seed, boolean signedTail) {
        int h = seed ^ b.length, n = b.length / 4 * 4;
        for (int i = 0; i < n; i += 4) {
            int k = word(b, i) * 0x5bd1e995;
            h = h * 0x5bd1e995 ^ (k ^ k >>> 24) * 0x5bd1e995;
        }
        for (int i = n; i < b.length; i++)
            h ^= (signedTail ? b[i] : b[i] & 0xff) << 8 * (i - n);
        if (b.length > n)
            h *= 0x5bd1e995;
        h = (h ^ h >>> 13) * 0x5bd1e995;
        return h ^ h >>> 15;
    }

    // Four bytes, the lowest first; beyond the end zeros.
    static int word(byte[] b, int at) {
        int w = 0;
        for (int i = 3; i >= 0; i--)
            w = w << 8 | (at + i < b.length ? b[at + i] & 0xff : 0);
        return w;
    }

    // lookup3's hashlittle.
    static int jenkins(byte[] b, int seed) {
        int[] s = new int[3];
        int at = 0;
        Arrays.fill(s, 0xdeadbeef + b.length + seed);
        for (;; at += 12) {
            for (int i = 0; i < 3; i++)
                s[i] += word(b, at + 4 * i);
            if (b.length - at <= 12)
                break;
            for (int r : new int[] {4, 6, 8, 16, 19, 4})
                s = new int[] {s[1], s[2] + s[1], s[0] - s[2] ^ Integer.rotateLeft(s[2], r)};
        }
        int[][] last = {{2, 1, 14}, {0, 2, 11}, {1, 0, 25}, {2, 1, 16}, {0, 2, 4}, {1, 0, 14}, {2, 1, 24}};
        for (int[] t : b.length > 0 ? last : new int[0][])
            s[t[0]] = (s[t[0]] ^ s[t[1]]) - Integer.rotateLeft(s[t[1]], t[2]);
        return s[2];
    }

    // The last 8 bytes as a number.
    static long fold(byte[] b) {
        long h = 0;
        for (int i = Math.max(0, b.length - 8); i < b.length; i++)
            h = h << 8 | (b[i] & 0xff);
        return h;
    }

    static int checksum(Checksum c, byte[] b) {
        c.update(b, 0, b.length);
        return (int) c.getValue();
    }

    // Null for a hash that this program doesn't have.
    static Long hash(String name, int seed, byte[] over) throws Exception {
        switch (name) {
        case "arrays-hash": return (long) Arrays.hashCode(over);
        case "string-hash": return (long) new String(over, StandardCharsets.UTF_8).hashCode();
        case "murmur3": return (long) murmur3(over, seed);
        case "murmur": return (long) murmur2(over, seed, true);
        case "murmur2": return (long) murmur2(over, seed, false);
        case "jenkins": return (long) jenkins(over, seed);
        case "fold": return fold(over);
        case "crc32": return (long) checksum(new CRC32(), over);
        case "crc32c": return (long) checksum(new CRC32C(), over);
        case "md5": case "md5hex": return (long) ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(over)).getInt();
        case "sha256": case "sha256hex":
            return (long) ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(over)).getInt();
        default: return null;
        }
    }

    // wide: the hash has 64 bits.
    static long bucket(String remainder, long h, long n, boolean wide) {
        switch (remainder) {
        case "floorMod": return Math.floorMod(h, n);
        case "abs": return Math.abs(h % n);
        case "absFirst": // an int's Math.abs(MIN_VALUE) stays negative, then a byte
            return !wide && h == Integer.MIN_VALUE ? (byte) (Math.abs((int) h) % (int) n) & 0xff : Math.abs(h % n);
        case "truncated": return (byte) (h % n) & 0xff;
        case "zero": return 0; // OpenTSDB doesn't salt a metric of zeros
        case "unsigned": return Long.remainderUnsigned(wide ? h : h & 0xffffffffL, n);
        default: // the hash's first digits are the bucket
            return (h & 0xffffffffL) >>> (32 - Long.numberOfTrailingZeros(n));
        }
    }

    static byte[] prefix(String form, int width, long bucket) {
        switch (form) {
        case "bytes": { // beyond four the low ones repeat, as in OpenTSDB: an int is shifted modulo 32
            byte[] bytes = new byte[width];
            for (int i = 0; i < width; i++)
                bytes[i] = (byte) ((int) bucket >>> 8 * (width - 1 - i));
            return bytes;
        }
        case "hex": return ascii(digits(Long.toHexString(bucket), width - 1) + "_");
        case "dec": return ascii(digits(Long.toString(bucket), width - 1) + "_");
        default: return new byte[0];
        }
    }

    static String checkRow(String[] c) throws Exception {
        byte[] natural = hex(c[8]), built = natural(c[6]);
        long want = Long.parseLong(c[9]);
        if (built != null && !Arrays.equals(built, natural))
            return "natural key is " + HexFormat.of().formatHex(built);
        if (!c[0].equals("none")) {
            boolean wide = c[0].equals("fold");
            Long h = hash(c[0], (int) Long.parseLong(c[2]), hex(c[7]));
            if (h != null && bucket(c[1], h, Long.parseLong(c[3]), wide) != want)
                return "bucket is " + bucket(c[1], h, Long.parseLong(c[3]), wide);
        }
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row.writeBytes(prefix(c[4], Integer.parseInt(c[5]), want));
        row.writeBytes(natural);
        return Arrays.equals(row.toByteArray(), hex(c[10])) ? null : "row is " + HexFormat.of().formatHex(row.toByteArray());
    }

    public static void main(String[] args) throws Exception {
        int rows = 0, keys = 0, salts = 0;
        for (String file : args) {
            List<String> lines = Files.readAllLines(Path.of(file), StandardCharsets.US_ASCII);
            for (int i = 1; i < lines.size(); i++) {
                String[] c = lines.get(i).split("\t", -1);
                String wrong = checkRow(c);
                if (wrong != null) {
                    System.err.println(file + ":" + (i + 1) + ": " + wrong + "; the line is " + lines.get(i));
                    System.exit(1);
                }
                rows++;
                keys += natural(c[6]) == null ? 0 : 1;
                salts += c[0].equals("none") || hash(c[0], 0, new byte[0]) != null ? 1 : 0;
            }
        }
        System.out.println("java: " + rows + " rows hold; keys built " + keys + ", salts computed " + salts);
        if (keys < rows || salts < rows)
            System.out.println("java: NOT CHECKED: " + (rows - keys) + " keys, " + (rows - salts) + " salts");
        System.exit(keys > 0 && salts > 0 ? 0 : 1);
    }
}
