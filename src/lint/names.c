/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a field's name says of its values. Names are compared word by word: "user_email", "userEmail" and
   "user-email" are two words each. */
#include <ctype.h>
#include <string.h>

#include "lint/subject.h"

#define WORDS 8
#define WORD_CAP 32

struct name_words {
    char word[WORDS][WORD_CAP];
    size_t len;
};

static void split(const char *name, struct name_words *w)
{
    size_t at = 0;

    memset(w, 0, sizeof *w);
    for (const char *c = name; *c && w->len < WORDS; c++) {
        const bool letter = isalnum((unsigned char)*c);
        const bool start = isupper((unsigned char)*c) && c > name && islower((unsigned char)c[-1]);

        if ((!letter || start) && at > 0) {
            w->len++;
            at = 0;
        }
        if (letter && w->len < WORDS && at + 1 < WORD_CAP)
            w->word[w->len][at++] = (char)tolower((unsigned char)*c);
    }
    w->len += at > 0;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static bool has_one_of(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->len; i++)
        if (is_one_of(w->word[i], list))
            return true;
    return false;
}

bool lint_named_number(const char *name)
{
    static const char *const numbers[] = {"amount", "count", "number", "num", "price", "quantity", "qty", "size", "version",
                                          "seq", "sequence", "offset", "counter", NULL};
    struct name_words w;

    split(name, &w);
    return w.len > 0 && is_one_of(w.word[w.len - 1], numbers);
}

bool lint_named_few(const char *name)
{
    static const char *const few[] = {"region", "country", "state", "continent", "zone", "dc", "datacenter", "env", "environment",
                                      "status", "type", "kind", "category", "class", "level", "severity", "priority", "gender",
                                      "language", "lang", "locale", "currency", "shift", "weekday", "month", "flag", NULL};
    struct name_words w;

    split(name, &w);
    if (w.len > 1 && (strcmp(w.word[w.len - 1], "code") == 0 || strcmp(w.word[w.len - 1], "id") == 0))
        w.len--;
    return w.len > 0 && is_one_of(w.word[w.len - 1], few);
}

bool lint_named_person(const char *name)
{
    static const char *const always[] = {"email", "mail", "phone", "telephone", "phonenumber", "phoneno", "emailaddress", "msisdn",
                                         "mobile", "ssn", "nin", "passport", "iban", "imsi", "birthday", "birthdate", "dob",
                                         "firstname", "lastname", "surname", "fullname", "forename", "username", "creditcard",
                                         "cardnumber", "pan", "street", "ip", "ipaddr", "ipaddress", "licence", "license", NULL};
    static const char *const persons[] = {"user", "customer", "client", "patient", "person", "employee", "owner", "member",
                                          "subscriber", "account", "first", "last", "full", "family", "given", "sur", NULL};
    static const char *const of_person[] = {"name", "address", "birth", NULL};
    static const char *const hidden[] = {"hash", "hashed", "hmac", "digest", "sha", "sha1", "sha256", "md5", "token", "pseudonym",
                                         "encrypted", NULL};
    struct name_words w;

    split(name, &w);
    if (has_one_of(&w, hidden))
        return false;
    return has_one_of(&w, always) || (has_one_of(&w, persons) && has_one_of(&w, of_person)) ||
           (w.len > 1 && strcmp(w.word[0], "credit") == 0 && strcmp(w.word[1], "card") == 0);
}
