/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/html.h"

#include <stdint.h>
#include <string.h>

/* Length of the UTF-8 sequence at |text|, 0 where there is none. */
static size_t utf8_length(const unsigned char *text)
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

void html_text(FILE *to, const char *text)
{
    const unsigned char *at = (const unsigned char *)(text ? text : "-");
    while (*at) {
        size_t len = utf8_length(at);
        if (*at == '&')
            fputs("&amp;", to);
        else if (*at == '<')
            fputs("&lt;", to);
        else if (*at == '>')
            fputs("&gt;", to);
        else if (*at == '"')
            fputs("&quot;", to);
        else if (len == 0 || *at < 0x20 || *at == 0x7F)
            fputc(*at == '\n' || *at == '\t' ? ' ' : '?', to);
        else
            fwrite(at, 1, len, to);
        at += len ? len : 1;
    }
}

void html_element(FILE *to, const char *tag, const char *class, const char *text)
{
    if (class)
        fprintf(to, "<%s class=\"%s\">", tag, class);
    else
        fprintf(to, "<%s>", tag);
    html_text(to, text);
    fprintf(to, "</%s>\n", tag);
}

void html_table_open(FILE *to, const char *const *names)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr>", to);
    for (; *names; names++) {
        bool number = (*names)[0] == '#';
        fprintf(to, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
        html_text(to, *names + number);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
}

void html_table_close(FILE *to)
{
    fputs("</tbody>\n</table></div>\n", to);
}

void html_cell(FILE *to, const char *text, bool number)
{
    fputs(number ? "<td class=\"n\">" : "<td>", to);
    html_text(to, text);
    fputs("</td>", to);
}

void html_base64(FILE *to, const void *bytes, size_t len)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i += 3) {
        uint32_t three = (uint32_t)at[i] << 16;
        if (i + 1 < len)
            three |= (uint32_t)at[i + 1] << 8;
        if (i + 2 < len)
            three |= at[i + 2];
        fputc(letters[three >> 18], to);
        fputc(letters[three >> 12 & 63], to);
        fputc(i + 1 < len ? letters[three >> 6 & 63] : '=', to);
        fputc(i + 2 < len ? letters[three & 63] : '=', to);
    }
}
