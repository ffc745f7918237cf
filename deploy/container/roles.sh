#!/usr/bin/env bash
# Run by the image of PostgreSQL when it has made its cluster, after database.sql: gives the two users their passwords.
set -euo pipefail
psql -X -q -v ON_ERROR_STOP=1 -U postgres -d postgres <<SQL
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
ALTER ROLE tillroll_migrator PASSWORD '$(cat /run/secrets/migrator)';
ALTER ROLE tillrolld PASSWORD '$(cat /run/secrets/service)';
SQL
