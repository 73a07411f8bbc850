import { expect, test } from 'vitest';
import { createRandom } from '../../../../src/probe/random.ts';
import { createDraw } from '../../../../src/probe/workload/draw-statement.ts';
import type { ReadyStatement } from '../../../../src/probe/workload/ready-statements.ts';

const reading: ReadyStatement = {
  label: 'one',
  text: 'SELECT $1',
  weight: 3,
  parameters: ['1..9'],
  writes: false,
  isSampled: false,
  drawValues: (random) => [String(Math.floor(random() * 9) + 1)],
};
const writing: ReadyStatement = {
  label: 'two',
  text: 'DELETE FROM t',
  weight: 1,
  parameters: [],
  writes: true,
  isSampled: false,
  drawValues: () => [],
};

test('statements come by weight, with values and a name for each', () => {
  const next = createDraw([reading, writing], false);
  const random = createRandom(7);
  const drawn = Array.from({ length: 4000 }, () => next(random));
  const reads = drawn.filter(({ text }) => text === 'SELECT $1');
  expect(reads.length / drawn.length).toBeCloseTo(0.75, 1);
  expect(new Set(reads.flatMap(({ values = [] }) => values)).size).toBe(9);
  expect(reads[0]).toMatchObject({ name: 'poolguard_probe_1' });
  expect(drawn.find(({ text }) => text !== 'SELECT $1')).toEqual({
    name: 'poolguard_probe_2',
    text: 'DELETE FROM t',
    at: 1,
    writes: true,
  });
});

test('behind a pooler nothing is prepared', () => {
  expect(createDraw([writing], true)(() => 0)).toEqual({
    text: 'DELETE FROM t',
    at: 0,
    writes: true,
  });
});
