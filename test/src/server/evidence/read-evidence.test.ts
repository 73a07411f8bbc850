import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evidenceOf } from '../../../../src/running/evidence.ts';
import { readEvidence } from '../../../../src/server/evidence/read-evidence.ts';
import {
  aHeldCheckout,
  aMistake,
  aRunningApp,
  aRunningPool,
} from '../../../support/running-apps.ts';
import { spoilt, strangeValue, textsIn } from '../../../support/spoilt.ts';

const [held, mistake] = evidenceOf(
  [aRunningApp({ pools: [aRunningPool({ held: [aHeldCheckout()], mistakes: [aMistake()] })] })],
  10_000,
);
const place = { file: '/a.js', line: 1, column: 1, function: null };

it('takes what the editor makes of an honest application', () => {
  const withoutNames = JSON.parse(
    JSON.stringify([held, mistake]).replaceAll('"function":"load"', '"function":null'),
  ) as unknown;
  expect(readEvidence([held, mistake])).toEqual(withoutNames);
});

it.each([
  ['no list', { 0: held }],
  ['nothing', null],
  ['a list of other things', [null, 3, 'held', [], {}, { kind: 'held' }]],
  ['another kind', [{ ...held, kind: '__proto__' }]],
  ['no place', [{ ...held, stack: [] }]],
  [
    'places that are none',
    [
      {
        ...held,
        stack: [
          null,
          { file: 1 },
          { ...place, line: 0 },
          { ...place, line: Number.NaN },
          { ...place, column: -1 },
          { ...place, line: '1' },
        ],
      },
    ],
  ],
  [
    'a path that is not absolute',
    [
      {
        ...held,
        stack: [
          { ...place, file: '../../etc/passwd' },
          { ...place, file: 'http://x/y.js' },
          { ...place, file: 'file://elsewhere%2f/y' },
        ],
      },
    ],
  ],
  ['a path with a null character', [{ ...held, stack: [{ ...place, file: '/a\0.js' }] }]],
  [
    'no number',
    [
      { ...held, count: '3' },
      { ...held, count: 0 },
      { ...held, longestMs: Infinity },
      { ...held, startedAt: -1 },
    ],
  ],
  ['a name that is none', [{ ...held, app: { toString: 1 } }]],
])('takes nothing of %s', (_, told) => {
  expect(readEvidence(told)).toEqual([]);
});

it('makes names harmless and short, and cuts lists', () => {
  const told = {
    ...held,
    app: 'a\u001b[31m\n\u202e'.padEnd(1_000_000, 'x'),
    pids: Array.from({ length: 1000 }, (_, pid) => pid),
    stack: Array.from({ length: 100_000 }, () => place),
  };
  const [read] = readEvidence(Array.from({ length: 10_000 }, () => told));
  expect(read?.app).toMatch(/^a\\u001b\[31m \\u202ex+…$/u);
  expect(read?.app.length).toBeLessThanOrEqual(60);
  expect([
    read?.pids.length,
    read?.stack.length,
    readEvidence(Array.from({ length: 10_000 }, () => told)).length,
  ]).toEqual([8, 8, 200]);
});

it('takes the address of a file for its path', () => {
  expect(
    readEvidence([{ ...held, stack: [{ ...place, file: 'file:///code/a%20b.js' }] }])[0]?.stack[0]
      ?.file,
  ).toBe('/code/a b.js');
});

it('reads whatever is told as evidence that is read again as itself, or as none', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(spoilt([held, mistake]), strangeValue)), (told) => {
      const read = readEvidence(told);
      expect(readEvidence(read)).toEqual(read);
      for (const { app, pool, stack, related, pids, count } of read) {
        expect(textsIn([app, pool]).join('')).not.toMatch(
          /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u,
        );
        expect([stack.length > 0, related.length <= 2, pids.length <= 8]).toEqual([
          true,
          true,
          true,
        ]);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(
          [...stack, ...related.map(({ place }) => place)].every(({ file }) =>
            file.startsWith('/'),
          ),
        ).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
