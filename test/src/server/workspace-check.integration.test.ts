import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Location, WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { sayProgress } from '../../../src/server/workspace-check.ts';
import { shippedServer, startTestClient, type TestClient } from '../../support/language-client.ts';
import {
  allSubsetsUpToTwo,
  asked,
  asking,
  between,
  counted,
  oddities,
  written,
} from '../../support/odd-texts.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const db =
  "import pg from 'pg';\nexport const pool = new pg.Pool({ max: 5, connectionTimeoutMillis: 1000 });\npool.on('error', console.error);\n";
const leak =
  "import { pool } from './db';\nexport async function load() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";
const put = leak.replace("  await client.query('SELECT 1');\n", '  client.release();\n');

const uriOf = (folder: TemporaryFolder, name: string) =>
  pathToFileURL(join(folder.path, name)).href;

function check(client: TestClient, tokens: object = {}): Promise<WorkspaceDiagnosticReport> {
  return client.connection.sendRequest('workspace/diagnostic', {
    previousResultIds: [],
    ...tokens,
  });
}

/** Leaks by file name, shortest form of what the editor would list. */
function leaksIn({ items }: WorkspaceDiagnosticReport): string[] {
  return items
    .flatMap((item) =>
      item.kind === 'full'
        ? item.items.map(({ code }) => `${item.uri.split('/').at(-1)} ${code}`)
        : [],
    )
    .sort();
}

describe('a check of the workspace', () => {
  it('reads every file on the disk but those that git ignores, that are excluded, or that are open', async () => {
    await using folder = await createTemporaryFolder({
      'package.json': '{ "dependencies": { "pg": "8" } }',
      '.gitignore': 'ignored.ts\n',
      'db.ts': db,
      'a.ts': leak,
      'b.ts': put,
      'open.ts': leak,
      'ignored.ts': leak,
      'dist/c.js': leak,
      'old/d.ts': leak,
    });
    await using client = await startTestClient(shippedServer, folder.path);
    client.settings = { lint: { exclude: ['old/**'] } };
    await client.open(uriOf(folder, 'open.ts'), leak);
    expect(leaksIn(await check(client))).toEqual(['a.ts poolguard/no-unreleased-client']);
  });

  it('tells how far it is, and what it has found so far', async () => {
    await using folder = await createTemporaryFolder({
      'package.json': '{ "dependencies": { "pg": "8" } }',
      'db.ts': db,
      'a.ts': leak,
      'b.ts': leak,
    });
    await using client = await startTestClient(shippedServer, folder.path);
    const progress: unknown[] = [];
    client.connection.onNotification(
      '$/progress',
      ({ token, value }: { token: string; value: unknown }) => {
        progress.push({ token, value });
      },
    );
    const last = await check(client, { workDoneToken: 'work', partialResultToken: 'part' });
    expect(progress.at(-1)).toEqual({ token: 'work', value: { kind: 'end' } });
    expect(progress).toContainEqual({
      token: 'work',
      value: { kind: 'report', percentage: 100, message: '3 of 3 files · 2 findings' },
    });
    const parts = progress.flatMap((each) =>
      (each as { token: string }).token === 'part'
        ? (each as { value: WorkspaceDiagnosticReport }).value.items
        : [],
    );
    expect(leaksIn({ items: [...parts, ...last.items] })).toEqual([
      'a.ts poolguard/no-unreleased-client',
      'b.ts poolguard/no-unreleased-client',
    ]);
  });

  it('sees what is typed in an open document that others import', async () => {
    await using folder = await createTemporaryFolder({
      'package.json': '{ "dependencies": { "pg": "8" } }',
      'db.ts': db,
      'get.ts': "export const getClient = () => fetch('/x');\n",
      'a.ts': leak
        .replace('pool', 'getClient')
        .replace('./db', './get')
        .replace('pool.connect', 'getClient'),
    });
    await using client = await startTestClient(shippedServer, folder.path);
    await client.open(
      uriOf(folder, 'get.ts'),
      "import { pool } from './db';\nexport const getClient = () => pool.connect();\n",
    );
    expect(leaksIn(await check(client))).toEqual(['a.ts poolguard/no-unreleased-client']);
  });

  it('ends early when it is cancelled, and the editor is answered meanwhile', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`f${n}.ts`, leak]));
    await using folder = await createTemporaryFolder({
      ...many,
      'package.json': '{ "dependencies": { "pg": "8" } }',
      'db.ts': db,
    });
    await using client = await startTestClient(shippedServer, folder.path);
    await client.open(uriOf(folder, 'open.ts'), leak);
    const checked = check(client, { workDoneToken: 'work' });
    await new Promise<void>((resolve) => {
      client.connection.onNotification(
        '$/progress',
        ({ value }: { value: { kind: string; message?: string } }) => {
          if (value.kind === 'report' && !value.message?.startsWith('401 ')) resolve();
        },
      );
    });
    expect(await client.diagnostics(uriOf(folder, 'open.ts'))).toHaveLength(1);
    // The only request that has not been answered yet.
    const { reports } = { reports: checked };
    await client.connection.sendNotification('$/cancelRequest', { id: 1 });
    expect((await reports).items.length).toBeLessThan(400);
  });

  it('is answered anew only when something has changed', async () => {
    await using folder = await createTemporaryFolder({
      'package.json': '{ "dependencies": { "pg": "8" } }',
      'db.ts': db,
      'a.ts': leak,
    });
    await using client = await startTestClient(shippedServer, folder.path);
    await check(client);
    const second = check(client);
    await folder.write({ 'a.ts': put });
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uriOf(folder, 'a.ts'), type: 2 }],
    });
    expect((await second).items).toEqual([
      { kind: 'full', uri: uriOf(folder, 'a.ts'), version: null, items: [] },
    ]);
  });
});

