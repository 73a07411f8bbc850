// Runs the npm that runs us, with a cache that it may write.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownCache = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache');

/**
 * What npm needs in its environment: nothing where the user's cache can be written, else caches of the repository.
 * @param {NodeJS.ProcessEnv} env @returns {Record<string, string>}
 */
export function npmCaches(env = process.env) {
  const cache = env.npm_config_cache ?? join(homedir(), '.npm');
  return mayWrite(cache)
    ? {}
    : { npm_config_cache: join(ownCache, 'npm'), npm_config_devdir: join(ownCache, 'node-gyp') };
}

function mayWrite(folder) {
  if (!existsSync(folder)) return folder !== dirname(folder) && mayWrite(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts npm, as `spawn` does.
 * @param {readonly string[]} args @param {import('node:child_process').SpawnOptions} options
 */
export function startNpm(args, options) {
  return spawn(...npmCommand(args, options));
}

function npmCommand(args, options) {
  const env = { ...process.env, ...npmCaches() };
  const script = process.env.npm_execpath;
  // Another program's scripts may run this, and name that program.
  if (script !== undefined && basename(script).startsWith('npm-cli'))
    return [process.execPath, [script, ...args], { ...options, env }];
  return ['npm', args, { ...options, env, shell: process.platform === 'win32' }];
}

/** Downloads a package's archive. @param {string} spec name@version @param {string} folder @returns {string} the archive's path */
export function packFromNpm(spec, folder) {
  const { status, stdout, error } = spawnSync(
    ...npmCommand(['pack', '--silent', '--pack-destination', folder, spec], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  if (status !== 0)
    throw new Error(
      `npm could not bring ${spec}${error ? ` (${error.message})` : '; its message stands above'}.`,
    );
  return join(folder, String(stdout).trim().split('\n').at(-1) ?? '');
}
