/* The key stream of ChaCha20 (RFC 8439) in plain C; other builds of the engine use libsodium's. */
#ifndef TILLROLL_ENGINE_WASM_CHACHA20_H
#define TILLROLL_ENGINE_WASM_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

enum { CHACHA20_BLOCK = 64, CHACHA20_KEY = 32, CHACHA20_NONCE = 12 };

/* Block `counter` of the stream. */
void chacha20_block(uint8_t block[static CHACHA20_BLOCK], const uint8_t key[static CHACHA20_KEY],
                    const uint8_t nonce[static CHACHA20_NONCE], uint32_t counter);

#endif
