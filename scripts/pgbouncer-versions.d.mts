/** The PgBouncers that `npm run test:pgbouncer-versions` has brought, by the release of Debian that they are of. */
export function findPgBouncers(): readonly { readonly release: string; readonly program: string }[];
