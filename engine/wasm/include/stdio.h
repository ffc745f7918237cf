/* Inside browsers nobody reads standard error, and writing there would need functions that pages do
 * not give. */
#pragma GCC system_header
#include_next <stdio.h>

#define fputs(text, stream) ((void)(text))
