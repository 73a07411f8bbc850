import { join } from 'node:path';
import type { Environment } from '../database/target.ts';
import { parsePgpass, type PgpassLine } from './pgpass.ts';
import { readBounded } from './read-bounded.ts';
import { parseServiceFile, type Services } from './service-file.ts';

/** Whose files are read. */
export interface Machine {
  readonly environment: Environment;
  /** The home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

export interface PasswordFile {
  /** As people call it. */
  readonly file: string;
  readonly lines: readonly PgpassLine[];
  /** A sentence when libpq would not use it either. */
  readonly warning: string | null;
}

/** `PGPASSFILE`, or else `~/.pgpass` (`%APPDATA%\postgresql\pgpass.conf` on Windows). */
export async function readPasswordFile({
  environment,
  home,
  platform,
}: Machine): Promise<PasswordFile> {
  const isWindows = platform === 'win32';
  const usual = isWindows
    ? join(environment['APPDATA'] ?? home, 'postgresql', 'pgpass.conf')
    : join(home, '.pgpass');
  const path = environment['PGPASSFILE'] || usual;
  const file = callIt(path, home);
  const read = await readBounded(path, { isPrivate: !isWindows });
  if (read.kind === 'open to others')
    return {
      file,
      lines: [],
      warning: `${file} was ignored because its group or others have access to it. Run chmod 600 on it.`,
    };
  return { file, lines: read.kind === 'text' ? parsePgpass(read.text) : [], warning: null };
}

export interface ServiceFile {
  readonly file: string;
  readonly services: Services;
}

/** `PGSERVICEFILE`, or else `~/.pg_service.conf`; then `pg_service.conf` in `PGSYSCONFDIR`. A service of the first counts. */
export async function readServiceFiles({
  environment,
  home,
  platform,
}: Machine): Promise<readonly ServiceFile[]> {
  const usual =
    platform === 'win32'
      ? join(environment['APPDATA'] ?? home, 'postgresql', '.pg_service.conf')
      : join(home, '.pg_service.conf');
  const system = environment['PGSYSCONFDIR'];
  const paths = [
    environment['PGSERVICEFILE'] || usual,
    ...(system ? [join(system, 'pg_service.conf')] : []),
  ];
  return Promise.all(
    paths.map(async (path) => {
      const read = await readBounded(path);
      return {
        file: callIt(path, home),
        services: read.kind === 'text' ? parseServiceFile(read.text) : new Map(),
      };
    }),
  );
}

function callIt(path: string, home: string): string {
  return home !== '' && path.startsWith(home) ? path.replace(home, '~') : path;
}
