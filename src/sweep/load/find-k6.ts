import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../database/target.ts';

/** The k6 of this machine; null where PATH has none. */
export function findK6({ PATH: path = '' }: Environment): string | null {
  const name = process.platform === 'win32' ? 'k6.exe' : 'k6';
  return (
    path
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const versionMs = 20_000;
const oldestMajor = 1;

/** Null when k6 can run our scripts, else the sentence that says what to do. */
export async function checkK6(environment: Environment): Promise<string | null> {
  const program = findK6(environment);
  const otherwise = 'or leave --load k6 out: undici is part of Poolguard.';
  if (program === null)
    return `There is no k6 in PATH. Poolguard runs the k6 of your machine and brings none along: install it (grafana.com/docs/k6, "Install k6"; or go install go.k6.io/k6@latest), ${otherwise}`;
  const answer = await promisify(execFile)(program, ['version'], {
    timeout: versionMs,
    env: { ...environment },
  }).catch(() => null);
  const [, version, major] = /\bv((\d+)\.\d+\.\d+)/.exec(answer?.stdout ?? '') ?? [];
  if (version === undefined)
    return `${program} does not say its version, as k6 would. Put k6 first in PATH, ${otherwise}`;
  return Number(major) < oldestMajor
    ? `${program} is k6 ${version}, and it takes k6 1.0 or newer. Update it, ${otherwise}`
    : null;
}
