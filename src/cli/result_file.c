/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/result_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "result/json.h"

enum cli_exit cli_read_result(const char *operand, struct result *res, char folder[RESULT_PATH_MAX])
{
    struct stat st;
    const char *slash = strrchr(operand, '/');
    char path[RESULT_PATH_MAX + 16], message[600] = "";
    int rc;

    if (strlen(operand) >= RESULT_PATH_MAX) {
        cli_error("the path of the result is too long");
        return CLI_FILE;
    }
    if (stat(operand, &st) == 0 && S_ISDIR(st.st_mode)) {
        snprintf(path, sizeof path, "%s/result.json", operand);
        snprintf(folder, RESULT_PATH_MAX, "%s", operand);
    } else {
        snprintf(path, sizeof path, "%s", operand);
        if (slash)
            snprintf(folder, RESULT_PATH_MAX, "%.*s", slash == operand ? 1 : (int)(slash - operand), operand);
        else
            strcpy(folder, ".");
    }
    rc = result_read_json(path, message, sizeof message, res);
    if (rc == 0)
        return CLI_DONE;
    cli_error("%s", message);
    if (rc == RESULT_READ_FILE)
        cli_hint("a result is made by: saltplan sim SCENARIO -o DIR");
    return rc == RESULT_READ_MEMORY ? CLI_INTERNAL : CLI_FILE;
}
