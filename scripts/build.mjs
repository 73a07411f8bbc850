// Bundles every entry point with esbuild; `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const shared = { absWorkingDir: root, bundle: true, sourcemap: true, logLevel: 'warning', legalComments: 'none' };
const node = { ...shared, platform: 'node', target: 'node20.19' };

/** What npm users run: dependencies stay in node_modules. */
const esm = { ...node, format: 'esm', packages: 'external' };
/** What must start without node_modules: the extension, and the probe's process, which the extension and the command line share. */
const cjs = { ...node, format: 'cjs', external: ['vscode', 'pg-native'] };
/** Lets the shell run the bundle by its shebang line. */
const executable = { name: 'executable', setup: ({ initialOptions, onEnd }) => onEnd(() => chmod(join(root, initialOptions.outfile), 0o755)) };
/** Every bundle of the product: a row each. */
const entries = [
  // The plugin has no run-time dependency: the scope analysis it needs for other files is part of it.
  { ...node, format: 'esm', entryPoints: ['rules/index.ts'], outfile: 'rules/dist/index.js', sourcemap: false },
  { ...esm, entryPoints: ['src/cli/bin.ts'], outfile: 'dist/cli.js', sourcemap: false, banner: { js: '#!/usr/bin/env node' }, plugins: [executable] },
  { ...cjs, entryPoints: ['src/probe/process.ts'], outfile: 'dist/probe.cjs', sourcemap: false },
];

if (process.argv.includes('--watch')) {
  const contexts = await Promise.all(entries.map((entry) => context({ ...entry, logLevel: 'info' })));
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  await Promise.all(entries.map((entry) => build(entry)));
}
