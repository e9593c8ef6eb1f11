/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/findings.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *made = malloc(size);

    return made ? memcpy(made, text, size) : NULL;
}

static void release(struct result_finding *f)
{
    free(f->field);
    free(f->why);
    free(f->todo);
}

bool result_findings_have(const struct result_findings *list, const struct result_finding *f)
{
    for (size_t i = 0; i < list->len; i++) {
        const struct result_finding *own = &list->all[i];

        if (strcmp(own->rule, f->rule) == 0 && strcmp(own->field, f->field) == 0 && strcmp(own->why, f->why) == 0)
            return true;
    }
    return false;
}

int result_findings_add(struct result_findings *list, const struct result_finding *words)
{
    if (result_findings_have(list, words))
        return 0;

    struct result_finding made = {words->rule, copy(words->field), copy(words->why), copy(words->todo)};
    struct result_finding *all = made.field && made.why && made.todo ? realloc(list->all, (list->len + 1) * sizeof *all) : NULL;

    if (!all) {
        release(&made);
        return -1;
    }
    list->all = all;
    all[list->len++] = made;
    return 0;
}

void result_findings_free(struct result_findings *list)
{
    for (size_t i = 0; i < list->len; i++)
        release(&list->all[i]);
    free(list->all);
    list->all = NULL;
    list->len = 0;
}
