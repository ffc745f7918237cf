#include "api/pages/html.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static const char *escape_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(struct growing *html, struct span text)
{
    size_t plain = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char *escape = escape_of(text.at[i]);
        if (escape == NULL)
            continue;
        growing_add(html, (struct span){text.at + plain, i - plain});
        growing_add(html, span_of(escape));
        plain = i + 1;
    }
    growing_add(html, (struct span){text.at + plain, text.length - plain});
}

static void write_number(struct growing *html, long long number)
{
    char digits[24];
    struct text text = TEXT_OVER(digits);
    text_add_number(&text, number);
    growing_add(html, text_span(&text));
}

static void write_string(struct growing *html, const char *text)
{
    if (text != NULL)
        html_text(html, span_of(text));
}

void html_write(struct growing *html, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (const char *sign; (sign = strchr(format, '%')) != NULL;) {
        growing_add(html, (struct span){format, (size_t)(sign - format)});
        format = sign + 2;
        switch (sign[1]) {
        case 's':
            write_string(html, va_arg(values, const char *));
            break;
        case 'd':
            write_number(html, va_arg(values, int));
            break;
        case 'l':
            assert(format[0] == 'l' && format[1] == 'd');
            write_number(html, va_arg(values, long long));
            format += 2;
            break;
        default:
            assert(sign[1] == '%');
            growing_add(html, span_of("%"));
        }
    }
    growing_add(html, span_of(format));
    va_end(values);
}
