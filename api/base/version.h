/* The version of the programs, which is that of the API: `info.version` of api/openapi/api.json. */
#ifndef TILLROLL_API_BASE_VERSION_H
#define TILLROLL_API_BASE_VERSION_H

/* Three numbers with dots between them; static. */
const char *version_text(void);

#endif
