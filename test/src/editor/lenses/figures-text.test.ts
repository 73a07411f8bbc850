import fc from 'fast-check';
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
    [server(), sum, 'server allows 97 · max of 2 pools: 30'],
    [server({ lastProbe: probe }), sum, 'server allows 97 · max of 2 pools: 30 · probe 12 (8–14)'],
    [
      server({ lastProbe: { ...probe, interval: [12, 12] } }),
      sum,
      'server allows 97 · max of 2 pools: 30 · probe 12',
    ],
    [server(), declared({ unknown: 2 }), 'server allows 97 · max of 2 of 4 pools: 30'],
    [
      server(),
      declared({ clients: 0, pools: 0, unknown: 1 }),
      'server allows 97 · max of 1 pool unknown',
    ],
    [server(), declared({ clients: 0, pools: 0, aside: 1 }), 'server allows 97'],
    [server(), undefined, 'server allows 97'],
    [server({ usable: undefined }), sum, 'server not seen yet · max of 2 pools: 30'],
    [server({ usable: 30 }), sum, 'server allows 30 · max of 2 pools: 30'],
    [server({ usable: 27 }), sum, 'max of 2 pools: 30 > 27 allowed'],
    [server({ usable: 27 }), declared({ unknown: 1 }), 'max of 2 of 3 pools: 30 > 27 allowed'],
    [server(), declared({ isCut: true }), 'server allows 97 · max of 2 pools: at least 30'],
    [
      server({ isLost: true, lastProbe: probe }),
      sum,
      'connection lost · server allows 97 · max of 2 pools: 30',
    ],
  ];

  it.each(cases)('%j %j', (figures, amount, title) => {
    expect(figuresTitle(figures, amount)).toBe(title);
  });

  it('is never longer than a lens should be', () => {
    const figure = fc.nat(99_999);
    const amounts = fc.record({
      clients: figure,
      pools: figure,
      conditional: figure,
      unknown: figure,
      aside: figure,
      isCut: fc.boolean(),
    });
    const figures = fc.record({
      usable: fc.option(figure, { nil: undefined }),
      isLost: fc.boolean(),
      max: figure,
    });
    fc.assert(
      fc.property(
        figures,
        fc.option(amounts, { nil: undefined }),
        ({ usable, isLost, max }, amount) => {
          const lastProbe = { ...probe, max, interval: [max, max + 1] as const };
          const title = figuresTitle(server({ usable, isLost, lastProbe }), amount);
          expect(title.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(60);
        },
      ),
    );
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
