/**
 * What the role of this session may do beyond SQL. One row for the role that logged in, and another for the current one
 * where that differs: any function that is called can return to the first (`set_config('role', 'none', true)`).
 *
 * MEMBER follows memberships of every kind, also those that are not inherited: SET ROLE gives what they do not.
 */
export const roleRightsSql = `
SELECT who.rolname::pg_catalog.text AS "name",
       (who.rolname OPERATOR(pg_catalog.=) session_user) AS "isLogin",
       who.rolsuper AS "isSuperuser",
       ARRAY(SELECT power.rolname::pg_catalog.text
               FROM pg_catalog.pg_roles AS power
              WHERE NOT who.rolsuper
                AND (power.rolsuper OR (power.rolname OPERATOR(pg_catalog.=) ANY (
                      '{pg_execute_server_program,pg_read_server_files,pg_write_server_files}'::pg_catalog.name[])))
                AND pg_catalog.pg_has_role(who.oid, power.oid, 'MEMBER'::pg_catalog.text)
              ORDER BY power.rolname) AS "memberOf"
  FROM pg_catalog.pg_roles AS who
 WHERE (who.rolname OPERATOR(pg_catalog.=) session_user) OR (who.rolname OPERATOR(pg_catalog.=) current_user)
 ORDER BY (who.rolname OPERATOR(pg_catalog.=) session_user) DESC`;
