import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  checkoutProtocol,
  leftoverProtocol,
  step,
  transactionProtocol,
  type Leftover,
  type LeftoverEvent,
} from '../../../rules/typestate/protocols.ts';
import {
  leftoverEvent,
  sitesOf,
  withLeftover,
  type SiteLeftover,
} from '../../../rules/typestate/leftovers.ts';

type Rows = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

function reachedFrom(start: string, table: Rows): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const state of reached)
    for (const next of Object.values(table[state] ?? {})) if (next !== undefined) reached.add(next);
  return reached;
}

function through(table: Rows, ...[start, ...events]: readonly string[]): string {
  return events.reduce((state, event) => step(table, state, event), start ?? '');
}

describe('the tables', () => {
  it.each([
    ['checkout', checkoutProtocol],
    ['transaction', transactionProtocol],
  ])('%s reaches each of its states from none', (_, table) => {
    expect([...reachedFrom('none', table)].sort()).toEqual(Object.keys(table).sort());
  });

  it('leave a state where it is for an event without a row', () => {
    expect(step(checkoutProtocol, 'released', 'fulfilled')).toBe('released');
  });
});

describe('checkout', () => {
  it.each([
    [['none', 'promised', 'fulfilled', 'released'], 'released'],
    [['none', 'promised', 'rejected'], 'none'],
    [['none', 'given', 'given'], 'lost'],
    [['none', 'made', 'made'], 'unconnected'],
    [['none', 'made', 'connected', 'connection failed'], 'none'],
    [['none', 'given', 'released', 'given'], 'held'],
    [['none', 'given', 'returned', 'released'], 'returned'],
    [['none', 'given', 'handed on', 'released'], 'released'],
  ])('%j ends in %s', (way, end) => {
    expect(through(checkoutProtocol, ...way)).toBe(end);
  });
});

describe('transaction', () => {
  it.each([
    [['none', 'begin', 'kept'], 'open'],
    [['none', 'begin', 'closed'], 'none'],
    [['none', 'begin', 'begin failed'], 'none'],
    [['none', 'begin', 'commit', 'kept'], 'none'],
    [['none', 'begin', 'chain', 'kept'], 'open'],
    [['none', 'begin', 'rollback', 'rollback failed', 'kept'], 'not rolled back'],
    [['none', 'begin', 'rollback', 'rollback failed', 'commit'], 'none'],
    [['none', 'rollback', 'rollback failed'], 'none'],
    [['none', 'begin', 'unknown statement'], 'none'],
  ])('%j ends in %s', (way, end) => {
    expect(through(transactionProtocol, ...way)).toBe(end);
  });
});

const empty: { readonly leftovers: readonly SiteLeftover[] } = { leftovers: [] };

describe('leftovers', () => {
  it.each<readonly [Leftover, LeftoverEvent, string]>([
    ['revocable', 'rollback', 'gone'],
    ['revocable', 'commit', 'lasting'],
    ['revocable', 'unlocked', 'unlocked'],
  ])('%s, then %s: %s', (what, event, end) => {
    expect(step(leftoverProtocol, what, event)).toBe(end);
  });

  it('of a commit stay where they last', () => {
    const left = withLeftover(withLeftover(empty, 1, 'revocable'), 2, 'lasting');
    expect(sitesOf(leftoverEvent(left, 'commit'), 'lasting')).toEqual([1, 2]);
    expect(sitesOf(leftoverEvent(left, 'rollback'), 'lasting', 'revocable')).toEqual([2]);
  });

  it('are taken back at the sites that an event concerns', () => {
    const left = withLeftover(withLeftover(empty, 1, 'listening'), 2, 'listening');
    const after = leftoverEvent(left, 'listener removed', (site) => site === 2);
    expect(sitesOf(after, 'listening')).toEqual([1]);
  });

  it('of a query in flight and of what it leaves stand beside each other', () => {
    const left = withLeftover(withLeftover(empty, 1, 'in flight'), 1, 'lasting');
    expect(leftoverEvent(left, 'awaited').leftovers).toEqual([{ site: 1, what: 'lasting' }]);
  });

  it('are the same in whatever order they came', () => {
    const put = fc.record({
      site: fc.nat(5),
      what: fc.constantFrom<Leftover>('lasting', 'in flight'),
    });
    fc.assert(
      fc.property(fc.array(put), (puts) => {
        const inTurn = (order: readonly SiteLeftover[]): readonly SiteLeftover[] =>
          order.reduce((fact, { site, what }) => withLeftover(fact, site, what), empty).leftovers;
        expect(inTurn(puts.toReversed())).toEqual(inTurn(puts));
      }),
    );
  });
});
