/* The verifier for browsers shows nothing as JSON: the type is all that the rules' headers need. */
#ifndef TILLROLL_WASM_JANSSON_H
#define TILLROLL_WASM_JANSSON_H

typedef struct json_t json_t;

#endif
