#!/usr/bin/env bash
# Run by PostgreSQL's image after creating the cluster and running database.sql: sets the passwords of the two users.
set -euo pipefail
psql -X -q -v ON_ERROR_STOP=1 -U postgres -d postgres <<SQL
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
ALTER ROLE tillroll_migrator PASSWORD '$(cat /run/secrets/migrator)';
ALTER ROLE tillrolld PASSWORD '$(cat /run/secrets/service)';
SQL
