/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/result_file.h"

#include <stdio.h>
#include <sys/stat.h>

#include "result/json.h"

enum cli_exit cli_read_result(const char *operand, struct result *res)
{
    char path[4096], message[600] = "";
    struct stat st;
    int rc;

    snprintf(path, sizeof path, stat(operand, &st) == 0 && S_ISDIR(st.st_mode) ? "%s/result.json" : "%s", operand);
    rc = result_read_json(path, message, sizeof message, res);
    if (rc == 0)
        return CLI_DONE;
    cli_error("%s", message);
    return rc == RESULT_READ_MEMORY ? CLI_INTERNAL : CLI_FILE;
}
