import { expect, it } from 'vitest';
import {
  measuredOptions,
  optionChoices,
  readOptionNumber,
} from '../../../../src/editor/lenses/option-choice.ts';
import type { LastProbe } from '../../../../src/editor/live-figures.ts';
import type { PoolDeclaration } from '../../../../src/server/protocol.ts';

const probe: LastProbe = {
  max: 12,
  interval: [8, 14],
  at: 1,
  connectionTimeoutMs: 5000,
  statement: 'SELECT 1',
};
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const plain: PoolDeclaration = {
  uri: 'file:///a.ts',
  range,
  name: 'pool',
  max: 10,
  isMaxDefault: true,
  variable: undefined,
  connectionTimeoutMillis: 0,
  idleTimeoutMillis: 10_000,
  isAside: false,
  isWritable: true,
};

const cases: readonly (readonly [
  Partial<PoolDeclaration>,
  LastProbe | undefined,
  readonly string[],
])[] = [
  [
    {},
    probe,
    ['max 12 advised', 'connectionTimeoutMillis 5000 advised', 'idleTimeoutMillis 10000'],
  ],
  [{}, undefined, ['max 10', 'connectionTimeoutMillis 5000 advised', 'idleTimeoutMillis 10000']],
  [
    { max: 12, connectionTimeoutMillis: 2000, idleTimeoutMillis: 0 },
    probe,
    ['max 12', 'connectionTimeoutMillis 2000', 'idleTimeoutMillis 10000'],
  ],
  [
    { max: undefined, connectionTimeoutMillis: undefined, idleTimeoutMillis: undefined },
    undefined,
    ['max 10', 'connectionTimeoutMillis 5000', 'idleTimeoutMillis 10000'],
  ],
];

it.each(cases)('%j with %j', (changes, last, expected) => {
  expect(
    optionChoices({ ...plain, ...changes }, last).map(
      ({ option, proposed, isAdvised }) => `${option} ${proposed}${isAdvised ? ' advised' : ''}`,
    ),
  ).toEqual(expected);
});

it.each([
  ['12', 12],
  [' 1 ', 1],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['1e3', undefined],
  ['99999999999', undefined],
  ['9999999999', undefined],
])('max %j is %j', (typed, value) => {
  expect(readOptionNumber(typed, { option: 'max', smallest: 1 })).toBe(
    value ?? 'max is a whole number, 1 or more.',
  );
});

it('a timeout may be 0', () => {
  expect(readOptionNumber('0', { option: 'idleTimeoutMillis', smallest: 0 })).toBe(0);
});

it.each([
  [10, 0, { max: 12, connectionTimeoutMillis: 3000 }],
  [12, 0, { connectionTimeoutMillis: 3000 }],
  [undefined, 3000, { max: 12 }],
  [12, 3000, {}],
])(
  'a pool with max %j and a timeout of %j gets from the last probe %j',
  (max, connectionTimeoutMillis, expected) => {
    expect(
      measuredOptions({ max, connectionTimeoutMillis }, { ...probe, connectionTimeoutMs: 3000 }),
    ).toEqual(expected);
  },
);
