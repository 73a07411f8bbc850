import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createK6Tool } from '../../../../src/sweep/load/k6-tool.ts';
import { formats } from '../../../../src/report/formats.ts';
import { probeResults } from '../../../support/probe-results.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

/** A program called k6 in a folder of its own. `npm run test:k6` tries the real one. */
async function withProgram(text: string) {
  const folder = await createTemporaryFolder({ k6: `#!/bin/sh\n${text}\n` });
  await chmod(join(folder.path, 'k6'), 0o755);
  return { folder, tool: createK6Tool({ PATH: `${folder.path}:/usr/bin:/bin`, K6_VUS: '9' }) };
}

const order = {
  request: {
    url: 'http://me:s3cret@127.0.0.1:9/',
    method: 'GET',
    headers: { Authorization: 's3cret' },
    body: null,
  },
  stages: [{ seconds: 1, users: 2 }],
  thinkMs: 10,
  onProgress: () => undefined,
};

test('without k6, or with one that is too old, a sentence says what to do', async () => {
  const none = await createK6Tool({ PATH: '/there/is/none' }).check();
  expect(none).toMatch(
    /^k6 was not found in PATH\. Install it .* or omit --load k6 to use the built-in load generator\.$/,
  );
  const old = await withProgram('echo "k6 v0.57.0 (go1.23.6, linux/amd64)"');
  await using _old = old.folder;
  expect(await old.tool.check()).toMatch(/k6 is k6 0\.57\.0, but k6 1\.0 or newer is required\./);
  const other = await withProgram('echo hello');
  await using _other = other.folder;
  expect(await other.tool.check()).toContain('is not k6: it prints no version');
  const fine = await withProgram('echo "k6 v1.8.1 (go1.26.8, linux/amd64)"');
  await using _fine = fine.folder;
  expect(await fine.tool.check()).toBeNull();
});

test('the script comes on standard input, the secrets in the environment, and nothing else of the environment', async () => {
  const summary = formats.json.write(probeResults.k6).replace(/\s*\n\s*/g, '');
  const { folder, tool } = await withProgram(
    `cat > "$(dirname "$0")/script.js"; env > "$(dirname "$0")/env"; echo "$@" > "$(dirname "$0")/args"; echo '${summary}'`,
  );
  await using _folder = folder;
  const answer = await tool.run({ ...order, signal: new AbortController().signal });
  const { requests, errors, latency, dropped } = probeResults.k6;
  expect(answer).toMatchObject({
    kind: 'load',
    load: { requests, errors, latency, seconds: 20.012, generator: { dropped } },
  });
  const read = (name: string) => readFile(join(folder.path, name), 'utf8');
  expect(await read('script.js')).toContain("executor: 'ramping-vus'");
  expect(`${await read('script.js')}${await read('args')}`).not.toContain('s3cret');
  expect(await read('env')).toContain('HEADER_AUTHORIZATION=s3cret\n');
  expect(await read('env')).not.toContain('K6_VUS');
});

test('a k6 that fails is quoted, and one that was ended early is waited for', async () => {
  const bad = await withProgram(
    'echo "GoError: something http://me:s3cret@127.0.0.1/" >&2; exit 107',
  );
  await using _bad = bad.folder;
  expect(await bad.tool.run({ ...order, signal: new AbortController().signal })).toEqual({
    kind: 'problem',
    sentence:
      'k6 ended without a summary. Its last lines:\n  GoError: something http://me:[hidden]@127.0.0.1/',
  });
  const slow = await withProgram('trap "" INT; touch "$(dirname "$0")/started"; exec sleep 600');
  await using _slow = slow.folder;
  const stopper = new AbortController();
  const ending = slow.tool.run({ ...order, signal: stopper.signal });
  await expect.poll(() => existsSync(join(slow.folder.path, 'started'))).toBe(true);
  stopper.abort();
  expect(await ending).toEqual({ kind: 'problem', sentence: 'k6 ended without a summary.' });
});
