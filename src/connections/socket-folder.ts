/**
 * Where a server of this machine has its socket: libpq's own default, those of Debian and Fedora, and of macOS. Anywhere else whoever may
 * write there may answer, so that libpq does not take such a folder for `localhost` either (fe-connect.c, passwordFromFile).
 */
export function isUsualSocketFolder(host: string): boolean {
  return /^(?:\/tmp|(?:\/var)?\/run\/postgresql|\/private\/tmp|\/var\/pgsql_socket)\/?$/.test(host);
}
