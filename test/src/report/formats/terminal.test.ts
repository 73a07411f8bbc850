import { expect, test } from 'vitest';
import { formats } from '../../../../src/report/formats.ts';
import type { SizeResult } from '../../../../src/probe/result.ts';
import { shareProcesses } from '../../../../src/probe/limits/share-processes.ts';
import { foundTwo } from '../../../support/probe-result.ts';
import { everyResult, probeResults } from '../../../support/probe-results.ts';

const plain = { isColored: false, columns: null };

function print(result: SizeResult): string {
  return formats.terminal.write(result, plain);
}

test('shows the curve, what was checked, and the verdict with the line to paste at the end', () => {
  expect(print(foundTwo)).toBe(`shop on localhost:5432, PostgreSQL 18.4, 5 rounds in 8.7 s
SELECT 1

size  modelled/s  5 % to 95 %    mean  slices  curve
   1         500    480 – 520  2.0 ms       5  █████████████▒
   2         980  940 – 1,010  2.0 ms       6  ██████████████████████████▒▒ recommended, levels off
   4       1,000  900 – 1,100  4.0 ms       5  █████████████████████████▒▒▒▒▒

Checked with a real pool of 2
load                                     requests  requests/s  average  waiting  in database     p50    p95    p99  peak queue
8 callers, each sends again on response     2,000         950   8.4 ms   6.3 ms       2.1 ms  8.2 ms  12 ms  15 ms           6
A request is one statement. Times are counted from the moment a request was meant to begin; failed requests are in none of them.

Found.  Modelled, 2 clients do 980 statements/s, 98 % of peak throughput (1,000 statements/s with 4). Limited by the measured throughput: 90 % of its peak takes 2 connections.

max           2  in one process
interval      2 to 3  when the rounds are drawn anew
confidence    93 %  of the draws gave this size
statements/s  950  of a real pool of 2 in one Node process

new Pool({
  // Measured 2026-01-02 by poolguard on shop: 2 to 3 plausible (confidence
  // 93 %). A real pool did 950 statements/s. Limited by the measured
  // throughput: 90 % of its peak takes 2 connections.
  max: 2,
  // Ten times what nearly all requests waited for a client at 70 % of the
  // load, in whole seconds.
  connectionTimeoutMillis: 5000,
  // Clients outlive the pause between two bursts.
  idleTimeoutMillis: 30000,
})

Note: The statement is a stand-in.
Note: Nothing was committed: 2,000 transactions ended by ROLLBACK or by an error. In all sessions of the database together: 40 commits, 0 rows written.
`);
});

test('has colours only when asked', () => {
  for (const result of everyResult)
    expect(formats.terminal.write(result, plain)).not.toContain('\u001B');
  expect(formats.terminal.write(foundTwo, { isColored: true, columns: null })).toContain(
    '\u001B[32mnew Pool({',
  );
});

test.each([80, 100, 140])('fits %i columns, statements apart', (columns) => {
  for (const result of everyResult) {
    const lines = formats.terminal
      .write(result, { isColored: false, columns })
      .split('\n')
      .filter((line) => !line.includes('SELECT'));
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test('names the pools and what they open together', () => {
  expect(print({ ...foundTwo, limits: { ...foundTwo.limits, pools: 4 } })).toContain(
    'in each of 4 pools (8 connections together)',
  );
});

test('a verdict without a number recommends nothing', () => {
  const text = print({
    ...foundTwo,
    verdict: { kind: 'too-noisy', because: 'The rounds disagree.' },
    recommendation: null,
    validation: null,
    errors: { '57014': 3 },
  });
  expect(text).toContain('Too noisy to say.  The rounds disagree.');
  expect(text).toContain('Failed statements: 3 × 57014 (cancelled or timed out).');
  expect(text).not.toContain('new Pool');
});

test('a partial result says so before anything else', () => {
  expect(print({ ...foundTwo, partial: 'The server went away after 3 rounds.' })).toContain(
    'Found.  Partial result: The server went away after 3 rounds. Modelled, 2 clients do',
  );
});

test('says which limit binds, with its arithmetic', () => {
  const [role] = probeResults.size.limits.limits;
  const text = print({
    ...probeResults.size,
    limits: { ...probeResults.size.limits, binding: role ?? null },
  });
  expect(text).toMatch(/CONNECTION LIMIT of app +20 +10 +20 \/ 2 pools = 10 +binds/);
  expect(text).toContain('CONNECTION LIMIT of app binds: 20 / 2 pools = 10.');
});

test('multiplies the memory out', () => {
  expect(print(probeResults.size)).toMatch(/2 pools of 3 +6 +56 MB +80 MB/);
});

test('holds processes × max against what the server has room for', () => {
  const text = print(probeResults.size);
  expect(text).toContain(
    '6 connections are worth having for all processes together: each gets its share, rounded up.',
  );
  expect(text).toMatch(/\n +2 +3 +6 +14 +3 +6 +6 +14 +this run\n/);
  expect(text).toMatch(/\n +16 +1 +16 +4 +1 +16 +6 +14\n/);
});

test('says where processes do not fit', () => {
  const processes = shareProcesses({
    kind: 'client-bound',
    pick: 6,
    asked: 50,
    granted: {
      maxConnections: 60,
      reserved: 3,
      roleLimit: null,
      databaseLimit: null,
      othersNow: 10,
    },
  });
  const text = print({ ...probeResults.size, processes });
  expect(text).toMatch(/\n +8 +5 +40 +1 +.* less than measured\n/);
  expect(text).toMatch(/\n +50 +1 +50 +−9 +.* this run, does not fit\n/);
});

test('names the statement that limits the size', () => {
  const text = print(probeResults.size);
  expect(text).toContain(
    'SELECT count(*) FROM orders WHERE state = $1 limits the pool size: 80 % of the time that statements spend queueing is its own (mean 6.1 ms alone, 31 ms with 6 clients and more).',
  );
  expect(text).toMatch(/SELECT count\(\*\) FROM orders.* 30 % +6\.1 ms +31 ms +.* 80 % +limits\n/);
});

test('says which route sends the statements', () => {
  const workload = { ...foundTwo.workload, origin: 'code', from: 'GET /users/:id' } as const;
  expect(print({ ...foundTwo, workload })).toContain(
    'shop on localhost:5432, PostgreSQL 18.4, GET /users/:id, 5 rounds in 8.7 s\n',
  );
});

test('users: the queue over time is drawn', () => {
  expect(formats.terminal.write(probeResults.users, plain)).toMatch(/ 2 +2,240 .*▂.*█.*\n/);
});

test('text of the database cannot steer the terminal', () => {
  const hostile = '\u001B]0;x\u0007\u202E';
  expect(
    print({
      ...foundTwo,
      workload: {
        ...foundTwo.workload,
        statements: [{ text: `SELECT ${hostile}`, share: 1, parameters: [hostile], meanMs: 2 }],
      },
      notes: [hostile],
      server: { ...foundTwo.server, database: hostile },
      errors: { [hostile]: 1 },
    }),
  ).not.toMatch(/[\u0007\u001B\u202E]/);
});
