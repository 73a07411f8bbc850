import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenText } from '../../../rules/project/file-source.ts';
import { createLinter } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { createParsers, createProgram } from '../../../src/lint/program.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const pool =
  "import { Pool } from 'pg';\nexport const pool = new Pool();\npool.on('error', console.error);\n";
const leaking = `${pool}export const getClient = () => pool.connect();\n`;
const borrowing = `${pool}export const getClient = () => fetch('/client');\n`;
const routes =
  "import { getClient } from './db.js';\nexport async function route() {\n  const client = await getClient();\n  await client.query('SELECT 1');\n}\n";
const leak = ['poolguard/no-unreleased-client'];

/** A workspace on the disk with an editor in front of it. */
async function openWorkspace(files: Readonly<Record<string, string>>) {
  const folder = await createTemporaryFolder(files);
  const documents = new Map<string, OpenText>();
  const parses: string[] = [];
  const noting = createParsers().map((parse): typeof parse => (text, path) => {
    const tree = parse(text, path);
    if (tree !== undefined) parses.push(path);
    return tree;
  });
  const program = createProgram(
    { textOf: (path) => documents.get(path), paths: () => documents.keys() },
    noting,
  );
  const lint = createLinter(poolguard, {}, program);
  return {
    open: (name: string, text: string, version = 1) =>
      void documents.set(join(folder.path, name), { text, version }),
    close: (name: string) => documents.delete(join(folder.path, name)),
    save: (name: string, text: string) => folder.write({ [name]: text }),
    rulesIn: (name: string, text: string) =>
      lint({ path: join(folder.path, name), text }).problems.map(({ rule }) => rule),
    /** How often a file has been parsed. */
    parsesOf: (name: string) => parses.filter((each) => each === join(folder.path, name)).length,
    forget: () => program.forget(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the text of an open document', () => {
  it('counts before it is saved, and no more when the document is closed', async () => {
    await using workspace = await openWorkspace({ 'db.ts': borrowing });
    expect(workspace.rulesIn('routes.ts', routes)).toEqual([]);
    workspace.open('db.ts', leaking);
    expect(workspace.rulesIn('routes.ts', routes)).toEqual(leak);
    workspace.open('db.ts', borrowing, 2);
    expect(workspace.rulesIn('routes.ts', routes)).toEqual([]);
    workspace.open('db.ts', leaking, 3);
    workspace.close('db.ts');
    expect(workspace.rulesIn('routes.ts', routes)).toEqual([]);
  });

  it('counts when its document was closed, and opened with another text under the same version', async () => {
    await using workspace = await openWorkspace({ 'db.ts': borrowing });
    workspace.open('db.ts', borrowing);
    expect(workspace.rulesIn('routes.ts', routes)).toEqual([]);
    workspace.close('db.ts');
    workspace.open('db.ts', leaking);
    expect(workspace.rulesIn('routes.ts', routes)).toEqual(leak);
  });

  it('counts for a file that is nowhere else, in a folder that is nowhere else', async () => {
    await using workspace = await openWorkspace({});
    const text = routes.replace('./db.js', './data/deep/db.js');
    expect(workspace.rulesIn('routes.ts', text)).toEqual([]);
    workspace.open('data/deep/db.ts', leaking);
    expect(workspace.rulesIn('routes.ts', text)).toEqual(leak);
    workspace.close('data/deep/db.ts');
    expect(workspace.rulesIn('routes.ts', text)).toEqual([]);
  });

  it('counts through an index that exists only there', async () => {
    await using workspace = await openWorkspace({ 'data/db.ts': leaking });
    workspace.open('data/index.ts', "export { getClient } from './db.js';\n");
    expect(workspace.rulesIn('routes.ts', routes.replace('./db.js', './data'))).toEqual(leak);
  });

  it('counts for configuration, too', async () => {
    await using workspace = await openWorkspace({ 'data/db.ts': leaking, 'tsconfig.json': '{}' });
    workspace.open(
      'tsconfig.json',
      '{ "compilerOptions": { "paths": { "@data": ["./data/db"] } } }',
    );
    expect(workspace.rulesIn('routes.ts', routes.replace('./db.js', '@data'))).toEqual(leak);
  });

  it('counts for listeners elsewhere in the project', async () => {
    const silent = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
    await using workspace = await openWorkspace({
      'package.json': '{}',
      'main.ts': 'export {};\n',
    });
    expect(workspace.rulesIn('db.ts', silent)).toEqual(['poolguard/require-pool-error-handler']);
    workspace.open(
      'main.ts',
      "import { pool } from './db.js';\npool.on('error', console.error);\n",
    );
    expect(workspace.rulesIn('db.ts', silent)).toEqual([]);
  });

  it('is parsed once for each version', async () => {
    await using workspace = await openWorkspace({ 'db.ts': borrowing });
    workspace.open('db.ts', leaking);
    for (let edit = 0; edit < 3; edit++)
      expect(workspace.rulesIn('routes.ts', routes + '\n'.repeat(edit))).toEqual(leak);
    expect(workspace.parsesOf('db.ts')).toBe(1);
    workspace.open('db.ts', `${leaking}\n`, 2);
    for (let edit = 0; edit < 3; edit++)
      expect(workspace.rulesIn('routes.ts', routes + '\n'.repeat(edit))).toEqual(leak);
    expect(workspace.parsesOf('db.ts')).toBe(2);
  });
});

describe('a program', () => {
  it('finds its open documents again after it has forgotten', async () => {
    await using workspace = await openWorkspace({ 'db.ts': borrowing });
    workspace.open('db.ts', leaking);
    expect(workspace.rulesIn('routes.ts', routes)).toEqual(leak);
    workspace.forget();
    expect(workspace.rulesIn('routes.ts', routes)).toEqual(leak);
    expect(workspace.parsesOf('db.ts')).toBe(2);
  });

  it('finds nothing that is open in front of another one', async () => {
    await using first = await openWorkspace({ 'db.ts': borrowing });
    await using second = await openWorkspace({ 'db.ts': borrowing });
    first.open('db.ts', leaking);
    expect([first, second].map((each) => each.rulesIn('routes.ts', routes))).toEqual([leak, []]);
  });
});
