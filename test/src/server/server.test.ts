import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, Diagnostic } from 'vscode-languageserver/node';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { hostWithoutFiles } from '../../../src/server/host.ts';
import { startServer } from '../../../src/server/server.ts';
import { startServerHere, type TestClient } from '../../support/language-client.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const folder = join(import.meta.dirname, 'workspace');
const uri = pathToFileURL(join(folder, 'app.ts')).href;
const leak = 'const client = await pool.connect();\n';
const put = `${leak}client.release();\n`;
const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };

const serve = (connection: Connection) => {
  startServer(connection, createTinyAnalyser(), hostWithoutFiles);
};

let client: TestClient;
beforeEach(async () => {
  client = await startServerHere(serve, folder);
});
afterEach(() => client[Symbol.asyncDispose]());

describe('diagnostics', () => {
  it('are offered for pulling', () => {
    expect(client.capabilities).toMatchObject({
      diagnosticProvider: { identifier: 'poolguard', interFileDependencies: true },
      codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll.poolguard'] },
    });
  });

  it('carry the rule, its page and the path to the harm', async () => {
    await client.open(uri, leak);
    expect(await client.diagnostics(uri)).toEqual([
      {
        source: 'poolguard',
        code: 'poolguard/no-unreleased-client',
        codeDescription: {
          href: 'https://github.com/poolguard/poolguard/blob/main/docs/rules/no-unreleased-client.md',
        },
        severity: 1,
        range: { start: { line: 0, character: 21 }, end: { line: 0, character: 35 } },
        message: 'The client is never released.',
        relatedInformation: [
          {
            location: {
              uri,
              range: { start: { line: 0, character: 21 }, end: { line: 0, character: 35 } },
            },
            message: 'The client is acquired here.',
          },
          {
            location: {
              uri,
              range: { start: { line: 0, character: 35 }, end: { line: 0, character: 35 } },
            },
            message: 'It is lost here.',
          },
        ],
      },
    ]);
  });

  it('follow unsaved edits', async () => {
    await client.open(uri, leak);
    await client.change(uri, 2, put);
    expect(await client.diagnostics(uri)).toEqual([]);
    await client.change(uri, 3, `\n${leak}`);
    expect((await client.diagnostics(uri)).map(({ range }) => range.start.line)).toEqual([1]);
  });

  it.each([
    'untitled:Untitled-1',
    'vscode-vfs://github/x/y.ts',
    'file://elsewhere/share/a.ts',
    'not an address',
  ])('are there for %s', async (address) => {
    await client.open(address, `type A = 1;\n${leak}`);
    expect(await client.diagnostics(address)).toHaveLength(1);
  });

  it.each([
    ['text that does not parse', 'import const = ;'],
    ['text without a pool', 'const answer = 42;'],
    ['nothing', ''],
    ['binary data', 'pool\u0000\uFFFD\u001B['],
    ['deep nesting', `pool${'['.repeat(20_000)}`],
  ])('are empty for %s, and the server lives on', async (_, text) => {
    await client.open(uri, text);
    expect(await client.diagnostics(uri)).toEqual([]);
    await client.change(uri, 2, leak);
    expect(await client.diagnostics(uri)).toHaveLength(1);
  });

  it('are empty for a document that is not open', async () => {
    expect(await client.diagnostics('file:///no/such/file.ts')).toEqual([]);
  });

  it('need no workspace folder', async () => {
    await using alone = await startServerHere(serve, undefined);
    await alone.open('untitled:Untitled-1', leak);
    expect(await alone.diagnostics('untitled:Untitled-1')).toHaveLength(1);
  });

  it('are refused once cancelled', async () => {
    await client.open(uri, leak);
    const source = new CancellationTokenSource();
    const answer = client.connection.sendRequest(
      'textDocument/diagnostic',
      { textDocument: { uri } },
      source.token,
    );
    source.cancel();
    await expect(answer).rejects.toMatchObject({ code: -32800 });
    expect(await client.diagnostics(uri)).toHaveLength(1);
  });

  it('are pulled again after a save and after a change on disk', async () => {
    let refreshes = 0;
    let onRefresh = () => {};
    client.connection.onRequest('workspace/diagnostic/refresh', () => {
      refreshes += 1;
      onRefresh();
      return null;
    });
    const refreshed = () =>
      new Promise<void>((resolve) => {
        onRefresh = resolve;
      });
    await client.open(uri, leak);
    const afterSave = refreshed();
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await afterSave;
    const afterChange = refreshed();
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri, type: 2 }],
    });
    await afterChange;
    expect(refreshes).toBe(2);
  });

  it('are pushed to an editor that cannot pull', async () => {
    await using old = await startServerHere(serve, folder, {});
    const pushed = new Promise<{ uri: string; version: number; diagnostics: Diagnostic[] }>(
      (resolve) => {
        old.connection.onNotification('textDocument/publishDiagnostics', resolve);
      },
    );
    await old.open(uri, leak);
    expect(await pushed).toMatchObject({
      uri,
      version: 1,
      diagnostics: [{ code: 'poolguard/no-unreleased-client' }],
    });
  });
});

