-- Roles and database, for psql as an administrator of the cluster, before the first migration. Can be run again. The roles are
-- made here, so that the migrating user needs no right to make roles: in PostgreSQL 15 that right is close to a superuser's.

\connect template1
-- Large objects have no schema whose grants could keep the service out. New databases copy this.
SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
    FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace
      AND (proname LIKE 'lo\_%' OR proname IN ('loread', 'lowrite')) \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;

\connect postgres
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tillroll_owner') THEN
        CREATE ROLE tillroll_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tillroll_service') THEN
        CREATE ROLE tillroll_service NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tillroll_migrator') THEN
        CREATE ROLE tillroll_migrator LOGIN IN ROLE tillroll_owner;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tillrolld') THEN
        CREATE ROLE tillrolld LOGIN IN ROLE tillroll_service;
    END IF;
END
$$;
REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;
SELECT 'CREATE DATABASE tillroll OWNER tillroll_owner'
    WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'tillroll') \gexec

\connect tillroll
REVOKE ALL ON DATABASE tillroll FROM PUBLIC;
GRANT CONNECT ON DATABASE tillroll TO tillroll_service;
