/* Prints the table of routes, one a line: method, path, access, scope, roles, `page` or `api`, and
 * office. Scope, roles and office are `-` where there are none. */
#include <stdio.h>

#include "api/request/access.h"
#include "api/request/documents.h"

static void print_set(unsigned set, const char *(*name)(unsigned bit))
{
    const char *between = " ";
    for (unsigned bit = 0; name(bit) != NULL; bit++) {
        if ((set >> bit & 1) == 0)
            continue;
        printf("%s%s", between, name(bit));
        between = ",";
    }
    if (set == 0)
        printf(" -");
}

int main(void)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const struct route *route = route_at(i);
        printf("%s %s %s", http_method_name(route->method), route->path,
               access_name(route->access));
        print_set(route->scope, scope_name);
        print_set(route->roles, role_name);
        const char *office = office_name(route->office);
        printf(" %s %s\n", route->page ? "page" : "api", *office == '\0' ? "-" : office);
    }
    return 0;
}
