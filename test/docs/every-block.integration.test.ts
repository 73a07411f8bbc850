import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { documents, root, textOf, unitsOf } from '../support/documents.ts';
import { claims, isClaimed } from './runners/claims.ts';
import { openStage, type Stage } from './runners/stage.ts';

const units = documents.flatMap(unitsOf).map((unit) => ({
  ...unit,
  place: `${unit.document}:${unit.line}`,
  claimants: claims.filter((claim) => isClaimed(unit, claim)),
}));

test('every block of every document is executed by exactly one row of runners/claims.ts', () => {
  const wrong = units.filter(({ claimants }) => claimants.length !== 1);
  expect(
    wrong.map(
      ({ place, claimants, text }) =>
        `${place} ${claimants.length === 0 ? 'is claimed by nobody' : claimants.map(({ name }) => name).join(' and ')}: ${text.split('\n')[0] ?? ''}`,
    ),
  ).toEqual([]);
});

test('every row claims something, and none twice the same', () => {
  expect(
    claims
      .filter((claim) => !units.some(({ claimants }) => claimants.includes(claim)))
      .map(({ name }) => name),
  ).toEqual([]);
  expect(new Set(claims.map(({ name }) => name)).size).toBe(claims.length);
});

test.each(documents)('%s has no fence that the reader of blocks does not see', (document) => {
  const text = textOf(document);
  expect(text.match(/^\s*(?:```|~~~)/gmu) ?? []).toHaveLength(2 * codeBlocksOf(text).length);
});

describe('what another test executes', () => {
  test.each(claims.filter(({ by }) => by !== undefined))(
    '$name: $by names it',
    ({ by = '', part = '', run }) => {
      expect(run).toBeUndefined();
      const source = readFileSync(join(root, by), 'utf8');
      expect(part.length).toBeGreaterThan(0);
      // Wherever a line of it breaks.
      expect(source.replaceAll(/\s+/gu, ' ')).toContain(part);
    },
  );
});

describe('what is executed here', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const here = units.flatMap((unit) =>
    unit.claimants.flatMap(({ name, run }) => (run === undefined ? [] : [{ ...unit, name, run }])),
  );

  test.each(here)('$place, $name', async ({ run, ...unit }) => {
    await run(unit, stage);
  });
});
