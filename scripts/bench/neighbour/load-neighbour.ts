import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ESLint } from 'eslint';
import { layOutMirror } from '../project-files.ts';

export const neighbourName = 'eslint-plugin-postgresql-security';
const packages = 'packages';

/** The nearest other plugin, or why it cannot be had. */
export type LoadedNeighbour =
  | {
      readonly kind: 'loaded';
      readonly plugin: ESLint.Plugin;
      readonly version: string;
      /** What another process loads it from. */
      readonly path: string;
    }
  | { readonly kind: 'missing'; readonly sentence: string };

/** Installs the plugin into `scratch`, which is no part of the project; or bundles it from a bare git repository of its sources. */
export async function loadNeighbour(
  scratch: string,
  repository: string | undefined,
): Promise<LoadedNeighbour> {
  try {
    const path =
      repository === undefined
        ? install(join(scratch, 'neighbour'))
        : await bundle(
            layOutMirror(neighbourName, repository, scratch),
            join(scratch, 'neighbour.cjs'),
          );
    const require = createRequire(join(scratch, 'from-here.js'));
    const found: unknown = require(path);
    const plugin = pluginIn(found);
    return plugin === undefined
      ? { kind: 'missing', sentence: `${neighbourName} exports no rules.` }
      : {
          kind: 'loaded',
          plugin,
          version: plugin.meta?.version ?? 'unknown',
          path: require.resolve(path),
        };
  } catch (problem) {
    return {
      kind: 'missing',
      sentence: `${neighbourName} could not be had: ${problem instanceof Error ? problem.message : String(problem)}`,
    };
  }
}

function install(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${neighbourName}@2`],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0)
    throw new Error(
      `npm install ended with ${status ?? 'a signal'}: ${stderr.split('\n').find((line) => /^npm error .*\d{3}/u.test(line)) ?? stderr.trim().slice(-200)}`,
    );
  return join(folder, 'node_modules', neighbourName);
}

/** Its repository holds the library that it stands on beside it. */
async function bundle(folder: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [join(folder, packages, neighbourName, 'src/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    nodePaths: [join(process.cwd(), 'node_modules')],
    // A native resolver of the library is taken as it is, where it happens to be installed.
    loader: { '.node': 'copy' },
    alias: { '@interlace/eslint-devkit': join(folder, packages, 'eslint-devkit/src/index.ts') },
    tsconfigRaw: {},
  });
  return outfile;
}

function pluginIn(found: unknown): ESLint.Plugin | undefined {
  const candidates = [
    found,
    ...(typeof found === 'object' && found !== null
      ? ['default', 'plugin'].map((name) => (found as Record<string, unknown>)[name])
      : []),
  ];
  return candidates.find(
    (each): each is ESLint.Plugin =>
      typeof each === 'object' && each !== null && 'rules' in each && 'meta' in each,
  );
}
