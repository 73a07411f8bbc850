import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import {
  createConnection,
  createProtocolConnection,
  LogMessageNotification,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { answer, type Question } from '../../../src/server/protocol.ts';

const question: Question<null, string> = { method: 'poolguard/anything' };

test('a question that breaks the server’s code is not answered, and the log tells where it broke', async () => {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const server = createConnection(ProposedFeatures.all, up, down);
  answer(server, question, () => {
    throw new TypeError('It is not iterable, for all of postgres://app:geheim@shop/db');
  });
  server.listen();
  const editor = createProtocolConnection(
    new StreamMessageReader(down),
    new StreamMessageWriter(up),
  );
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
