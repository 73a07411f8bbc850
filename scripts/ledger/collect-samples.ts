import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../../test/rules/oracle/generate.ts';
import { printProgram } from '../../test/rules/oracle/print-program.ts';
import { sourceOf } from '../../test/rules/oracle/verdict.ts';
import { codeBlocksOf } from '../../test/support/code-blocks.ts';
import { poolModule } from '../../test/support/pool-module.ts';
import type { Sample } from './sample.ts';

const source = /(?<!\.d)\.[cm]?[jt]sx?$/u;

/** Everything in this repository that the rules are tried on, and random programs. */
export function collectSamples(root: string, programs: number): readonly Sample[] {
  return [
    ...caretSamples(root),
    ...['test/fixtures', 'examples'].flatMap((folder) => projectsIn(root, folder)),
    projectIn(root, 'test/libraries'),
    ...codeOfPages(root),
    ...randomPrograms(programs),
  ];
}

/** Tests that are listed and not run note their samples (test/support/noted-samples.ts). */
function caretSamples(root: string): readonly Sample[] {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-samples-'));
  const noted = join(folder, 'samples');
  const tests = filesIn(join(root, 'test')).filter(
    (path) =>
      path.endsWith('.test.ts') &&
      /\bcheck(?:Rule|Suggestions)\(/u.test(readFileSync(join(root, 'test', path), 'utf8')),
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  try {
    execFileSync(
      process.execPath,
      [vitest, 'list', '--project', 'unit', ...tests.map((path) => join('test', path))],
      { cwd: root, env: { ...process.env, POOLGUARD_SAMPLES: noted }, stdio: 'ignore' },
    );
    return readFileSync(noted, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each folder in a folder is a project, and so are the files beside those. */
function projectsIn(root: string, folder: string): readonly Sample[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return [
    sampleOf(
      root,
      folder,
      files.map((name) => `${folder}/${name}`),
    ),
    ...folders.map(({ name }) => projectIn(root, `${folder}/${name}`)),
  ].filter(({ lint }) => lint.length > 0);
}

function projectIn(root: string, folder: string): Sample {
  const paths = filesIn(join(root, folder));
  return sampleOf(
    root,
    folder,
    paths.map((path) => `${folder}/${path}`),
  );
}

function sampleOf(root: string, name: string, paths: readonly string[]): Sample {
  const read = paths.filter((path) => source.test(path) || path.endsWith('.json')).toSorted();
  return {
    name,
    lint: read.filter((path) => source.test(path)),
    files: Object.fromEntries(read.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
    isInstalled: true,
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The code of the documents, beside the pool that the examples of rules import. */
function codeOfPages(root: string): readonly Sample[] {
  const pages = ['README.md', ...filesIn(join(root, 'docs')).map((path) => `docs/${path}`)];
  return pages
    .filter((page) => page.endsWith('.md') && existsSync(join(root, page)))
    .flatMap((page) =>
      codeBlocksOf(readFileSync(join(root, page), 'utf8'))
        .filter(({ language }) => source.test(`.${language}`))
        .map(({ language, text, line, pooler }) => {
          const [kind, mode] = pooler?.split(':') ?? [];
          return {
            name: `${page}:${line}`,
            lint: [`example.${language}`],
            files: { [`example.${language}`]: text, 'pool.js': poolModule() },
            settings: pooler === undefined ? {} : { poolguard: { pooler: { kind, mode } } },
          };
        }),
    );
}

function randomPrograms(programs: number): readonly Sample[] {
  return fc.sample(program, { numRuns: programs, seed: 20 }).map((each, index) => ({
    name: `program ${index + 1}`,
    lint: ['program.js'],
    files: { 'program.js': sourceOf(printProgram(each)) },
  }));
}
