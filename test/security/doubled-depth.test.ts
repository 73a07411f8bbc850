import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseComposeFile } from '../../src/connections/compose-file.ts';
import { readDotenv } from '../../src/connections/dotenv.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { countWork } from '../support/counted-work.ts';
import { hostileWorkspaces } from '../support/hostile-workspaces.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const settings = {
  preset: 'strict',
  severities: { 'poolguard/no-unreleased-client': 'error' },
} as const;

/** What linting a workspace's one file takes, and how many leaks it finds. */
async function lintWorkspace(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly work: number; readonly messages: readonly string[] }> {
  await using folder = await createTemporaryFolder({ 'package.json': '{ "name": "x" }', ...files });
  const name = 'user.ts' in files ? 'user.ts' : 'user.js';
  const lint = createLinter(poolguard, settings);
  let messages: readonly string[] = [];
  const work = await countWork(() => {
    messages = lint({ path: join(folder.path, name), text: files[name] ?? '' }).problems.map(
      ({ message }) => message,
    );
  });
  return { work, messages };
}

test.each(hostileWorkspaces)(
  'twice as many $reader take at most three times the work',
  async ({ files, parts }) => {
    // The first run in a process does work of its own.
    await lintWorkspace(files(2));
    const half = await lintWorkspace(files(parts));
    const whole = await lintWorkspace(files(2 * parts));

    expect(whole.work).toBeLessThan(3 * half.work);
    expect(
      [...half.messages, ...whole.messages].filter((each) => each.startsWith('The file')),
    ).toEqual([]);
  },
);

test.each([
  [
    'variables of .env',
    1_000,
    (n: number) =>
      readDotenv(Array.from({ length: n }, (_, at) => `V${at}=$V${at + 1}`).join('\n')),
  ],
  [
    'aliases of a Compose file',
    100,
    (n: number) =>
      parseComposeFile(
        `x0: &x0 { A: 1 }\n${Array.from({ length: n }, (_, at) => `x${at + 1}: &x${at + 1} [*x${at}, *x${at}]`).join('\n')}\nservices: { a: { environment: *x${n} } }`,
      ),
  ],
] as const)('twice as many %s take at most three times the work', async (_, parts, read) => {
  read(2);
  const half = await countWork(() => read(parts));

  expect(await countWork(() => read(2 * parts))).toBeLessThan(3 * half);
});
