-- Who owns what. The owner has no login; the service owns nothing and gets each right by name;
-- PUBLIC gets none. Sealed secrets are kept apart, so that a dump of `tillroll` holds none of them.

-- Roles belong to the whole cluster and may be there already. A migrating user that may not create
-- roles can go on if somebody else has made them.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_owner') THEN
        CREATE ROLE tillroll_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_service') THEN
        CREATE ROLE tillroll_service NOLOGIN;
    END IF;
    IF NOT pg_catalog.pg_has_role(current_user, 'tillroll_owner', 'MEMBER') THEN
        EXECUTE pg_catalog.format('GRANT tillroll_owner TO %I', current_user);
    END IF;
END
$$;

-- Only the database's owner can do this; elsewhere its administrator has to.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_database
               WHERE datname = current_database()
                 AND pg_catalog.pg_has_role(current_user, datdba, 'MEMBER')) THEN
        EXECUTE pg_catalog.format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
        EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO tillroll_service',
                                  current_database());
        EXECUTE pg_catalog.format('GRANT CONNECT, CREATE ON DATABASE %I TO tillroll_owner',
                                  current_database());
    END IF;
END
$$;

-- Large objects stand outside of schemas and their grants; only a superuser can close them.
DO $$
DECLARE
    each regprocedure;
BEGIN
    IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
        FOR each IN SELECT oid FROM pg_catalog.pg_proc
                    WHERE pronamespace = 'pg_catalog'::regnamespace
                      AND (proname LIKE 'lo\_%' OR proname IN ('loread', 'lowrite')) LOOP
            EXECUTE pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', each);
        END LOOP;
    END IF;
END
$$;

CREATE SCHEMA tillroll AUTHORIZATION tillroll_owner;
CREATE SCHEMA tillroll_vault AUTHORIZATION tillroll_owner;

SET LOCAL ROLE tillroll_owner;

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA tillroll, tillroll_vault TO tillroll_service;

-- Written by the migrator, in the transaction of the migration itself.
CREATE TABLE tillroll.migration (
    number integer PRIMARY KEY CHECK (number >= 1),
    name text NOT NULL CHECK (name ~ '^[0-9]{4}_[a-z0-9_]+\.sql$'),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    applied_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT ON tillroll.migration TO tillroll_service;

-- The service counts time in milliseconds since 1970. Both are exact.
CREATE FUNCTION tillroll.from_ms(ms bigint) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond';

CREATE FUNCTION tillroll.to_ms(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (extract(epoch FROM moment) * 1000)::bigint;

GRANT EXECUTE ON FUNCTION tillroll.from_ms(bigint), tillroll.to_ms(timestamptz)
    TO tillroll_service;

-- The second line behind the grants: for tables that only grow, nobody changes what is there.
CREATE FUNCTION tillroll.refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '% refused: %.% only grows', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

-- ALWAYS: also in sessions that switch triggers off with session_replication_role.
CREATE PROCEDURE tillroll.make_append_only(grows regclass)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
                   'FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change()', grows);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only', grows);
END
$$;
