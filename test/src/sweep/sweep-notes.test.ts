import { expect, test } from 'vitest';
import { listNotes, type NoteFacts } from '../../../src/sweep/sweep-notes.ts';
import type { SweepRow } from '../../../src/sweep/sweep-result.ts';
import { probeResults } from '../../support/probe-results.ts';

const facts: NoteFacts = {
  order: [20, 10, 40],
  broken: null,
  pick: null,
  limits: [],
  cores: 4,
  tool: 'undici',
};

function notesOf(change: Partial<SweepRow>, more: Partial<NoteFacts> = {}): string {
  return [
    ...listNotes(
      probeResults.sweep.rows.map((row) => ({ ...row, errors: {}, ...change })),
      { ...facts, ...more },
    ),
  ]
    .slice(1)
    .join(' ');
}

test.each<
  readonly [what: string, change: Partial<SweepRow>, more: Partial<NoteFacts>, words: RegExp]
>([
  ['one pass without answers', { passes: [0], requests: 0 }, {}, /^$/],
  ['passes without answers', { passes: [0, 0], requests: 0 }, {}, /^$/],
  [
    'passes that differ',
    { passes: [100, 50] },
    {},
    /^Passes of the same size differ by up to 50 %/,
  ],
  ['nobody who reports', { seenMax: null }, {}, /^No monitor reported a pool/],
  [
    'cores that others use',
    { idleCores: 0, appCores: 0.3, generator: { busy: 0.2, lagP99Ms: null, dropped: 0 } },
    {},
    /^Less than 0\.15 of the 4 cores were idle .* other programs \(or the database\) used about 3\.5: sizes may look better or worse/,
  ],
  [
    'cores that k6 uses',
    { idleCores: 0, appCores: 0.3, generator: { busy: 0.9, lagP99Ms: null, dropped: 0 } },
    { tool: 'k6' },
    /^$/,
  ],
  [
    'cores that are idle',
    { idleCores: 1, appCores: 0.3, generator: { busy: 0.2, lagP99Ms: null, dropped: 0 } },
    {},
    /^$/,
  ],
])('%s', (_what, change, more, words) => {
  expect(notesOf(change, more)).toMatch(words);
});
