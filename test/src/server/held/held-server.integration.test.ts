import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CodeAction, Hover, InlayHint } from 'vscode-languageserver/node';
import { heldLines } from '../../../../src/server/protocol.ts';
import {
  shippedServer,
  startTestClient,
  type TestClient,
} from '../../../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const text = `import { Pool } from 'pg';
const pool = new Pool();
export async function pay(id: number) {
  const client = await pool.connect();
  await client.query('UPDATE a SET b = 1');
  await client.query('UPDATE c SET d = 1');
  client.release();
}
`;
const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

let project: TemporaryFolder;
let client: TestClient;
let uri: string;

beforeAll(async () => {
  project = await createTemporaryFolder({ 'package.json': '{ "dependencies": { "pg": "^8" } }' });
  uri = pathToFileURL(join(project.path, 'app.ts')).href;
  const codeAction = { dataSupport: true, resolveSupport: { properties: ['edit'] } };
  client = await startTestClient(shippedServer, project.path, {
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: { diagnostic: {}, hover: { contentFormat: ['plaintext'] }, codeAction },
  });
  await client.open(uri, text);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('a plain client gets a hover in plain words', async () => {
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri },
    position: { line: 3, character: 30 },
  });
  expect(hover.contents).toMatchObject({
    kind: 'plaintext',
    value: expect.stringContaining('Client of pool, held from line 4 to line 7') as string,
  });
});

it('hints are there when they are wanted', async () => {
  const hints = (): Promise<InlayHint[]> =>
    client.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
  expect(await hints()).toEqual([]);
  client.settings = { lint: { heldSpans: true } };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  expect((await hints()).map(({ label }) => label)).toEqual([
    'leaks at line 5 · 2 statements',
    'held since line 4',
  ]);
});

it('a text that does not parse leaves the held lines as they are', async () => {
  const lines = (): Promise<unknown> => client.connection.sendRequest(heldLines.method, { uri });
  expect(await lines()).toEqual([
    {
      ranges: [{ start: { line: 3, character: 0 }, end: { line: 6, character: 0 } }],
      isLeaked: true,
    },
  ]);
  await client.change(uri, 2, `${text}\nif (`);
  expect(await lines()).toBeNull();
  await client.change(uri, 3, text);
  expect(await lines()).toHaveLength(1);
});

it('fix-all is made when it is wanted, and refused for an old version', async () => {
  const [action] = await client.codeActions(uri, range, ['source.fixAll']);
  expect(action).toMatchObject({ kind: 'source.fixAll.poolguard', data: { uri, version: 3 } });
  expect(action?.edit).toBeUndefined();
  const resolved = await client.connection.sendRequest<CodeAction>('codeAction/resolve', action);
  expect(JSON.stringify(resolved.edit)).toContain('finally');
  await client.change(uri, 4, `${text}\n`);
  await expect(client.connection.sendRequest('codeAction/resolve', action)).rejects.toMatchObject({
    code: -32801,
  });
  expect(await client.codeActions(uri, range)).not.toContainEqual(
    expect.objectContaining({ kind: 'source.fixAll.poolguard' }),
  );
});
