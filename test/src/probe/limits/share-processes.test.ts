import { expect, test } from 'vitest';
import type { Granted } from '../../../../src/probe/limits/apply-limits.ts';
import { shareProcesses } from '../../../../src/probe/limits/share-processes.ts';

const granted: Granted = {
  maxConnections: 100,
  reserved: 3,
  roleLimit: null,
  databaseLimit: null,
  othersNow: 7,
};

/** `processes: max → connections, left | through a pooler: connections, left` */
function rows(change: Partial<Parameters<typeof shareProcesses>[0]> = {}) {
  const table = shareProcesses({ kind: 'found', pick: 8, asked: 1, granted, ...change });
  return {
    ...table,
    rows: table.rows.map(
      ({ processes, isAsked, direct, pooled }) =>
        `${isAsked ? '→' : ''}${processes}: ${direct.max}${direct.isBounded ? '!' : ''} → ${direct.connections}, ${direct.left} | ${pooled.clients}: ${pooled.backends}, ${pooled.left}`,
    ),
  };
}

test('what the database limits is shared by all processes', () => {
  expect(rows({ asked: 3 })).toEqual({
    whole: 8,
    free: 80,
    rows: [
      '1: 8 → 8, 72 | 8: 8, 72',
      '2: 4 → 8, 72 | 8: 8, 72',
      '→3: 3 → 9, 71 | 9: 8, 72',
      '4: 2 → 8, 72 | 8: 8, 72',
      '6: 2 → 12, 68 | 12: 8, 72',
      '8: 1 → 8, 72 | 8: 8, 72',
      '16: 1 → 16, 64 | 16: 8, 72',
    ],
  });
});

test('what one process limits, each has for itself, until the server has no more', () => {
  expect(rows({ kind: 'client-bound', pick: 20, asked: 50 })).toEqual({
    whole: null,
    free: 80,
    rows: [
      '1: 20 → 20, 60 | 20: 20, 60',
      '2: 20 → 40, 40 | 40: 40, 40',
      '4: 20 → 80, 0 | 80: 80, 0',
      '8: 10! → 80, 0 | 160: 80, 0',
      '16: 5! → 80, 0 | 320: 80, 0',
      '→50: 1! → 50, 30 | 1000: 80, 0',
      '100: 1! → 100, -20 | 2000: 80, 0',
    ],
  });
});
