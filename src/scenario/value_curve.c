/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of [stream] that move its rate and its rows' event times: day curve, bursts, growth, when it
   writes at all, and late rows. */
#include <string.h>

#include "scenario/key.h"
#include "spec/spec.h"

#define DAY_NS (INT64_C(86400) * SPEC_NS_PER_S)
#define FACTOR_MAX 1000
#define GAIN_MAX 10

static bool wrong_form(struct key_reader *rd, struct word wd)
{
    if (wd.len == 0)
        reader_error(rd, wd.at, "something is missing");
    else
        reader_error(rd, wd.at, "'%.*s' is not expected here", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

static bool expect(struct key_reader *rd, struct words *wds, const char *word)
{
    struct word wd;

    return (words_next(wds, &wd) && word_is(wd, word)) || wrong_form(rd, wd);
}

static bool read_span(struct key_reader *rd, struct words *wds, int64_t *out)
{
    struct word wd;

    if (!words_next(wds, &wd))
        return wrong_form(rd, wd);
    if (!reader_whole(rd, UNIT_DURATION, wd, out))
        return false;
    return *out > 0 || reader_error(rd, wd.at, "a span of time above 0 is needed here");
}

static bool read_share(struct key_reader *rd, struct words *wds, double most, double *out)
{
    struct word wd;

    if (!words_next(wds, &wd))
        return wrong_form(rd, wd);
    if (!reader_real(rd, UNIT_RATIO, wd, out))
        return false;
    return (*out > 0 && *out <= most) || reader_error(rd, wd.at, "a share above 0, at most %g %%", most * 100);
}

/* The number behind an x. */
static bool read_factor(struct key_reader *rd, struct word wd, double *out)
{
    if (wd.len < 2 || wd.chars[0] != 'x')
        return wrong_form(rd, wd);
    wd.chars++;
    wd.at++;
    wd.len--;
    if (!reader_real(rd, UNIT_NUMBER, wd, out))
        return false;
    return (*out > 0 && *out <= FACTOR_MAX) || reader_error(rd, wd.at, "a factor above 0, at most %d", FACTOR_MAX);
}

/* `flat`, `day 50% peak 14h` */
bool read_curve(struct key_reader *rd, void *target)
{
    struct spec_curve *c = &((struct spec_stream *)target)->curve;
    struct words wds = words_of(rd->value);
    struct word wd;

    c->day_swing = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "flat"))
        return reader_end(rd, &wds);
    if (!word_is(wd, "day"))
        return wrong_form(rd, wd);
    if (!read_share(rd, &wds, 1, &c->day_swing) || !expect(rd, &wds, "peak"))
        return false;
    if (!words_next(&wds, &wd))
        return wrong_form(rd, wd);
    if (!reader_whole(rd, UNIT_DURATION, wd, &c->day_peak_ns))
        return false;
    if (c->day_peak_ns >= DAY_NS)
        return reader_error(rd, wd.at, "a time of day lies below 24h");
    return reader_end(rd, &wds);
}

bool write_curve(const void *target, size_t i, struct text *out)
{
    const struct spec_curve *c = &((const struct spec_stream *)target)->curve;
    char share[UNIT_TEXT_CAP], peak[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (c->day_swing == 0) {
        text_add(out, "flat");
        return true;
    }
    unit_write_real(UNIT_RATIO, c->day_swing, share);
    unit_write_whole(UNIT_DURATION, c->day_peak_ns, peak);
    text_add(out, "day %s peak %s", share, peak);
    return true;
}

/* `x5 for 2m every 1h` */
bool read_bursts(struct key_reader *rd, void *target)
{
    struct spec_curve *c = &((struct spec_stream *)target)->curve;
    struct words wds = words_of(rd->value);
    struct spec_burst b = {0, 0, 0};
    struct word wd;

    if (rd->nth == 0)
        c->bursts_len = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "none") && rd->nth == 0)
        return reader_end(rd, &wds);
    if (c->bursts_len == SPEC_BURSTS_MAX)
        return reader_error(rd, wd.at, "at most %d lines of bursts", SPEC_BURSTS_MAX);
    if (!read_factor(rd, wd, &b.factor) || !expect(rd, &wds, "for") || !read_span(rd, &wds, &b.for_ns) ||
        !expect(rd, &wds, "every"))
        return false;
    if (!read_span(rd, &wds, &b.every_ns))
        return false;
    if (b.for_ns >= b.every_ns)
        return reader_error(rd, 0, "a burst must be shorter than its period");
    c->bursts[c->bursts_len++] = b;
    return reader_end(rd, &wds);
}

