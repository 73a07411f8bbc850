import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimesRecorder } from '../../../monitor/watch/times.ts';
import { toLatency } from '../../../src/probe/load/recorder.ts';
import { clientsOut, findContradictions } from '../../../src/sweep/contradictions.ts';
import type { Turn } from '../../../src/sweep/measure-turn.ts';
import type { SweepRow } from '../../../src/sweep/sweep-result.ts';
import { toRows } from '../../../src/sweep/to-rows.ts';
import { probeResults } from '../../support/probe-results.ts';

const { sweep } = probeResults;
const [sound] = sweep.rows;
if (sound === undefined) throw new Error('The sample has no row.');

function contradictionsOf(change: Partial<SweepRow>): readonly string[] {
  return findContradictions({ ...sweep, rows: [{ ...sound, errors: {}, ...change } as SweepRow] });
}

const answer = { count: 1000, averageMs: 121, p50Ms: 118, p95Ms: 140, p99Ms: 150, maxMs: 160 };

test.each<readonly [what: string, change: Partial<SweepRow>, words: string]>([
  [
    'more waiting than the whole answer',
    { latency: answer, waitMs: 129 },
    'a wait of 129 ms is more than the answer of 121 ms that it is a part of',
  ],
  [
    'the same of the slowest',
    { latency: answer, waitMs: 100, waitP95Ms: 147 },
    '95 % of the waits are below 147 ms, and 95 % of the answers, of which they are a part, below 140 ms',
  ],
  [
    'more clients out than there are',
    { max: 1, seenMax: 1, peakTotal: 1, requests: 2024, checkouts: 2024, seconds: 8, holdMs: 4.4 },
    '253 checkouts/s that take 4.4 ms each keep 1.11 clients busy, and 1 were open',
  ],
  [
    'more requests than the users can send',
    { throughput: 2000, latency: answer, waitP95Ms: 100 },
    '2000 requests/s that take 121 ms, with pauses of 100 ms, need 442 users, and there were 150',
  ],
  [
    'a p95 below the median',
    { latency: { ...answer, p95Ms: 100 }, waitMs: 1, waitP95Ms: 1 },
    'the times 118, 100, 150, 160 ms (p50 to the longest) do not rise',
  ],
  [
    'a process that uses more than its application',
    { busiestCores: 1.4, appCores: 0.6 },
    'its busiest process used 1.4 cores, and the whole application 0.6',
  ],
  [
    'more active sessions than sessions',
    { averageActive: 5, peakSessions: 4 },
    '5 sessions ran a statement on average, of 4 at most',
  ],
])('%s is said', (_what, change, words) => {
  expect(contradictionsOf(change)).toEqual([
    `These figures of max ${change.max ?? 10} do not fit together: ${words}.`,
  ]);
});

test('requests that take several clients, or fail, may wait for longer than an answer takes', () => {
  expect(contradictionsOf({ latency: answer, waitMs: 129, checkouts: 5000 })).toEqual([]);
  expect(contradictionsOf({ latency: answer, waitMs: 129, errors: { 500: 7 } })).toEqual([]);
});

test('a sound result has none', () => {
  expect(findContradictions(sweep)).toEqual([]);
});

interface Load {
  readonly max: number;
  readonly users: number;
  readonly thinkMs: number;
  /** What each request does before it asks for a client, with it, and after it; used in turn. */
  readonly steps: readonly (readonly [beforeMs: number, holdMs: number, afterMs: number])[];
}

const lengthMs = 2_000;

/** A pool of `max` clients, first come, first served, under users in a closed loop, counted as monitor and load count. */
function simulate({ max, users, thinkMs, steps }: Load): Turn {
  const [wait, hold] = [createTimesRecorder(), createTimesRecorder()];
  const times: number[] = [];
  const freeAt = Array.from({ length: max }, () => 0);
  let sent = 0;
  let endMs = lengthMs;
  function withAsk({ user, sentMs }: { user: number; sentMs: number }) {
    const [beforeMs, holdMs, afterMs] = steps[sent++ % steps.length] ?? [0, 1, 0];
    return { user, sentMs, askedMs: sentMs + beforeMs, holdMs, afterMs };
  }
  const asking = Array.from({ length: users }, (_, user) => withAsk({ user, sentMs: 0 }));
  while (asking.length > 0) {
    asking.sort((one, other) => one.askedMs - other.askedMs);
    const next = asking.shift();
    if (next === undefined) break;
    const client = freeAt.indexOf(Math.min(...freeAt));
    const acquiredMs = Math.max(next.askedMs, freeAt[client] ?? 0);
    freeAt[client] = acquiredMs + next.holdMs;
    const doneMs = acquiredMs + next.holdMs + next.afterMs;
    wait.record(acquiredMs - next.askedMs);
    hold.record(next.holdMs);
    times.push(doneMs - next.sentMs);
    endMs = Math.max(endMs, doneMs);
    if (doneMs + thinkMs < lengthMs)
      asking.push(withAsk({ user: next.user, sentMs: doneMs + thinkMs }));
  }
  wait.take();
  hold.take();
  return {
    kind: 'turn',
    max,
    load: {
      seconds: endMs / 1_000,
      requests: times.length,
      latency: toLatency(times),
      times,
      errors: {},
      generator: { busy: null, lagP99Ms: null, dropped: 0 },
    },
    pools: {
      pools: 1,
      max,
      peakTotal: max,
      peakWaiting: 0,
      waits: [wait.cut() ?? []].flat(),
      holds: [hold.cut() ?? []].flat(),
      isWhole: true,
      held: null,
    },
    samples: [],
    sessions: [],
    appCores: null,
    busiestCores: null,
    idleCores: null,
  };
}

test('whatever the load: waits are a part of answers, and clients and users suffice for what was done', () => {
  const ms = fc.integer({ min: 0, max: 120 });
  fc.assert(
    fc.property(
      fc.record({
        max: fc.integer({ min: 1, max: 6 }),
        users: fc.integer({ min: 1, max: 20 }),
        thinkMs: fc.integer({ min: 1, max: 100 }),
      }),
      fc.array(
        fc.array(fc.tuple(ms, fc.integer({ min: 1, max: 120 }), ms), {
          minLength: 1,
          maxLength: 5,
        }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      ({ max, users, thinkMs }, passes) => {
        const rows = toRows(passes.map((steps) => simulate({ max, users, thinkMs, steps })));
        const load = { ...sweep.load, stages: [{ seconds: 2, users }], thinkMs };
        expect(findContradictions({ ...sweep, rows, load })).toEqual([]);
        const [row] = rows;
        expect(row?.waitMs).toBeLessThanOrEqual((row?.latency?.averageMs ?? NaN) + 0.01);
        expect(row === undefined ? null : clientsOut(row)).toBeLessThanOrEqual(max * 1.0001);
      },
    ),
    { numRuns: 150 },
  );
});
