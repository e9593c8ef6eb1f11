/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"
#include "saltkey.h"

const char *saltkey_version(void)
{
    return PACKAGE_VERSION;
}
