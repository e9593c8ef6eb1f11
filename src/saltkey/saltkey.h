/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SALTKEY_H
#define SALTKEY_H
const char *saltkey_version(void);
#endif
