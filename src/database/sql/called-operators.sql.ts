/** The function behind each operator. $1 OIDs. */
export const calledOperatorsSql = `
SELECT called.oid AS "oid", called.oprcode::pg_catalog.oid AS "function"
  FROM pg_catalog.pg_operator AS called
 WHERE (called.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))`;