it('a file that is not open has its places as an editor that opens it counts', async () => {
  const all = allSubsetsUpToTwo(oddities);
  const files = all.flatMap((odd, index) => [
    [`${index}/pay.ts`, written(asking, odd)] as const,
    [`${index}/audit.ts`, written(asked, odd)] as const,
  ]);
  await using folder = await createTemporaryFolder({
    'package.json': '{ "dependencies": { "pg": "8" } }',
    ...Object.fromEntries(files),
  });
  await using client = await startTestClient(shippedServer, folder.path);
  const shown = new Map(
    files.map(([name, text]) => {
      const uri = uriOf(folder, name);
      return [uri, counted(uri, text.replace(/^\uFEFF/u, ''))];
    }),
  );
  const wordsAt = ({ uri, range }: Location) => {
    const document = shown.get(uri);
    return document && [document.getText(range).slice(0, 14), ...between(document, range)];
  };
  const { items } = await check(client);
  const places = items.map((item) =>
    (item.kind === 'full' ? item.items : []).map(({ range, relatedInformation = [] }) =>
      [{ uri: item.uri, range }, ...relatedInformation.map(({ location }) => location)].map(
        wordsAt,
      ),
    ),
  );
  expect(places).toEqual(
    all.map(() => [
      [
        ['audit()', 101, 108],
        ['pool.connect()', 77, 91],
        ['audit()', 101, 108],
        ['async function', 6, 55],
      ],
    ]),
  );
});

it('files that have changed are looked at again by name', async () => {
  await using folder = await createTemporaryFolder({
    'package.json': '{ "dependencies": { "pg": "8" } }',
    'db.ts': db,
    'a.ts': leak,
    'b.ts': put,
  });
  await using client = await startTestClient(shippedServer, folder.path);
  const items = await client.connection.sendRequest<WorkspaceDiagnosticReport['items']>(
    'poolguard/checkFiles',
    {
      uris: [uriOf(folder, 'a.ts'), uriOf(folder, 'b.ts'), 'untitled:x', uriOf(folder, 'gone.ts')],
    },
  );
  expect(items.map((item) => [item.uri, item.kind === 'full' ? item.items.length : -1])).toEqual([
    [uriOf(folder, 'a.ts'), 1],
    [uriOf(folder, 'b.ts'), 0],
    [uriOf(folder, 'gone.ts'), 0],
  ]);
});

it.each([
  [0, 1, 1, '0 of 1 files · 1 finding'],
  [1234, 2000, 12, '1,234 of 2,000 files · 12 findings'],
])('%i of %i files and %i findings read %s', (done, all, findings, text) => {
  expect(sayProgress(done, all, findings)).toBe(text);
});
