import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npmCaches } from '../../scripts/npm.mjs';

test("the user's cache is left to npm where it can be written, also before it is there", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolguard-npm-'));
  expect(npmCaches({ npm_config_cache: folder })).toEqual({});
  expect(npmCaches({ npm_config_cache: join(folder, 'a', 'b') })).toEqual({});
  await rm(folder, { recursive: true });
});

test('a home that cannot be written is spared', () => {
  // Nobody makes folders in there, root neither.
  expect(npmCaches({ npm_config_cache: '/proc/sys/npm' })).toEqual({
    npm_config_cache: expect.stringMatching(/\.cache[\\/]npm$/) as string,
    npm_config_devdir: expect.stringMatching(/\.cache[\\/]node-gyp$/) as string,
  });
});