describe('settings', () => {
  it.each<[object, number[]]>([
    [{ lint: { enable: false } }, []],
    [{ lint: { rules: { 'poolguard/no-unreleased-client': 'off' } } }, []],
    [{ lint: { rules: { 'no-unreleased-client': 'warn' } } }, [2]],
    [
      {
        lint: { enable: 'maybe', rules: { 'no-unreleased-client': 7, constructor: 'off' } },
        pooler: 'what?',
      },
      [1],
    ],
  ])('%j', async (settings, severities) => {
    client.settings = settings;
    await client.open(uri, leak);
    expect((await client.diagnostics(uri)).map(({ severity }) => severity)).toEqual(severities);
  });

  it('are checked again when an announced change is one', async () => {
    await using announcing = await startServerHere(serve, folder, {
      workspace: {
        configuration: true,
        didChangeConfiguration: { dynamicRegistration: true },
        diagnostics: { refreshSupport: true },
      },
      textDocument: { diagnostic: {} },
    });
    let refreshes = 0;
    const refreshed = new Promise<void>((resolve) => {
      announcing.connection.onRequest('workspace/diagnostic/refresh', () => {
        refreshes += 1;
        resolve();
        return null;
      });
    });
    const announce = () =>
      announcing.connection.sendNotification('workspace/didChangeConfiguration', {
        settings: null,
      });
    await announcing.open(uri, leak);
    expect(await announcing.diagnostics(uri)).toHaveLength(1);
    await announce();
    expect(await announcing.diagnostics(uri)).toHaveLength(1);
    expect(refreshes).toBe(0);
    announcing.settings = { lint: { enable: false } };
    await announce();
    await refreshed;
    expect(await announcing.diagnostics(uri)).toEqual([]);
    expect(refreshes).toBe(1);
  });
});

describe('code actions', () => {
  it('repair or silence, for the version that was looked at', async () => {
    await client.open(uri, leak);
    const actions = await client.codeActions(uri, everything);
    const edit = (character: number, newText: string) => {
      const place = { line: 0, character };
      return {
        documentChanges: [
          {
            textDocument: { uri, version: 1 },
            edits: [{ range: { start: place, end: place }, newText }],
          },
        ],
      };
    };
    const diagnostics = await client.diagnostics(uri);
    expect(actions).toEqual([
      {
        title: 'Release it',
        kind: 'quickfix',
        isPreferred: true,
        diagnostics,
        edit: edit(35, '.then((client) => client.release())'),
      },
      {
        title: 'Disable poolguard/no-unreleased-client for this line',
        kind: 'quickfix',
        diagnostics,
        edit: edit(0, '// eslint-disable-next-line poolguard/no-unreleased-client\n'),
      },
      {
        title: 'Disable poolguard/no-unreleased-client for this file',
        kind: 'quickfix',
        diagnostics,
        edit: edit(0, '/* eslint-disable poolguard/no-unreleased-client */\n'),
      },
    ]);
  });

  it.each([
    [
      'away from the problem',
      { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } },
      undefined,
    ],
    ['of another kind', everything, ['refactor']],
  ])('are none %s', async (_, range, only) => {
    await client.open(uri, leak);
    expect(await client.codeActions(uri, range, only)).toEqual([]);
  });
});
