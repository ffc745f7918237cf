/* What must hold ends the verifier where it does not; whoever runs it sees a trap. The library's
 * way would bring a printf() along. */
#ifndef TILLROLL_WASM_ASSERT_H
#define TILLROLL_WASM_ASSERT_H

#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#define static_assert _Static_assert

#endif
