import type { ConnectionTarget, TlsChoice } from '../../database/target.ts';

/** A connection that a user made, as it is kept: without its password. */
export interface SavedConnection {
  readonly name: string;
  readonly target: ConnectionTarget;
}

const mostConnections = 500;
const tlsChoices: readonly TlsChoice[] = ['off', 'verify', 'no-verify'];

/**
 * Reads what the editor kept. Connections had no names once: those are called like their database.
 * What cannot be read, since another version wrote it or something broke it, is left out.
 */
export function readSavedState(raw: unknown): readonly SavedConnection[] {
  if (!Array.isArray(raw)) return [];
  return (raw as readonly unknown[]).slice(0, mostConnections).flatMap((each) => {
    if (!isRecord(each)) return [];
    const target = readTarget('target' in each ? each['target'] : each);
    return target === undefined
      ? []
      : [{ name: isName(each['name']) ? each['name'] : target.database, target }];
  });
}

function readTarget(raw: unknown): ConnectionTarget | undefined {
  if (!isRecord(raw)) return undefined;
  const { host, port, database, user, tlsChosenBy } = raw;
  const tls = tlsChoices.find((each) => each === raw['tls']);
  if (!isName(host) || !isName(database) || !isName(user) || !isPort(port) || tls === undefined)
    return undefined;
  return {
    host,
    port,
    database,
    user,
    tls,
    tlsChosenBy:
      tlsChosenBy === 'default' || tlsChosenBy === 'user' ? tlsChosenBy : 'connection string',
    tlsFiles: readFiles(raw['tlsFiles']),
  };
}

function readFiles(raw: unknown): ConnectionTarget['tlsFiles'] {
  const file = (name: string): string | null =>
    isRecord(raw) && isName(raw[name]) ? raw[name] : null;
  return { ca: file('ca'), cert: file('cert'), key: file('key') };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
