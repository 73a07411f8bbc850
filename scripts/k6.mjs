// Finds a real k6 for `npm run test:k6`: K6_PATH, else PATH, else one that Go builds below `.cache/k6/` (four minutes and 70 MB, once). It is never part of what is published.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache', 'k6');
const program = process.platform === 'win32' ? 'k6.exe' : 'k6';
/** What the exported scripts are tried with. */
const version = 'v1.8.1';

/** The path of a k6 on this machine, or undefined. */
export function findK6() {
  const { K6_PATH: named, PATH: path = '' } = process.env;
  if (named) return existsSync(named) ? named : undefined;
  return [...path.split(delimiter), cache]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

function build() {
  console.log(`Building k6 ${version} with Go into ${cache}, about four minutes …`);
  mkdirSync(cache, { recursive: true });
  const { status } = spawnSync('go', ['install', `go.k6.io/k6@${version}`], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: cache },
  });
  if (status === 0) return;
  console.error(
    'k6 could not be built. Install it, name it in K6_PATH, or install Go 1.24 or newer.',
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.env.K6_PATH && findK6() === undefined) {
    console.error(`K6_PATH names ${process.env.K6_PATH}, and there is no such file.`);
    process.exit(1);
  }
  if (findK6() === undefined) build();
  console.log(`k6 is ${findK6()}`);
}
