import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { hostWithoutFiles } from '../../../src/server/host.ts';
import { fileStatus, heldLines } from '../../../src/server/protocol.ts';
import { startServer } from '../../../src/server/server.ts';
import { startServerHere } from '../../support/language-client.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const folder = join(import.meta.dirname, 'workspace');
const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
const text = 'await pool.connect();\n';

it('a mistake of Poolguard is one sentence for the user, and its stack is logged once a file', async () => {
  const analyser = createTinyAnalyser(() => ({ mistake: () => new Error('out of luck.') }));
  await using client = await startServerHere((connection) => {
    startServer(connection, analyser, hostWithoutFiles);
  }, folder);
  const logged: string[] = [];
  client.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    logged.push(message);
  });
  const statusOf = (uri: string): Promise<unknown> =>
    client.connection.sendRequest(fileStatus.method, { uri });
  await client.open(uriOf('a.ts'), text);
  expect(await statusOf(uriOf('a.ts'))).toEqual({ kind: 'failed', sentence: 'out of luck.' });
  await client.change(uriOf('a.ts'), 2, `${text}\n`);
  expect(await client.connection.sendRequest(heldLines.method, { uri: uriOf('a.ts') })).toBeNull();
  await client.open(uriOf('b.ts'), text);
  await statusOf(uriOf('b.ts'));
  expect(logged).toEqual([
    expect.stringMatching(
      /^Poolguard failed unexpectedly at .*a\.ts, file 1 .*\n +at .*mistakes\.test\.ts/su,
    ),
    expect.stringMatching(/^Poolguard failed unexpectedly at .*b\.ts, file 2 /u),
  ]);
});
