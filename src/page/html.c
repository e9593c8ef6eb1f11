/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/html.h"

#include <stdint.h>

#include "result/utf8.h"

void html_text(FILE *to, const char *text)
{
    const unsigned char *at = (const unsigned char *)(text ? text : "-");
    while (*at) {
        size_t len = result_utf8_bytes(at);
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
