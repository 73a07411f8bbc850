import type { PoolRow } from './activity-model.ts';
import { ownName } from './headroom.ts';
import { toShortText } from './plain-text.ts';

const longestName = 200;

/** What a pool is called: its application, and of user, database and client only what tells it from others of that name. */
export interface PoolTitle {
  readonly name: string;
  /** What follows the name; empty when the name is enough. */
  readonly apart: readonly string[];
}

type Fields = Pick<PoolRow, 'application' | 'user' | 'database' | 'clientAddress' | 'isOwn'>;

const telling = ['user', 'database', 'clientAddress'] as const;

/** Titles by the pool's key. Every part is plain text. */
export function titlePools(
  pools: readonly (Fields & Pick<PoolRow, 'key'>)[],
): ReadonlyMap<string, PoolTitle> {
  const byName = new Map<string, Fields[]>();
  for (const pool of pools) {
    const alike = byName.get(nameOf(pool));
    if (alike === undefined) byName.set(nameOf(pool), [pool]);
    else alike.push(pool);
  }
  return new Map(
    pools.map((pool) => {
      const alike = byName.get(nameOf(pool)) ?? [];
      const differing = telling.filter(
        (field) => new Set(alike.map((each) => each[field])).size > 1,
      );
      return [
        pool.key,
        { name: nameOf(pool), apart: differing.map((field) => partOf(pool, field)) },
      ];
    }),
  );
}

/** "3 pools and Poolguard's own": a row each. */
export function describePools(pools: readonly Pick<PoolRow, 'isOwn'>[]): string {
  const others = pools.filter(({ isOwn }) => !isOwn).length;
  if (others === 0 && pools.length > 0) return `only ${ownName}`;
  const words = `${others} pool${others === 1 ? '' : 's'}`;
  return others === pools.length ? words : `${words} and ${ownName}`;
}

/** "app, database shop, from 10.0.0.1": who connects where, whether or not it tells pools apart; of hidden sessions no address is told. */
export function describePoolClient({
  user,
  database,
  clientAddress,
  split,
  count,
}: Fields & Pick<PoolRow, 'split' | 'count'>): string {
  const parts = [
    user === null ? null : `role ${plain(user)}`,
    database === null ? null : `database ${plain(database)}`,
    clientAddress === null
      ? split.hidden + split.own === count
        ? null
        : 'over a local socket'
      : `from ${plain(clientAddress)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** "3", "3 (max 10 in code)", "14 (max 10 in code: 2 processes or more)". */
export function describePoolCount({
  count,
  declared,
}: Pick<PoolRow, 'count' | 'declared'>): string {
  if (declared === null) return String(count);
  const processes =
    count > declared.max && declared.max > 0
      ? `: ${Math.ceil(count / declared.max)} processes or more`
      : '';
  return `${count} (max ${declared.max} in code${processes})`;
}

/** "client ports 40000–40008 (5) and 52000–52010 (5)"; empty when they tell nothing. */
function describePorts({ portSpans }: Pick<PoolRow, 'portSpans'>): string {
  return portSpans.length === 0
    ? ''
    : `client ports ${portSpans.map(({ from, to, count }) => `${from}–${to} (${count})`).join(' and ')}`;
}

/** "10 + 10 + 10": sessions that began together; empty when they tell nothing. */
export function describeBursts({ bursts }: Pick<PoolRow, 'bursts'>): string {
  return bursts.join(' + ');
}

/** How the server tells processes of one application and address apart, as far as it does; empty where it does not. */
export function describeProcesses(pool: Pick<PoolRow, 'bursts' | 'portSpans'>): string {
  const { bursts } = pool;
  return [
    bursts.length === 0
      ? ''
      : `opened in ${bursts.length} bursts (${describeBursts(pool)}): as many processes, or one that opened more later`,
    describePorts(pool),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function nameOf({ application, isOwn }: Fields): string {
  if (isOwn) return ownName;
  return plain(application) || '(no application_name)';
}

function partOf(pool: Fields, field: (typeof telling)[number]): string {
  const value = pool[field];
  if (value === null) return field === 'clientAddress' ? 'local socket' : `no ${field}`;
  return plain(value);
}

function plain(text: string): string {
  return toShortText(text, longestName).trim();
}
