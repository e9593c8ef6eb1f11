/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text: the reader ends, and what it takes prints to a scenario that reads back the same.
   Under libFuzzer (--enable-fuzzing) the texts come from there; else the program reads the files of
   its arguments, or changes the presets by a fixed rule. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"
#include "tests/scenario/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* `splits = file NAME` and `keys = NAME`: a name that reads from outside the corpus ends the game. */
static int names_a_file(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i + 4 < len; i++) {
        size_t k = i + 4;

        while (k + 1 < len && (bytes[k] == ' ' || bytes[k] == '\t'))
            k++;
        if ((memcmp(bytes + i, "file", 4) == 0 && k > i + 4) || (memcmp(bytes + i, "keys", 4) == 0 && bytes[k] == '='))
            return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct scenario_text text = {"fuzz.ini", (const char *)bytes, len};
    struct scenario_diags dgs = {0};
    struct scenario sc, again;
    struct text first = {0}, second = {0};
    enum scenario_status status;

    if (names_a_file(bytes, len))
        return 0;
    status = scenario_parse(&text, NULL, 0, &sc, &dgs);
    if ((status == SCENARIO_INVALID) != (dgs.errors > 0))
        abort();
    if (status == SCENARIO_OK) {
        print_scenario(&sc, &first);
        text.bytes = first.chars;
        text.len = first.len;
        diags_free(&dgs);
        if (scenario_parse(&text, NULL, 0, &again, &dgs) != SCENARIO_OK)
            abort();
        print_scenario(&again, &second);
        if (strcmp(first.chars, second.chars) != 0)
            abort();
        scenario_free(&again);
    }
    text_free(&first);
    text_free(&second);
    scenario_free(&sc);
    diags_free(&dgs);
    return 0;
}

#ifndef FUZZING

#define ROUNDS 4000
#define TEXT_MAX 8192

static uint64_t bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static size_t read_file(const char *path, uint8_t *bytes)
{
    FILE *in = fopen(path, "rb");
    size_t len;

    if (!in) {
        perror(path);
        exit(1);
    }
    len = fread(bytes, 1, TEXT_MAX, in);
    fclose(in);
    return len;
}

/* A few changes: other bytes, a piece doubled, a piece cut out, digits changed. */
static size_t change(uint8_t *bytes, size_t len, uint64_t *state)
{
    static const char signs[] = "[]=;#:,.\\x \t\n\r-0123456789%/kKMGs\xff\x00" "\xc3";

    for (uint64_t n = 1 + bits(state) % 4; n > 0 && len > 40; n--) {
        size_t at = bits(state) % (len - 20), piece = bits(state) % 20;

        switch (bits(state) % 4) {
        case 0:
            bytes[at] = (uint8_t)signs[bits(state) % (sizeof signs - 1)];
            break;
        case 1:
            memmove(bytes + at, bytes + at + piece, len - at - piece);
            len -= piece;
            break;
        case 2:
            if (len + piece > TEXT_MAX)
                break;
            memmove(bytes + at + piece, bytes + at, len - at);
            len += piece;
            break;
        default:
            if (bytes[at] >= '0' && bytes[at] <= '9')
                bytes[at] = (uint8_t)('0' + bits(state) % 10);
        }
    }
    return len;
}

int main(int argc, char **argv)
{
    static const char *const presets[] = {"iot-telemetry", "entity-salted-hot", "hashed-prefix", "reversed-sequence"};
    const char *srcdir = getenv("srcdir");
    uint8_t seed[TEXT_MAX], bytes[TEXT_MAX];
    uint64_t state = 5;

    for (int i = 1; i < argc; i++)
        LLVMFuzzerTestOneInput(bytes, read_file(argv[i], bytes));
    for (int i = 0; argc == 1 && i < 4; i++) {
        char path[1000];
        size_t len;

        snprintf(path, sizeof path, "%s/scenarios/%s.ini", srcdir ? srcdir : ".", presets[i]);
        len = read_file(path, seed);
        for (int k = 0; k < ROUNDS; k++) {
            memcpy(bytes, seed, len);
            LLVMFuzzerTestOneInput(bytes, change(bytes, len, &state));
        }
    }
    return 0;
}

#endif
