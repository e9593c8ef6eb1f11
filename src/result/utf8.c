/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/utf8.h"

size_t result_utf8_bytes(const unsigned char *text)
{
    size_t len = text[0] < 0x80 ? 1 : text[0] >= 0xC2 && text[0] <= 0xDF ? 2
               : text[0] >= 0xE0 && text[0] <= 0xEF ? 3 : text[0] >= 0xF0 && text[0] <= 0xF4 ? 4 : 0;
    for (size_t i = 1; i < len; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    return len;
}
