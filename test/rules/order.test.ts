import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFollower } from '../../rules/summaries/follower.ts';
import { createModules } from '../../rules/project/modules.ts';
import { createFileParser, type Parser } from '../../rules/project/parse-file.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';
import { verdictsOn, verdictText } from '../../rules/checks/verdicts.ts';
import { createResolver } from '../../rules/values/create-resolver.ts';
import plugin from '../../rules/index.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Files that give, hand on and lend each other's clients, some of them in circles. */
const project = {
  'a.ts':
    "import { Pool } from 'pg';\nimport { again } from './b';\nconst p = new Pool();\nexport async function f(n: number) {\n  if (n > 9) return again(n);\n  return p.connect();\n}\nexport async function lend(use: (c: unknown) => Promise<void>) {\n  const c = await p.connect();\n  try {\n    await use(c);\n  } finally {\n    c.release();\n  }\n}\n",
  'b.ts':
    "import { f, lend } from './a';\nexport async function again(n: number) {\n  const it = await f(n - 1);\n  return it;\n}\nexport const through = (use: (c: unknown) => Promise<void>) => lend(use);\n",
  'index.ts': "export * from './a';\nexport { again as take, through } from './b';\n",
  'c.ts':
    "import { take, f } from './index';\nexport async function one() {\n  const x = await take(1);\n  await x.query('SELECT 1');\n  x.release();\n}\nexport async function two() {\n  const x = await f(1);\n  await x.query('SELECT 1');\n}\n",
  'd.ts':
    "import { lend, through } from './index';\nimport { one } from './c';\nexport const three = () => lend(async (x) => { await one(); x.release(); });\nexport const four = () => through(async (x) => { x.release(); });\n",
  'e.ts':
    "import { Pool } from 'pg';\nconst p = new Pool();\nexport const give = () => p.connect();\n",
  'g.ts':
    "import { give } from './e';\nexport async function five() {\n  const x = await give();\n  await x.query('SELECT 1');\n}\n",
};

function findingsIn(folder: string, paths: readonly string[]): Readonly<Record<string, unknown>> {
  const linter = new Linter({ cwd: folder });
  const config: Linter.Config = {
    files: ['**/*.ts'],
    plugins: { poolguard: plugin },
    rules: Object.fromEntries(Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error'])),
    // Runs with one parser remember other files together.
    languageOptions: { parser: { ...typescriptParser } },
  };
  const found = paths.map((path) => {
    const filename = join(folder, path);
    return [path, linter.verify(readFileSync(filename, 'utf8'), config, { filename })] as const;
  });
  return Object.fromEntries(found);
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .sort();
}

function expectAnyOrder(folder: string): void {
  const paths = sourcesBelow(folder);
  const alone = Object.fromEntries(
    paths.flatMap((path) => Object.entries(findingsIn(folder, [path]))),
  );
  expect(JSON.stringify(alone)).toContain('poolguard/');
  for (const order of [paths, paths.toReversed(), [...paths.slice(2), ...paths.slice(0, 2)]])
    expect(findingsIn(folder, order)).toEqual(alone);
}

test('files that lead to each other have the same findings in any order, and alone', async () => {
  await using folder = await createTemporaryFolder(project);
  expectAnyOrder(folder.path);
});

test.each(['leaky-api', 'healthy-api/..'])('so have those of examples/%s', (name) => {
  expectAnyOrder(join(import.meta.dirname, '../../examples', name));
});

test('the verdicts are the same where no tree is kept', async () => {
  await using folder = await createTemporaryFolder(project);
  const verdictsWith = (maximalTrees: number): readonly string[] => {
    const modules = createModules(
      createFileParser(typescriptParser as Parser, {}, folder.path),
      undefined,
      maximalTrees,
    );
    return Object.keys(project).flatMap((path) => {
      const importer = { path: join(folder.path, 'importer.ts') } as SourceFile;
      const file = modules.readerFor(undefined).read(`./${path}`, importer) as SourceFile;
      const resolver = createResolver(modules.readerFor(file));
      return verdictsOn(createFollower(resolver, file).checkouts(), { file, resolver }).map(
        (each) => verdictText(path, each),
      );
    });
  };
  expect(verdictsWith(0)).toEqual(verdictsWith(Infinity));
  expect(verdictsWith(0).length).toBeGreaterThan(3);
});
