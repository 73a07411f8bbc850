import type { ConnectionTarget } from '../database/target.ts';

/** The target as a `postgres://` URL that `parseTarget` reads back, without its password and without its TLS choice. */
export function toConnectionString({
  host,
  port,
  database,
  user,
  tlsFiles,
}: ConnectionTarget): string {
  const isSocket = host.startsWith('/');
  const place = isSocket ? '' : host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const parameters = new URLSearchParams({
    ...(isSocket && { host, port: String(port) }),
    ...(tlsFiles.ca !== null && { sslrootcert: tlsFiles.ca }),
    ...(tlsFiles.cert !== null && { sslcert: tlsFiles.cert }),
    ...(tlsFiles.key !== null && { sslkey: tlsFiles.key }),
  }).toString();
  const address = isSocket ? '' : `${place}:${port}`;
  return `postgres://${encodeURIComponent(user)}@${address}/${encodeURIComponent(database)}${parameters === '' ? '' : `?${parameters}`}`;
}
