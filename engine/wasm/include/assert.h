/* A failed assertion stops the verifier; the host sees a trap. The library's version would pull in
 * printf(). */
#ifndef TILLROLL_WASM_ASSERT_H
#define TILLROLL_WASM_ASSERT_H

#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#define static_assert _Static_assert

#endif
