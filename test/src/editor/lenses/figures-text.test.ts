import { describe, expect, it } from 'vitest';
import { sumOf, type DeclaredSum } from '../../../../src/editor/lenses/declared-sum.ts';
import { explainFigures, figuresTitle } from '../../../../src/editor/lenses/figures-text.ts';
import type { LastProbe, ServerFigures } from '../../../../src/editor/live-figures.ts';
import type { PoolDeclaration } from '../../../../src/server/protocol.ts';

const probe: LastProbe = {
  max: 12,
  interval: [8, 14],
  at: 1_000_000,
  connectionTimeoutMs: 5000,
  statement: 'SELECT 1',
};
const sum: DeclaredSum = {
  clients: 30,
  pools: 2,
  conditional: 0,
  unknown: 0,
  aside: 0,
  isCut: false,
};

function server(changes: Partial<ServerFigures> = {}): ServerFigures {
  return {
    label: 'app@localhost:5432/shop',
    usable: 97,
    seenAt: 1_170_000,
    isLost: false,
    lastProbe: undefined,
    ...changes,
  };
}

function declared(changes: Partial<DeclaredSum> = {}): DeclaredSum {
  return { ...sum, ...changes };
}

describe('the title', () => {
  const cases: readonly (readonly [ServerFigures, DeclaredSum | undefined, string])[] = [
    [server(), sum, 'server allows 97 · 30 declared'],
    [server({ lastProbe: probe }), sum, 'server allows 97 · 30 declared · last probe 12 (8–14)'],
    [
      server({ lastProbe: { ...probe, interval: [12, 12] } }),
      sum,
      'server allows 97 · 30 declared · last probe 12',
    ],
    [server(), declared({ unknown: 2 }), 'server allows 97 · 30 declared, 2 pools unknown'],
    [server(), declared({ clients: 0, pools: 0, unknown: 1 }), 'server allows 97 · 1 pool unknown'],
    [server(), declared({ clients: 0, pools: 0, aside: 1 }), 'server allows 97'],
    [server(), undefined, 'server allows 97'],
    [server({ usable: undefined }), sum, 'server not seen yet · 30 declared'],
    [server({ usable: 30 }), sum, 'server allows 30 · 30 declared'],
    [server({ usable: 27 }), sum, '30 declared > 27 allowed'],
    [server({ usable: 27 }), declared({ unknown: 1 }), 'at least 30 declared > 27 allowed'],
    [server(), declared({ isCut: true }), 'server allows 97 · at least 30 declared'],
    [
      server({ isLost: true, lastProbe: probe }),
      sum,
      'server allows 97 · 30 declared · last probe 12 (8–14) · connection lost',
    ],
  ];

  it.each(cases)('%j %j', (figures, amount, title) => {
    expect(figuresTitle(figures, amount)).toBe(title);
  });
});

describe('the explanation', () => {
  const explain = (figures: ServerFigures, amount?: DeclaredSum) =>
    explainFigures(figures, amount, 1_180_000);

  it('says which database, how old the figures are, and what is multiplied', () => {
    expect(explain(server({ lastProbe: probe }), declared({ conditional: 1 }))).toBe(
      'app@localhost:5432/shop allows ordinary roles 97 connections, seen 10 s ago. The code declares 30 clients in 2 pools, 1 of which the environment can change; every further process that runs it adds as many. The last probe of this database, 3 min ago, recommends max 12 (8–14) for each process.',
    );
  });

  it('says what is not known', () => {
    expect(
      explain(
        server({ usable: undefined, seenAt: undefined, isLost: true }),
        declared({ clients: 0, pools: 0, unknown: 1, aside: 2, isCut: true }),
      ),
    ).toBe(
      'app@localhost:5432/shop has not been seen yet. The connection is lost; reconnecting. The max of 1 more pool is unknown. 2 pools of tests, scripts and migrations are not counted. The workspace has more files than were checked. No probe of this database has recommended a max yet.',
    );
  });
});

describe('the sum', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const pool = (changes: Partial<PoolDeclaration>): PoolDeclaration => ({
    uri: 'file:///a.ts',
    range,
    name: 'pool',
    max: 10,
    isMaxDefault: true,
    variable: undefined,
    connectionTimeoutMillis: 0,
    idleTimeoutMillis: 10_000,
    isAside: false,
    isWritable: true,
    ...changes,
  });

  it('counts pools of the service only, and says what it does not know', () => {
    const pools = [
      pool({}),
      pool({ max: 20, variable: 'POOL_MAX' }),
      pool({ max: undefined }),
      pool({ max: 5, isAside: true }),
      pool({ max: undefined, isAside: true }),
    ];
    expect(sumOf({ pools, isCut: true })).toEqual({
      clients: 30,
      pools: 2,
      conditional: 1,
      unknown: 1,
      aside: 2,
      isCut: true,
    });
  });
});
