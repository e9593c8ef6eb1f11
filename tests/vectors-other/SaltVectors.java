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
        Pattern.compile("([a-z0-9]+)(?:\\((\\d+)\\))?(:desc)?(?:\\+([0-9a-f]{2}))?=(.*)");

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
        case "bytes": case "text": case "rawtext":
            return hex(value);
        case "num":
            return ascii(value);
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
                                               m.group(5)) : null;
            if (bytes == null)
                return null;
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

    static int checksum(Checksum c, byte[] b) {
        c.update(b, 0, b.length);
        return (int) c.getValue();
    }

    // Null for a hash that this program doesn't have.
    static Integer hash(String name, int seed, byte[] over) throws Exception {
        switch (name) {
        case "arrays-hash": return Arrays.hashCode(over);
        case "string-hash": return new String(over, StandardCharsets.UTF_8).hashCode();
        case "murmur3": return murmur3(over, seed);
        case "crc32": return checksum(new CRC32(), over);
        case "crc32c": return checksum(new CRC32C(), over);
        case "md5": case "md5hex": return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(over)).getInt();
        case "sha256": case "sha256hex":
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(over)).getInt();
        default: return null;
        }
    }

    static long bucket(String remainder, int h, long buckets) {
        int n = (int) buckets;
        switch (remainder) {
        case "floorMod": return Math.floorMod(h, n);
        case "abs": return Math.abs(h % n);
        case "absFirst": return h == Integer.MIN_VALUE ? (byte) (Math.abs(h) % n) & 0xff : Math.abs(h) % n;
        case "truncated": return (byte) (h % n) & 0xff;
        case "unsigned": return Integer.remainderUnsigned(h, n);
        default: // the hash's first digits are the bucket
            return Integer.toUnsignedLong(h) >>> (32 - Long.numberOfTrailingZeros(buckets));
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
            Integer h = hash(c[0], Integer.parseInt(c[2]), hex(c[7]));
            if (h != null && bucket(c[1], h, Long.parseLong(c[3])) != want)
                return "bucket is " + bucket(c[1], h, Long.parseLong(c[3]));
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
        System.exit(rows > 0 ? 0 : 1);
    }
}
