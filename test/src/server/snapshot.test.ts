import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { hostWithoutFiles, type ConfiguredRules, type Host } from '../../../src/server/host.ts';
import { fileStatus, hostChanged } from '../../../src/server/protocol.ts';
import { startServer } from '../../../src/server/server.ts';
import { snapshots } from '../../../src/server/snapshot.ts';
import { startServerHere, type TestClient } from '../../support/language-client.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const folder = join(import.meta.dirname, 'workspace');
const uri = pathToFileURL(join(folder, 'app.ts')).href;
const leak = 'const client = await pool.connect();\n';
const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };

/** A host whose ESLint answers when it is told to. */
function createSlowHost() {
  const events = new EventEmitter();
  const asked = once(events, 'asked');
  const coming = once(events, 'answer').then((): ConfiguredRules => ({}));
  const host: Host = {
    ...hostWithoutFiles,
    configuredRules() {
      events.emit('asked');
      return { coming };
    },
  };
  return { host, asked, answer: () => events.emit('answer') };
}

/** Resolves when the server has heard all that was told before. */
async function heard({ connection }: TestClient): Promise<void> {
  await connection.sendRequest(fileStatus.method, { uri: 'file:///not/open.ts' });
}

function releaseIn(text: string): string {
  return text.replace('connect()', 'connect().then((client) => client.release())');
}

it('no action mixes what was read of one text with the version of the next', async () => {
  const texts = new Map([
    [1, leak],
    [2, `// a comment\n${leak}`],
  ]);
  const { host, asked, answer } = createSlowHost();
  await using client = await startServerHere((connection) => {
    startServer(connection, createTinyAnalyser(), host);
  }, folder);
  await client.connection.sendNotification(hostChanged.method, { isTrusted: true });
  await client.open(uri, leak);
  const offered = client.codeActions(uri, everything);
  await asked;
  await client.change(uri, 2, texts.get(2) ?? '');
  await heard(client);
  answer();
  for (const { edit } of (await offered).filter(({ title }) => title === 'Release it'))
    for (const { version, before, after } of applied(edit, texts))
      expect({ version, after }).toEqual({ version, after: releaseIn(before) });
  expect((await client.diagnostics(uri)).map(({ range }) => range.start.line)).toEqual([1]);
});

/** What the changes of an edit make of the versions that they name. */
function applied(edit: CodeAction['edit'], texts: ReadonlyMap<number, string>) {
  return (edit?.documentChanges ?? []).flatMap((change) => {
    if (!('edits' in change)) return [];
    const { version } = change.textDocument;
    const before = texts.get(version ?? 0) ?? '';
    const document = TextDocument.create(uri, 'typescript', version ?? 0, before);
    const edits = change.edits.filter((each) => 'newText' in each);
    return [{ version, before, after: TextDocument.applyEdits(document, edits) }];
  });
}

it('a change makes a new snapshot, and leaves the one of before as it was', () => {
  const before = snapshots.create(uri, 'typescript', 1, 'a\r\nb\u2028c\n');
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };
  const after = snapshots.update(before, [{ range, text: 'd\ne' }], 2);
  expect([before.version, before.text, before.positions.shownLine(3)]).toEqual([
    1,
    'a\r\nb\u2028c\n',
    2,
  ]);
  expect([after.version, after.text, after.positions.shownLine(4)]).toEqual([
    2,
    'a\r\nb\u2028d\ne\n',
    3,
  ]);
});
