/* Functions of the stand-in for Jansson (engine/wasm/include/jansson.h) beyond Jansson's own. */
#ifndef TILLROLL_ENGINE_WASM_JSON_H
#define TILLROLL_ENGINE_WASM_JSON_H

#include <jansson.h>

#include "engine/base/text.h"

/* Appends the value as JSON text, which must fit, and frees all values. Returns the text's bytes.
 */
const char *json_answer(const json_t *value, struct text text);

/* Appends UTF-8 text as a JSON string. */
void json_write_string(struct span string, struct text *text);

/* Frees all values. */
void json_forget_all(void);

#endif
