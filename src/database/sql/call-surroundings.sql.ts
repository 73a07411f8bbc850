/**
 * One row: as whom and along which path a session calls, and what may be called without being named: operators that
 * the database has beside those of PostgreSQL and of extensions, and domains with a CHECK, which runs as a literal is
 * read.
 */
export const callSurroundingsSql = `
SELECT current_user::pg_catalog.text AS "role",
       EXISTS (SELECT FROM pg_catalog.pg_roles AS self
                WHERE self.rolsuper AND ((self.rolname OPERATOR(pg_catalog.=) current_user)
                   OR (self.rolname OPERATOR(pg_catalog.=) session_user))) AS "isSuperuser",
       pg_catalog.current_schemas(true)::pg_catalog.text[] AS "schemas",
       (SELECT coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('symbol', own.oprname, 'oid', own.oid::pg_catalog.int8)),
                        '[]'::pg_catalog.jsonb)
          FROM pg_catalog.pg_operator AS own
         WHERE (own.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid) AND NOT EXISTS (
         SELECT FROM pg_catalog.pg_depend AS member
          WHERE (member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass)
            AND (member.objid OPERATOR(pg_catalog.=) own.oid)
            AND (member.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'e'::pg_catalog.text))) AS "operators",
       ARRAY(SELECT DISTINCT condition.contypid FROM pg_catalog.pg_constraint AS condition
              WHERE (condition.contypid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid)) AS "domains"`;
