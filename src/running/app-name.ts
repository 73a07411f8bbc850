/** What an application is called for people, by its script and the folder that it was started in: "server.js (orders)". */
export function appName(script: string, folder: string): string {
  const place = lastPart(folder);
  const program = lastPart(script) || 'node';
  return place === '' ? program : `${program} (${place})`;
}

/** Of a path of either kind of system, since the application tells it. */
function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}
