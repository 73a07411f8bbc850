import { PassThrough } from 'node:stream';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  createConnection,
  createProtocolConnection,
  LogMessageNotification,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { answer } from '../../../src/server/answer.ts';
import { Files, HostFacts, InDocument, Nothing, PoolChange } from '../../../src/server/asked.ts';
import { ConfigAnswer } from '../../../src/server/eslint-config/messages.ts';
import { type Question } from '../../../src/server/protocol.ts';
import { SetupFacts } from '../../../src/lint/setup/setup-answer.ts';
import { expectToRead } from '../../support/spoilt.ts';

const question: Question<unknown, string> = { method: 'poolguard/anything' };

function connect() {
  const [up, down] = [new PassThrough(), new PassThrough()];
  return {
    server: createConnection(ProposedFeatures.all, up, down),
    editor: createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up)),
  };
}

test('a question that breaks the server’s code is not answered, and the log tells where it broke', async () => {
  const { server, editor } = connect();
  answer(server, question, Nothing, () => {
    throw new TypeError('It is not iterable, for all of postgres://app:geheim@shop/db');
  });
  server.listen();
  const logged = new Promise<string>((resolve) => {
    editor.onNotification(LogMessageNotification.type, ({ message }) => resolve(message));
  });
  editor.listen();
  await expect(editor.sendRequest(question.method, null)).rejects.toThrow('not iterable');
  const message = await logged;
  expect(message).toMatch(
    /^poolguard\/anything: TypeError: It is not iterable.*\n\s+at .*protocol/su,
  );
  expect(message).not.toContain('geheim');
  editor.dispose();
});

test.each([
  [InDocument, {}, 'uri is missing'],
  [InDocument, undefined, 'it is not an object'],
  [Files, { uris: ['file:///a.ts', 7] }, 'uris[1] is not a string'],
  [
    PoolChange,
    {
      uri: 'file:///a.ts',
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } },
      values: { max: '1 }); leak({' },
    },
    'values.max is not a number',
  ],
])('a question that is none gets a sentence: %#', async (schema, given, sentence) => {
  const { server, editor } = connect();
  answer<unknown, string>(server, question, schema, () => 'answered');
  server.listen();
  editor.listen();
  await expect(editor.sendRequest(question.method, given)).rejects.toThrow(
    `Request ${question.method} failed with message: ${sentence}. Use version `,
  );
  editor.dispose();
});

const place = { line: 3, character: 7 };
const samples: readonly (readonly [v.GenericSchema, object])[] = [
  [InDocument, { uri: 'file:///a.ts' }],
  [Files, { uris: ['file:///a.ts'] }],
  [PoolChange, { uri: 'file:///a.ts', range: { start: place, end: place }, values: { max: 5 } }],
  [
    SetupFacts,
    {
      fileName: 'eslint.config.js',
      text: 'export default [];',
      preset: 'strict',
      pooler: '',
      typescript: null,
    },
  ],
  [
    HostFacts,
    {
      isTrusted: true,
      showsEslint: true,
      foldersWithoutEslint: ['file:///a'],
      showsPaths: true,
      checksWorkspaceOnDemand: false,
    },
  ],
  [
    ConfigAnswer,
    {
      kind: 'configured',
      configurations: [
        { rules: { 'poolguard/no-unreleased-client': { severity: 'error', options: [{ a: 1 }] } } },
      ],
      chosen: [0],
    },
  ],
  [ConfigAnswer, { kind: 'broken', sentence: 'it ended the process' }],
];

test.each(samples)(
  'whatever is sent, it is read as what is read again as itself, or not at all: %#',
  (schema, sample) => {
    expectToRead([sample], (given) => {
      const read = v.safeParse(schema, given);
      return read.success ? read.output : undefined;
    });
  },
);
