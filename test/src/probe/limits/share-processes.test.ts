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
    free: 90,
    rows: [
      '1: 8 → 8, 82 | 8: 8, 82',
      '2: 4 → 8, 82 | 8: 8, 82',
      '→3: 3 → 9, 81 | 9: 8, 82',
      '4: 2 → 8, 82 | 8: 8, 82',
      '6: 2 → 12, 78 | 12: 8, 82',
      '8: 1 → 8, 82 | 8: 8, 82',
      '16: 1 → 16, 74 | 16: 8, 82',
    ],
  });
});

test('what one process limits, each has for itself, until the server has no more', () => {
  expect(rows({ kind: 'client-bound', pick: 20, asked: 50 })).toEqual({
    whole: null,
    free: 90,
    rows: [
      '1: 20 → 20, 70 | 20: 20, 70',
      '2: 20 → 40, 50 | 40: 40, 50',
      '4: 20 → 80, 10 | 80: 80, 10',
      '8: 10! → 80, 10 | 160: 80, 10',
      '16: 5! → 80, 10 | 320: 80, 10',
      '→50: 1! → 50, 40 | 1000: 80, 10',
      '100: 1! → 100, -10 | 2000: 80, 10',
    ],
  });
});
