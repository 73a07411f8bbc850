import type { CodePlace, HeldCheckout, CounterSample } from '../../monitor/report.ts';
import { toRunningState } from '../../src/editor/running/to-running-state.ts';
import type { RunningApp, RunningApps, RunningPool } from '../../src/running/running-app.ts';
import type { RunningState } from '../../src/webview/running-state.ts';

/** Milliseconds since 1970 of everything below. */
export const runningAt = 1_790_000_000_000;
const workspace = '/home/anna/shop';

export function placeIn(file: string, line: number, name: string | null = null): CodePlace {
  return { file: `${workspace}/${file}`, line, column: 24, function: name };
}

export function aLook(change: Partial<CounterSample> = {}): CounterSample {
  return {
    pool: 1,
    at: runningAt,
    total: 10,
    idle: 4,
    waiting: 0,
    max: 10,
    peakWaiting: 0,
    acquired: 20,
    failed: 0,
    wait: null,
    hold: null,
    ...change,
  };
}

export function aHeld(
  checkout: number,
  forSeconds: number,
  ...acquiredAt: readonly CodePlace[]
): HeldCheckout {
  return {
    pool: 1,
    checkout,
    since: runningAt - 1000 * forSeconds,
    backendPid: 4700 + checkout,
    clientPort: 50_000 + checkout,
    acquiredAt,
  };
}

export function aRunningPool(change: Partial<RunningPool> = {}): RunningPool {
  return {
    pool: {
      id: 1,
      name: 'orders-api',
      applicationName: 'orders-api',
      host: 'localhost',
      port: 5432,
      database: 'shop',
      max: 10,
      connectionTimeoutMs: 5000,
      driverVersion: '3.14.0',
      madeAt: placeIn('src/db.ts', 7),
    },
    look: aLook(),
    history: [2, 4, 3, 5, 6, 4, 5, 6].map((used, index) =>
      aLook({ at: runningAt + 500 * (index - 7), idle: 10 - used }),
    ),
    held: [],
    mistakes: [],
    alerts: [],
    acquired: 160,
    failed: 0,
    isEnded: false,
    ...change,
  };
}

export function aRunningApp(change: Partial<RunningApp> = {}): RunningApp {
  return {
    key: 'app-1',
    pid: 4711,
    parentPid: 4000,
    threadId: 0,
    name: 'server.ts (shop)',
    script: `${workspace}/src/server.ts`,
    folder: workspace,
    node: 'v22.13.0',
    startedAt: runningAt - 90_000,
    pools: [aRunningPool()],
    broken: null,
    end: null,
    ...change,
  };
}

const getOrder = placeIn('src/repositories/orders.ts', 41, 'getOrder');
const route = placeIn('src/routes/orders.ts', 22, 'showOrder');
const report = placeIn('src/routes/reports.ts', 63, 'monthly');

/** A pool of ten with five clients lost, a queue before it, and mistakes. */
export const leakingApp: RunningApp = aRunningApp({
  pools: [
    aRunningPool({
      look: aLook({ idle: 0, waiting: 34, peakWaiting: 41 }),
      history: [3, 5, 6, 8, 10, 10, 10, 10, 10, 10].map((used, index) =>
        aLook({
          at: runningAt + 500 * (index - 9),
          idle: 10 - used,
          waiting: Math.max(0, index - 4) * 5,
          peakWaiting: Math.max(0, index - 4) * 6,
        }),
      ),
      held: [
        aHeld(1, 42, getOrder, route),
        aHeld(2, 30, getOrder, route),
        aHeld(3, 12, getOrder, route),
        aHeld(4, 9, report),
        aHeld(5, 6),
      ],
      mistakes: [
        {
          pool: 1,
          mistake: 'double-release',
          at: runningAt - 3000,
          firstAt: runningAt - 9000,
          count: 3,
          acquiredAt: [placeIn('src/routes/users.ts', 12, 'listUsers')],
          releasedAt: [placeIn('src/routes/users.ts', 18, 'listUsers')],
          misusedAt: [placeIn('src/routes/users.ts', 21, 'listUsers')],
        },
        {
          pool: 1,
          mistake: 'open-transaction',
          at: runningAt - 5000,
          firstAt: runningAt - 5000,
          count: 1,
          acquiredAt: [placeIn('src/services/payments.ts', 30, 'pay')],
          releasedAt: [placeIn('src/services/payments.ts', 47, 'pay')],
          misusedAt: [placeIn('src/services/payments.ts', 47, 'pay')],
        },
      ],
      alerts: ['waiting', 'idle'],
    }),
  ],
});

/** One that has gone, with two clients that never came back. */
export const endedApp: RunningApp = aRunningApp({
  key: 'app-0',
  pid: 4600,
  name: 'worker.ts (shop)',
  pools: [aRunningPool({ look: aLook({ total: 4, idle: 2 }) })],
  end: { at: runningAt - 60_000, wasTold: true, out: [aHeld(8, 70, report), aHeld(9, 65, report)] },
});

const labelFile = (file: string): string => file.replace(`${workspace}/`, '');

/** As the host sends it. */
export function runningState(apps: RunningApps, change: Partial<RunningState> = {}): RunningState {
  return {
    ...toRunningState(apps, labelFile, {
      isTrusted: true,
      isListening: true,
      watchesTerminals: false,
      at: runningAt,
    }),
    ...change,
  };
}
