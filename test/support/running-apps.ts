import type { CodePlace, HeldCheckout, CounterSample } from '../../monitor/report.ts';
import type { RepeatedMistake, RunningApp, RunningPool } from '../../src/running/running-app.ts';

/** An application that started a minute before `at` 60 000. */
export function aRunningApp(parts: Partial<RunningApp> = {}): RunningApp {
  return {
    key: 'app-1',
    pid: 4711,
    parentPid: 1,
    threadId: 0,
    name: 'server.js (api)',
    script: '/code/api/server.js',
    folder: '/code/api',
    node: 'v24.0.0',
    startedAt: 0,
    pools: [aRunningPool()],
    broken: null,
    end: null,
    ...parts,
  };
}

export function aRunningPool(parts: Partial<RunningPool> = {}): RunningPool {
  const pool = {
    id: 1,
    name: 'leaky-api',
    applicationName: 'leaky-api',
    host: 'localhost',
    port: 5432,
    database: 'app',
    max: 10,
    connectionTimeoutMs: 2000,
    driverVersion: '3.14.0',
    madeAt: null,
  };
  return {
    pool,
    look: null,
    history: [],
    held: [],
    mistakes: [],
    alerts: [],
    acquired: 0,
    failed: 0,
    isEnded: false,
    ...parts,
  };
}

export function aHeldCheckout(parts: Partial<HeldCheckout> = {}): HeldCheckout {
  return {
    pool: 1,
    checkout: 1,
    since: 0,
    backendPid: 5001,
    clientPort: 40_001,
    acquiredAt: [aCodePlace()],
    ...parts,
  };
}

export function aMistake(parts: Partial<RepeatedMistake> = {}): RepeatedMistake {
  return {
    pool: 1,
    mistake: 'double-release',
    at: 0,
    acquiredAt: [aCodePlace({ line: 3 })],
    releasedAt: [aCodePlace({ line: 5 })],
    misusedAt: [aCodePlace({ line: 7 })],
    count: 1,
    firstAt: 0,
    ...parts,
  };
}

export function aCodePlace(parts: Partial<CodePlace> = {}): CodePlace {
  return { file: '/code/api/users.js', line: 14, column: 31, function: 'load', ...parts };
}

export function aPoolLook(parts: Partial<CounterSample> = {}): CounterSample {
  return {
    pool: 1,
    at: 0,
    total: 10,
    idle: 0,
    waiting: 0,
    max: 10,
    peakWaiting: 0,
    acquired: 0,
    failed: 0,
    wait: null,
    hold: null,
    ...parts,
  };
}
