// Installs what is missing or has another version than in the lock file, so that `npm start` and `npm test` work on a fresh clone.
// `--omit=dev` leaves out what neither the tour nor the packages of npm are made of.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { areInstalled, createProgress, packagesFor } from './locked-packages.mjs';
import { startNpm } from './npm.mjs';
import { createSteps } from './steps.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// npm writes this file at the end of every complete installation.
const noted = join(modules, '.package-lock.json');
const lookMs = 200;
const omitsDev = process.argv.includes('--omit=dev');
/** Megabytes, and seconds over a fast line on two idle cores; a test compares. */
const costs = omitsDev
  ? { download: 100, disk: 165, seconds: 20 }
  : { download: 455, disk: 970, seconds: 60 };

const packages = packagesFor(readJson(join(root, 'package-lock.json')), {
  omitsDev,
  platform: process.platform,
  arch: process.arch,
  libc: libcOfNode(),
});
if (!(existsSync(noted) && areInstalled(packages, readJson(noted)))) await install();

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function libcOfNode() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

async function install() {
  console.log(
    [
      `npm installs ${packages.length} packages of package-lock.json into node_modules/, once: TypeScript, ESLint, esbuild, PostgreSQL 18 and what they need${omitsDev ? '' : ', and all that tests and checks need'}.`,
      `That is a download of ${costs.download} MB and takes ${costs.disk} MB on disk: some ${costs.seconds} s over a fast line, longer over a slow one or on a busy machine.`,
    ].join('\n'),
  );
  const output = {
    write: (text) => void process.stdout.write(text),
    isTTY: process.stdout.isTTY === true,
    colors: colorsFor(process.stdout),
  };
  const steps = createSteps(output, () => performance.now());
  const said = [];
  try {
    // As npm ci does, without a word, and for long.
    if (existsSync(modules))
      await steps.run('Remove other packages', () => rm(modules, { recursive: true, force: true }));
    await steps.run(`Install ${packages.length} packages`, (doing) =>
      runInstallation(doing, (text) => said.push(text)),
    );
  } catch (error) {
    process.exitCode = 1;
    said.push(
      `The packages could not be installed: ${error.message} Poolguard needs Node 20.19, 22.13 or 24 and newer, and access to a package registry.\n`,
    );
  }
  process.stderr.write(said.join(''));
}

async function runInstallation(doing, say) {
  const npm = startNpm(['ci', '--no-audit', '--no-fund', ...(omitsDev ? ['--omit=dev'] : [])], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  npm.stderr.setEncoding('utf8').on('data', say);
  const describe = createProgress(packages, (place) =>
    existsSync(join(root, place, 'package.json')),
  );
  const watch = setInterval(() => doing(describe()), lookMs);
  try {
    const [status] = await once(npm, 'close');
    if (status !== 0) throw new Error(`npm ended with ${status}.`);
  } finally {
    clearInterval(watch);
  }
}

function colorsFor(stream) {
  const isColored = stream.hasColors?.() === true;
  return Object.fromEntries(
    ['green', 'red', 'cyan', 'dim'].map((name) => [
      name,
      (text) => (isColored ? styleText(name, text) : text),
    ]),
  );
}
