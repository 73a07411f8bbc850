// Where the programs are that tests start: PgBouncer, Chromium and Neovim, of the system or below `.cache/test-tools/`.
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {'pgbouncer' | 'chromium' | 'neovim'} Tool */

export const cache = join(
  rootAbove(dirname(fileURLToPath(import.meta.url))),
  '.cache',
  'test-tools',
);

/** Benchmarks run this bundled, from another folder. */
function rootAbove(folder) {
  return existsSync(join(folder, 'package-lock.json')) || folder === dirname(folder)
    ? folder
    : rootAbove(dirname(folder));
}

/** What `npm run test-tools` makes: a script that starts the program with its own libraries. @param {Tool} tool */
export function ownPath(tool) {
  return join(cache, tool, `run-${tool}`);
}

/** Whether there is a program that this user may run. @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The programs of that name in the folders of a PATH. @param {string} name @param {string} [path] */
export function inPath(name, path = '') {
  return path.split(delimiter).map((folder) => join(folder, name));
}

/** Debian keeps PgBouncer where only root looks. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const ofTheSystem = {
  pgbouncer: ({ PATH: path }) => [
    ...inPath('pgbouncer', path),
    ...systemFolders.map((folder) => join(folder, 'pgbouncer')),
  ],
  chromium: ({ CHROME_PATH: named }) => [named, playwrightsOwn(), ...browsers],
  // Where we bring one, that: many systems have a Neovim that is too old.
  neovim: ({ PATH: path }) =>
    process.platform === 'linux' && process.arch === 'x64' ? [] : inPath('nvim', path),
};

/** Loaded for browsers only: it takes a third of a second. */
function playwrightsOwn() {
  return createRequire(import.meta.url)('playwright-core').chromium.executablePath();
}

/**
 * The path of a program: the system's, unless POOLGUARD_TEST_TOOLS=own, else the repository's own; undefined when there is none.
 * @param {Tool} tool @param {NodeJS.ProcessEnv} env @returns {string | undefined}
 */
export function findTool(tool, env = process.env) {
  const system = env.POOLGUARD_TEST_TOOLS === 'own' ? [] : ofTheSystem[tool](env);
  return [...system, ownPath(tool)].find((path) => path !== undefined && isProgram(path));
}

/** As `findTool`, for who cannot go on without it. @param {Tool} tool @returns {string} */
export function needTool(tool) {
  const path = findTool(tool);
  if (path === undefined)
    throw new Error(
      `${tool} is not on this machine. npm run test-tools brings it, or says what does.`,
    );
  return path;
}
