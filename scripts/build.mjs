// Bundles every entry point with esbuild, or only those whose output files are named; `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  executable,
  lazyPackages,
  partsApart,
  withOxc,
  withoutIdleCode,
  withoutOxc,
  withParser,
  written,
} from './bundle-plugins.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const shared = {
  absWorkingDir: root,
  bundle: true,
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'none',
};
const node = { ...shared, platform: 'node', target: 'node20.19' };

/** What only this repository runs: dependencies stay in node_modules. */
const esm = { ...node, format: 'esm', packages: 'external' };
/** What starts without node_modules, as all that is published does. */
const cjs = { ...node, format: 'cjs', external: ['vscode', 'pg-native'] };
const withRequire =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";
/** An example service: ESM that requires the CommonJS of its legacy folder. */
const example = { ...esm, banner: { js: withRequire } };
/** What an editor starts: one file that needs no node_modules. */
// The form that jsonc-parser names first finds its own parts with a `require` that no bundler follows.
const jsonc = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
const alone = {
  ...node,
  format: 'cjs',
  minify: true,
  sourcemap: false,
  plugins: [withoutIdleCode],
  alias: jsonc,
};
/** What VS Code starts in a browser, where a path is a POSIX path and there are no files. */
const web = {
  ...shared,
  platform: 'browser',
  target: 'es2022',
  minify: true,
  sourcemap: false,
  plugins: [withoutIdleCode, withoutOxc],
  inject: ['src/browser/no-process.ts'],
  alias: {
    ...jsonc,
    'node:path': 'path-browserify',
    'node:fs': './src/browser/no-files.ts',
    'node:module': './src/browser/no-modules.ts',
  },
};
/** What activation has no use for, by the modules that are imported when it is needed, and the bundle beside it that holds them. */
const laterParts = [
  [/^vscode-languageclient$|\/(?:create-client|server-process)\.ts$/, './client-library.cjs'],
  [/\/find-connections\.ts$/, './find-connections.cjs'],
  [/\/driver\.ts$/, './driver.cjs'],
  [/\/report\/formats\.ts$/, './report-formats.cjs'],
  [/\/set-up-linters\.ts$/, './set-up-linters.cjs'],
  [/\/running-room\.ts$/, './running-apps.cjs'],
  [/\/what-to-probe\.ts$/, './what-to-probe.cjs'],
  [/\/export-sessions-command\.ts$/, './export-sessions.cjs'],
];
/** The same of the command line. */
const commandParts = [
  [/\/engine\.ts$/, './engine.cjs'],
  [/\/overview\.ts$/, './overview.cjs'],
  [/\/lint-command\.ts$/, './lint.cjs'],
  [/\/every-command\.ts$/, './commands.cjs'],
  [/\/undici\.ts$/, './undici.cjs'],
];
/** What loads parts of itself when they are needed: a bundle beside it is asked for by `require`, which knows the editor's module, and reads no exports first. */
const inParts = {
  ...cjs,
  minify: true,
  sourcemap: false,
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
};
/** The command line. */
const command = { ...inParts, plugins: [partsApart(commandParts)] };
/** The editor's pages: one file each, with its style sheets as text. */
const page = {
  ...shared,
  platform: 'browser',
  format: 'esm',
  target: 'chrome120',
  minify: true,
  sourcemap: false,
  loader: { '.css': 'text' },
};
/** Every bundle of the product: a row each. */
export const entries = [
  // The plugin has no run-time dependency: the scope analysis it needs for other files is part of it.
  {
    ...node,
    format: 'esm',
    entryPoints: ['rules/index.ts'],
    outfile: 'rules/dist/index.js',
    sourcemap: false,
    alias: jsonc,
  },
  // CommonJS runs in any application, required or imported.
  {
    ...node,
    format: 'cjs',
    entryPoints: ['monitor/index.ts'],
    outfile: 'monitor/dist/index.js',
    sourcemap: false,
    external: ['@opentelemetry/api'],
  },
  {
    ...node,
    format: 'cjs',
    entryPoints: ['monitor/register.ts'],
    outfile: 'monitor/dist/register.js',
    sourcemap: false,
    external: ['@opentelemetry/api'],
  },
  // The same for applications that Poolguard itself starts: nothing to install.
  {
    ...node,
    format: 'cjs',
    entryPoints: ['monitor/register.ts'],
    outfile: 'dist/pool-watch.cjs',
    sourcemap: false,
    external: ['@opentelemetry/api'],
  },
  {
    ...command,
    format: 'esm',
    entryPoints: ['src/cli/bin.ts'],
    outfile: 'dist/cli.js',
    banner: { js: `#!/usr/bin/env node\n${withRequire}` },
    plugins: [...command.plugins, executable],
  },
  { ...command, entryPoints: ['src/cli/overview.ts'], outfile: 'dist/overview.cjs' },
  { ...command, entryPoints: ['src/cli/lint/lint-command.ts'], outfile: 'dist/lint.cjs' },
  { ...command, entryPoints: ['src/cli/every-command.ts'], outfile: 'dist/commands.cjs' },
  { ...command, entryPoints: ['src/sweep/load/undici.ts'], outfile: 'dist/undici.cjs' },
  {
    ...cjs,
    entryPoints: ['src/probe/process.ts'],
    outfile: 'dist/probe.cjs',
    sourcemap: false,
    plugins: [withParser],
  },
  {
    ...cjs,
    entryPoints: ['src/sweep/app/keeper.ts'],
    outfile: 'dist/app-keeper.cjs',
    sourcemap: false,
  },
  { ...esm, entryPoints: ['test/corpus/runner/bin.ts'], outfile: 'dist/corpus.js' },
  { ...esm, entryPoints: ['scripts/start/main.ts'], outfile: 'dist/start.js' },
  { ...esm, entryPoints: ['scripts/bench/main.ts'], outfile: 'dist/bench.js' },
  { ...esm, entryPoints: ['scripts/bench/probe/main.ts'], outfile: 'dist/bench-probe.js' },
  { ...esm, entryPoints: ['scripts/soak/main.ts'], outfile: 'dist/soak.js' },
  { ...esm, entryPoints: ['scripts/ledger/main.ts'], outfile: 'dist/ledger.js' },
  { ...esm, entryPoints: ['scripts/docs/main.ts'], outfile: 'dist/docs.js', sourcemap: false },
  {
    ...example,
    entryPoints: ['examples/leaky-api/src/server.ts'],
    outfile: 'dist/examples/leaky-api.js',
  },
  {
    ...example,
    entryPoints: ['examples/healthy-api/src/server.ts'],
    outfile: 'dist/examples/healthy-api.js',
  },
  {
    ...alone,
    entryPoints: ['src/server/main.ts'],
    outfile: 'dist/server.cjs',
    plugins: [partsApart(commandParts)],
    supported: inParts.supported,
  },
  // The rules, for the server and the command line.
  {
    ...alone,
    entryPoints: ['src/server/engine.ts'],
    outfile: 'dist/engine.cjs',
    plugins: [
      ...alone.plugins,
      lazyPackages(
        /^(?:typescript|@typescript-eslint\/(?:parser|typescript-estree))$/,
        './typescript.cjs',
      ),
      withOxc,
    ],
  },
  { ...alone, entryPoints: ['src/lint/typescript.ts'], outfile: 'dist/typescript.cjs' },
  // Runs the workspace's own ESLint, so there is none in it.
  {
    ...alone,
    entryPoints: ['src/server/eslint-config/process.ts'],
    outfile: 'dist/eslint-config.cjs',
  },
  {
    ...inParts,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    plugins: [partsApart(laterParts)],
  },
  {
    ...inParts,
    entryPoints: ['src/editor/findings/client-library.ts'],
    outfile: 'dist/client-library.cjs',
  },
  {
    ...inParts,
    entryPoints: ['src/connections/find-connections.ts'],
    outfile: 'dist/find-connections.cjs',
  },
  { ...inParts, entryPoints: ['src/editor/driver.ts'], outfile: 'dist/driver.cjs' },
  { ...inParts, entryPoints: ['src/report/formats.ts'], outfile: 'dist/report-formats.cjs' },
  {
    ...inParts,
    entryPoints: ['src/editor/eslint-setup/set-up-linters.ts'],
    outfile: 'dist/set-up-linters.cjs',
  },
  {
    ...inParts,
    entryPoints: ['src/editor/running/running-room.ts'],
    outfile: 'dist/running-apps.cjs',
  },
  {
    ...inParts,
    entryPoints: ['src/editor/probe/what-to-probe.ts'],
    outfile: 'dist/what-to-probe.cjs',
  },
  {
    ...inParts,
    entryPoints: ['src/editor/activity/export-sessions-command.ts'],
    outfile: 'dist/export-sessions.cjs',
  },
  {
    ...web,
    format: 'iife',
    entryPoints: ['src/server/main-web.ts'],
    outfile: 'dist/server-web.js',
  },
  {
    ...web,
    format: 'cjs',
    external: ['vscode'],
    entryPoints: ['src/extension-web.ts'],
    outfile: 'dist/extension-web.js',
  },
  { ...page, entryPoints: ['src/webview/sidebar.ts'], outfile: 'dist/webview/sidebar.js' },
  {
    ...page,
    entryPoints: ['src/webview/sessions-panel.ts'],
    outfile: 'dist/webview/sessions-panel.js',
  },
  {
    ...page,
    entryPoints: ['src/webview/pooler-panel.ts'],
    outfile: 'dist/webview/pooler-panel.js',
  },
  {
    ...shared,
    entryPoints: ['src/webview/page.css'],
    outfile: 'dist/webview/page.css',
    minify: true,
    sourcemap: false,
  },
];

async function run(options) {
  const named = options.filter((option) => !option.startsWith('--'));
  const wanted = entries
    .filter(({ outfile }) => named.length === 0 || named.includes(outfile))
    .map((entry) => ({ ...entry, plugins: [written, ...(entry.plugins ?? [])] }));
  if (!options.includes('--watch')) return Promise.all(wanted.map((entry) => build(entry)));
  const contexts = await Promise.all(
    wanted.map((entry) => context({ ...entry, logLevel: 'info' })),
  );
  return Promise.all(contexts.map((each) => each.watch()));
}

// What looks for unused code reads the rows above without building them.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2));
