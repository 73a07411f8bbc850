import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeLens, Range } from 'vscode-languageserver/node';
import type { DeclaredPools, PoolDeclaration, PoolEdits } from '../../../src/server/protocol.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { createNodeHost } from '../../../src/server/node-host.ts';
import { startServer } from '../../../src/server/server.ts';
import { startServerHere, type TestClient } from '../../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const plain = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const files = {
  'package.json': '{ "dependencies": { "pg": "^8" } }',
  '.gitignore': 'ignored/\n',
  'src/db.ts': plain,
  'src/reports.ts':
    "import pg from 'pg';\nconst { POOL_MAX = '20' } = process.env;\nexport const reports = new pg.Pool({ max: Number(POOL_MAX), connectionTimeoutMillis: 5_000 });\n",
  'src/other.ts':
    "import { Pool } from 'pg';\nimport { options } from 'elsewhere';\nexport const other = new Pool(options);\n",
  'src/words.ts': 'export const words = "no swimming";\n',
  'test/db.test.ts': plain,
  'ignored/db.ts': plain,
  'node_modules/some/db.ts': plain,
};

const host = createNodeHost({ bundles: resolve('dist'), log: () => undefined });
let folder: TemporaryFolder;
let client: TestClient;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  await folder.write(files);
  client = await startServerHere(
    (connection) => startServer(connection, poolguard, host),
    folder.path,
  );
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('lenses', () => {
  it('are offered', () => {
    expect(client.capabilities).toMatchObject({ codeLensProvider: {} });
  });

  it('say what a pool is where it is made, without a command, on one line', async () => {
    await client.open(
      uriOf('src/db.ts'),
      plain.replace('new Pool()', 'new Pool({\n  user: "shop",\n})'),
    );
    expect(await lenses('src/db.ts')).toEqual(
      ['max 10 (pg default)', 'waits indefinitely: no connectionTimeoutMillis'].map((title) => ({
        range: range(1, 20, 1, 23),
        command: { title, command: '' },
      })),
    );
  });

  it('follow what is typed', async () => {
    await client.open(uriOf('src/db.ts'), plain);
    await client.change(
      uriOf('src/db.ts'),
      2,
      plain.replace('Pool()', 'Pool({ max: 7, connectionTimeoutMillis: 100 })'),
    );
    expect((await lenses('src/db.ts')).map(({ command }) => command?.title)).toEqual(['max 7']);
  });

  it('can be switched off', async () => {
    client.settings = { codeLens: { enable: false } };
    await client.open(uriOf('src/db.ts'), plain);
    expect(await lenses('src/db.ts')).toEqual([]);
  });

  it('are not there for a document that nobody opened, or without a pool', async () => {
    expect(await lenses('src/db.ts')).toEqual([]);
    await client.open(uriOf('src/words.ts'), files['src/words.ts']);
    expect(await lenses('src/words.ts')).toEqual([]);
  });
});

describe('declared pools', () => {
  it('are those of the folders, those aside that git ignores or that lie in a package', async () => {
    const { pools, isCut } = await declared();
    expect(isCut).toBe(false);
    expect(
      pools.map(({ uri, max, isMaxDefault, variable, isAside, isWritable }) => [
        nameOf(uri),
        { max, isMaxDefault, variable, isAside, isWritable },
      ]),
    ).toEqual([
      ['src/db.ts', { max: 10, isMaxDefault: true, isAside: false, isWritable: true }],
      ['src/other.ts', { isMaxDefault: false, isAside: false, isWritable: false }],
      [
        'src/reports.ts',
        { max: 20, isMaxDefault: false, variable: 'POOL_MAX', isAside: false, isWritable: true },
      ],
      ['test/db.test.ts', { max: 10, isMaxDefault: true, isAside: true, isWritable: true }],
    ]);
  });

  it('are those of open documents as they are typed, and of the disk again when they are closed', async () => {
    const maxOfPool = async () =>
      (await declared()).pools.find(({ uri }) => uri === uriOf('src/db.ts'))?.max;
    await client.open(uriOf('src/db.ts'), plain.replace('Pool()', 'Pool({ max: 3 })'));
    await client.open('untitled:Untitled-1', plain.replace('Pool()', 'Pool({ max: 4 })'));
    expect(await maxOfPool()).toBe(3);
    expect((await declared()).pools.at(-1)).toMatchObject({ uri: 'untitled:Untitled-1', max: 4 });
    await client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: uriOf('src/db.ts') },
    });
    expect(await maxOfPool()).toBe(10);
  });

  it('are read again when files have changed', async () => {
    await declared();
    await writeFile(join(folder.path, 'src/words.ts'), plain);
    expect((await declared()).pools).toHaveLength(4);
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uriOf('src/words.ts'), type: 2 }],
    });
    expect((await declared()).pools.map(({ uri }) => nameOf(uri))).toContain('src/words.ts');
  });

  it('leave out what the settings exclude', async () => {
    client.settings = { lint: { exclude: ['src/**'] } };
    expect((await declared()).pools.map(({ uri }) => nameOf(uri))).toEqual(['test/db.test.ts']);
  });

  it('are asked of one document, too', async () => {
    await client.open(uriOf('src/db.ts'), plain);
    expect(await poolsIn('src/db.ts')).toEqual([
      {
        uri: uriOf('src/db.ts'),
        range: range(1, 20, 1, 30),
        name: 'pool',
        max: 10,
        isMaxDefault: true,
        connectionTimeoutMillis: 0,
        idleTimeoutMillis: 10_000,
        isAside: false,
        isWritable: true,
      },
    ]);
    expect(await poolsIn('src/reports.ts')).toEqual([]);
  });
});

describe('edits of a pool', () => {
  it('write options into it', async () => {
    await client.open(uriOf('src/db.ts'), plain);
    expect(
      await edits('src/db.ts', range(1, 20, 1, 30), { max: 12, connectionTimeoutMillis: 5000 }),
    ).toEqual({
      version: 1,
      edits: [
        { range: range(1, 28, 1, 30), newText: '({ max: 12, connectionTimeoutMillis: 5000 })' },
      ],
    });
  });

  it.each([
    ['where there is no pool', 'src/db.ts', range(0, 0, 0, 5)],
    ['in a document that is not open', 'src/reports.ts', range(2, 23, 2, 87)],
  ])('are none %s', async (_, path, place) => {
    await client.open(uriOf('src/db.ts'), plain);
    expect(await edits(path, place, { max: 12 })).toBeNull();
  });
});

function uriOf(path: string): string {
  return pathToFileURL(join(folder.path, path)).href;
}

function nameOf(uri: string): string {
  return uri.slice(uriOf('').length + 1);
}

function range(line: number, character: number, endLine: number, endCharacter: number): Range {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

function lenses(path: string): Promise<CodeLens[]> {
  return client.connection.sendRequest('textDocument/codeLens', {
    textDocument: { uri: uriOf(path) },
  });
}

function declared(): Promise<DeclaredPools> {
  return client.connection.sendRequest('poolguard/declaredPools', null);
}

function poolsIn(path: string): Promise<readonly PoolDeclaration[]> {
  return client.connection.sendRequest('poolguard/poolsInDocument', { uri: uriOf(path) });
}

function edits(path: string, place: Range, values: object): Promise<PoolEdits | null> {
  return client.connection.sendRequest('poolguard/poolEdits', {
    uri: uriOf(path),
    range: place,
    values,
  });
}
