/** Probed when the user names no statement: a light read that keeps one core of the server busy. */
export const standInSql =
  'SELECT pg_catalog.count(*), pg_catalog.avg(n) FROM pg_catalog.generate_series(1, 2000) AS n';
