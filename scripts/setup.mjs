// Installs the dependencies when they are missing or older than the lock file, so that `npm start` and `npm test` work on a fresh clone.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './npm.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
// npm writes this file at the end of every complete installation.
const installed = join(root, 'node_modules', '.package-lock.json');

const isFresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs;
if (!isFresh) {
  console.log('Installing dependencies, about a minute …');
  const { status } = runNpm(['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(
      "The dependencies could not be installed; see npm's message above. Poolguard needs Node 20.19 or newer and access to a package registry.",
    );
    process.exit(1);
  }
}
