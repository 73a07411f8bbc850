import { build } from 'esbuild';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runNode } from '../support/run-process.ts';

const root = resolve(import.meta.dirname, '../..');

beforeAll(() =>
  runNode(
    [resolve(root, 'scripts/build.mjs'), 'dist/server-web.js', 'dist/extension-web.js'],
    root,
  ),
);

test.each([
  ['dist/server-web.js', []],
  ['dist/extension-web.js', ['vscode']],
])('%s asks for no module of Node', async (file, imports) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'browser',
    external: ['vscode'],
    metafile: true,
    logLevel: 'silent',
    outfile: 'unused.js',
  });
  const asked = Object.values(metafile.outputs).flatMap((output) =>
    output.imports.map(({ path }) => path),
  );
  expect([...new Set(asked)]).toEqual(imports);
  expect(Object.keys(metafile.inputs)).toEqual([file]);
});
