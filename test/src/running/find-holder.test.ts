import { describe, expect, it } from 'vitest';
import type { HeldCheckout, WatchedPool } from '../../../monitor/report.ts';
import { findHolder } from '../../../src/running/find-holder.ts';
import type { RunningApps } from '../../../src/running/running-app.ts';
import { aHeldCheckout, aRunningApp, aRunningPool } from '../../support/running-apps.ts';

const direct = { host: '127.0.0.1', port: 5432, isPooled: false };
const session = { pid: 5001, clientAddress: '127.0.0.1', clientPort: 40_001, database: 'app' };

function holding(held: Partial<HeldCheckout>, pool: Partial<WatchedPool> = {}): RunningApps {
  return [
    aRunningApp({
      pools: [
        aRunningPool({ pool: { ...aRunningPool().pool, ...pool }, held: [aHeldCheckout(held)] }),
      ],
    }),
  ];
}

describe('a session is held by a checkout', () => {
  it.each<
    [
      string,
      Partial<HeldCheckout>,
      Partial<WatchedPool>,
      Partial<typeof session>,
      Partial<typeof direct>,
    ]
  >([
    ['with its process id and its port', {}, {}, {}, {}],
    ['… whatever the server is called', {}, { host: 'db.internal', port: 6000 }, {}, {}],
    [
      '… when we look through a pooler, and the application does not',
      {},
      { port: 5432 },
      {},
      { port: 6432, isPooled: true },
    ],
    [
      'with its process id, at the same address, through what forwards its connection',
      { clientPort: 50_000 },
      {},
      { clientAddress: '172.17.0.1' },
      {},
    ],
    [
      'with its process id, over a socket',
      { clientPort: null },
      { host: '/tmp' },
      { clientPort: null as unknown as number, clientAddress: null as unknown as string },
      { host: '/tmp' },
    ],
    [
      'with its port alone, of a driver that tells no process id',
      { backendPid: null },
      {},
      { clientAddress: '127.0.0.1/32' },
      {},
    ],
  ])('%s', (_, held, pool, theirs, server) => {
    expect(
      findHolder(holding(held, pool), { ...session, ...theirs }, { ...direct, ...server }),
    ).toMatchObject({ app: { pid: 4711 }, held: { since: 0 } });
  });
});

describe('nothing is sure', () => {
  it.each<
    [
      string,
      Partial<HeldCheckout>,
      Partial<WatchedPool>,
      Partial<typeof session>,
      Partial<typeof direct>,
    ]
  >([
    ['of another server with the same process id', { clientPort: 50_000 }, { port: 5433 }, {}, {}],
    [
      'of another host with the same process id',
      { clientPort: 50_000 },
      { host: 'db.internal' },
      {},
      {},
    ],
    [
      'behind a pooler, which makes process ids up',
      { clientPort: 50_000 },
      {},
      {},
      { isPooled: true },
    ],
    [
      'behind a pooler that happens to use the same port',
      { backendPid: 77 },
      { port: 6432 },
      {},
      {},
    ],
    ['in another database', {}, { database: 'other' }, {}, {}],
    ['of a port on another machine', { backendPid: null }, {}, { clientAddress: '10.0.0.7' }, {}],
    [
      'without a process id or a port',
      { backendPid: null, clientPort: null },
      {},
      { clientPort: null as unknown as number },
      {},
    ],
    ['of an address that is not known', { clientPort: 50_000 }, { host: null, port: null }, {}, {}],
  ])('%s', (_, held, pool, theirs, server) => {
    expect(
      findHolder(holding(held, pool), { ...session, ...theirs }, { ...direct, ...server }),
    ).toBeNull();
  });

  it('of two that claim the same', () => {
    const [app] = holding({});
    expect(app && findHolder([app, { ...app, key: 'app-2', pid: 9 }], session, direct)).toBeNull();
  });

  it('of an application that has ended', () => {
    expect(
      findHolder(
        holding({}).map((app) => ({ ...app, end: { at: 1, wasTold: true, out: [] } })),
        session,
        direct,
      ),
    ).toBeNull();
  });
});
