import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** What a file of a workspace may name as a certificate, and what opening it would do to whoever reads it to its end. */
const files = [
  ['a device without an end', 'zero'],
  ['a pipe without a writer', 'pipe'],
  ['a file of hundreds of megabytes', 'large'],
  ['a folder', 'folder'],
  ['a link that leads in a circle', 'circle'],
  ['nothing', 'nothing'],
] as const;

test.each(files)(
  'a certificate that is %s is a sentence, at once, and nothing is connected to',
  async (_what, name) => {
    await using folder = await createTemporaryFolder({ 'folder/x': '' });
    await symlink('/dev/zero', join(folder.path, 'zero'));
    await symlink('circle', join(folder.path, 'circle'));
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    execFileSync('truncate', ['-s', '900M', join(folder.path, 'large')]);
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
      const parsed = parseTarget(
        `postgres://app@127.0.0.1:1/shop?sslmode=verify-full&${parameter}=${encodeURIComponent(join(folder.path, name))}`,
      );
      if (parsed.kind === 'problem') throw new Error(parsed.sentence);
      const answer = await connectSession(parsed.target, null);
      expect(answer).toMatchObject({
        kind: 'failed',
        failure: {
          kind: 'tls-refused',
          sentence: expect.stringMatching(
            /^A certificate file of the connection string cannot be read \(.+\)\.$/,
          ) as string,
        },
      });
    }
  },
);
