import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/database/session-limits.ts';
import type { DatabaseFailureKind } from '../../../src/database/failure-row.ts';
import { nextStartup, toStartupOptions, type Startup } from '../../../src/database/startup.ts';

describe('a login that fails', () => {
  test.each<
    [startup: Startup, kind: DatabaseFailureKind, code: string | null, next: Startup | null]
  >([
    ['without-triggers', 'statement', '42704', 'guarded'],
    ['without-triggers', 'permission', '42501', 'guarded'],
    ['without-triggers', 'statement', '22023', 'guarded'],
    ['without-triggers', 'lost', '08P01', 'bare'],
    ['without-triggers', 'statement', '0A000', 'bare'],
    ['guarded', 'statement', '42704', 'bare'],
    ['guarded', 'lost', '08P01', 'bare'],
    ['bare', 'statement', '42704', null],
    ['bare', 'lost', '08P01', null],
    ['without-triggers', 'wrong-password', '08P01', null],
    ['without-triggers', 'no-such-database', '08P01', null],
    ['without-triggers', 'too-many', '08P01', null],
    ['without-triggers', 'wrong-password', '28P01', null],
    ['without-triggers', 'permission', '25006', null],
    ['without-triggers', 'unreachable', 'ECONNREFUSED', null],
    ['guarded', 'lost', null, null],
  ])('%s, %s under %s: next is %s', (startup, kind, code, next) => {
    expect(nextStartup(startup, { kind, code })).toBe(next);
  });
});

describe('the startup parameter', () => {
  test('carries every guard of a session of ours, with blanks escaped', () => {
    const options = toStartupOptions('guarded', defaultLimits);
    expect(options?.split(/(?<!\\) -c /)).toEqual(
      expect.arrayContaining([
        'search_path=pg_catalog,\\ pg_temp',
        'default_transaction_isolation=read\\ committed',
        'role=none',
        'local_preload_libraries=',
        'statement_timeout=2000',
      ]),
    );
    expect(toStartupOptions('without-triggers', defaultLimits)).toBe(
      `${options} -c event_triggers=off`,
    );
  });

  test('leaves the path and the formats of a workload alone', () => {
    const options = toStartupOptions('guarded', { ...defaultLimits, runs: 'workload' });
    expect(options).toContain('-c default_transaction_read_only=on');
    expect(options).not.toMatch(/search_path|DateStyle|row_security|jit/);
  });

  test('is left out where everything is refused', () => {
    expect(toStartupOptions('bare', defaultLimits)).toBeUndefined();
  });
});
