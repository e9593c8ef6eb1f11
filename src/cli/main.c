/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "saltkey.h"

int main(void)
{
    printf("saltplan %s\n", saltkey_version());
    return 0;
}
