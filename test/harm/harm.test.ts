import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { bundleEntry, type Bundle } from '../support/bundle.ts';
import { runExample } from './run-example.ts';
import { harms } from './rows.ts';

let player: Bundle;

beforeAll(async () => {
  player = await bundleEntry('test/harm/player.ts');
});

afterAll(() => player[Symbol.asyncDispose]());

test('each rule has its harm seen', () => {
  expect([...new Set(harms.map(({ rule }) => rule))].sort()).toEqual(
    Object.keys(plugin.rules).sort(),
  );
});

describe.for(harms.map((row) => [row.rule, row.name, row] as const))('%s: %s', ([, , row]) => {
  test.for([row.wrong, row.right])(
    '$example',
    async ({ example, seen, code = 0, stderr = /^$/u }) => {
      expect(await runExample(row, example, player.file)).toEqual({
        seen,
        code,
        stderr: expect.stringMatching(stderr) as string,
      });
    },
  );
});