bool write_bursts(const void *target, size_t i, struct text *out)
{
    const struct spec_curve *c = &((const struct spec_stream *)target)->curve;
    char factor[UNIT_TEXT_CAP], length[UNIT_TEXT_CAP], every[UNIT_TEXT_CAP];

    if (i == 0 && c->bursts_len == 0) {
        text_add(out, "none");
        return true;
    }
    if (i >= c->bursts_len)
        return false;
    unit_write_real(UNIT_NUMBER, c->bursts[i].factor, factor);
    unit_write_whole(UNIT_DURATION, c->bursts[i].for_ns, length);
    unit_write_whole(UNIT_DURATION, c->bursts[i].every_ns, every);
    text_add(out, "x%s for %s every %s", factor, length, every);
    return true;
}

/* `none`, `x2 in 1y`, `+3% every 30d` */
bool read_stream_growth(struct key_reader *rd, void *target)
{
    struct spec_curve *c = &((struct spec_stream *)target)->curve;
    struct words wds = words_of(rd->value);
    struct word wd;

    c->growth_factor = c->growth_gain = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "none"))
        return reader_end(rd, &wds);
    if (wd.len > 1 && wd.chars[0] == 'x')
        return read_factor(rd, wd, &c->growth_factor) && expect(rd, &wds, "in") &&
               read_span(rd, &wds, &c->growth_in_ns) && reader_end(rd, &wds);
    if (wd.len < 2 || wd.chars[0] != '+')
        return wrong_form(rd, wd);
    wd.chars++;
    wd.at++;
    wd.len--;
    if (!reader_real(rd, UNIT_RATIO, wd, &c->growth_gain))
        return false;
    if (!(c->growth_gain > 0 && c->growth_gain <= GAIN_MAX))
        return reader_error(rd, wd.at, "a gain above 0, at most 1000 %%");
    return expect(rd, &wds, "every") && read_span(rd, &wds, &c->growth_every_ns) && reader_end(rd, &wds);
}

bool write_stream_growth(const void *target, size_t i, struct text *out)
{
    const struct spec_curve *c = &((const struct spec_stream *)target)->curve;
    char number[UNIT_TEXT_CAP], span[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (c->growth_factor > 0) {
        unit_write_real(UNIT_NUMBER, c->growth_factor, number);
        unit_write_whole(UNIT_DURATION, c->growth_in_ns, span);
        text_add(out, "x%s in %s", number, span);
    } else if (c->growth_gain > 0) {
        unit_write_real(UNIT_RATIO, c->growth_gain, number);
        unit_write_whole(UNIT_DURATION, c->growth_every_ns, span);
        text_add(out, "+%s every %s", number, span);
    } else {
        text_add(out, "none");
    }
    return true;
}

/* `all`, `from 30d`, `from 30d to 60d` */
bool read_active(struct key_reader *rd, void *target)
{
    struct spec_stream *st = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    st->from_ns = st->until_ns = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "all"))
        return reader_end(rd, &wds);
    if (!word_is(wd, "from"))
        return wrong_form(rd, wd);
    if (!words_next(&wds, &wd))
        return wrong_form(rd, wd);
    if (!reader_whole(rd, UNIT_DURATION, wd, &st->from_ns))
        return false;
    if (!words_next(&wds, &wd))
        return true;
    if (!word_is(wd, "to"))
        return wrong_form(rd, wd);
    if (!read_span(rd, &wds, &st->until_ns))
        return false;
    if (st->until_ns <= st->from_ns)
        return reader_error(rd, wd.at, "the end does not lie behind the beginning");
    return reader_end(rd, &wds);
}

bool write_active(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *st = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (st->from_ns == 0 && st->until_ns == 0) {
        text_add(out, "all");
        return true;
    }
    unit_write_whole(UNIT_DURATION, st->from_ns, text);
    text_add(out, "from %s", text);
    if (st->until_ns > 0) {
        unit_write_whole(UNIT_DURATION, st->until_ns, text);
        text_add(out, " to %s", text);
    }
    return true;
}

/* `none`, `5% up to 10m` */
bool read_late(struct key_reader *rd, void *target)
{
    struct spec_stream *st = target;
    struct words wds = words_of(rd->value);
    struct words first = wds;
    struct word wd;

    st->late_share = 0;
    st->late_up_to_ns = 0;
    words_next(&first, &wd);
    if (word_is(wd, "none"))
        return reader_end(rd, &first);
    return read_share(rd, &wds, 1, &st->late_share) && expect(rd, &wds, "up") && expect(rd, &wds, "to") &&
           read_span(rd, &wds, &st->late_up_to_ns) && reader_end(rd, &wds);
}

bool write_late(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *st = target;
    char share[UNIT_TEXT_CAP], span[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (st->late_share == 0) {
        text_add(out, "none");
        return true;
    }
    unit_write_real(UNIT_RATIO, st->late_share, share);
    unit_write_whole(UNIT_DURATION, st->late_up_to_ns, span);
    text_add(out, "%s up to %s", share, span);
    return true;
}
