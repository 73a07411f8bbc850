import { availableParallelism } from 'node:os';

/** A server whose right answer is known. */
export interface Fixture {
  readonly name: string;
  /** For the table. */
  readonly title: string;
  readonly sql: string;
  /** Backends of a PgBouncer in front; null connects directly. */
  readonly poolSize: number | null;
  /** Answers that are right, in words. */
  readonly answer: string;
  readonly isRight: (pick: number) => boolean;
  /** Throughput of a size, in any unit; null where only brute force knows it. */
  readonly throughput: ((size: number) => number) | null;
  /** The answer holds only while nothing else uses the CPU. */
  readonly needsQuiet: boolean;
  readonly isQuick: boolean;
}

/** Largest size that is tried. */
export const max = 32;

export const cpuStatement = 'SELECT sum(n) FROM generate_series(1, 20000) AS n';
export const items = 10_000;
export const pointStatement = 'SELECT name FROM bench_item WHERE id = $1';
export const setup = `CREATE TABLE IF NOT EXISTS bench_item AS SELECT id, md5(id::text) AS name FROM generate_series(1, ${items}) AS id; CREATE UNIQUE INDEX IF NOT EXISTS bench_item_id ON bench_item (id); ANALYZE bench_item`;

const cores = availableParallelism();
const poolers = [1, 2, 4, 6, 10, 20];
const locks = [4, 8];

export const fixtures: readonly Fixture[] = [
  ...poolers.map((size) => pooler(size, size === 1 || size === 4 || size === 10)),
  exact(
    'lock',
    'one advisory lock, held 10 ms',
    'SELECT pg_advisory_xact_lock(41), pg_sleep(0.01)',
    '1 (2 allowed)',
    (pick) => pick <= 2,
    () => 1,
    true,
  ),
  ...locks.map((count) => stripedLocks(count, count === 4)),
  exact(
    'sleep',
    'a sleep of 5 ms',
    'SELECT pg_sleep(0.005)',
    `not saturated up to ${max}`,
    (pick) => pick === max,
    (size) => size,
    true,
  ),
  {
    ...exact(
      'cpu',
      `a statement that only uses the CPU (${cores} cores)`,
      cpuStatement,
      `${cores} to ${cores + 1}`,
      (pick) => pick === cores || pick === cores + 1,
      () => 1,
      true,
    ),
    needsQuiet: true,
    throughput: null,
  },
];

function pooler(size: number, isQuick: boolean): Fixture {
  const fixture = exact(
    `pooler-${size}`,
    `PgBouncer with default_pool_size ${size} before a sleep of 10 ms`,
    'SELECT pg_sleep(0.01)',
    `${size}`,
    (pick) => pick === size,
    (clients) => Math.min(clients, size),
    isQuick,
  );
  return { ...fixture, poolSize: size };
}

/** A closed network of k stations: N clients do N / (N + k − 1) of what all stations together can. */
function stripedLocks(count: number, isQuick: boolean): Fixture {
  const throughput = (size: number) => size / (size + count - 1);
  const smallest =
    Array.from({ length: max }, (_, index) => index + 1).find(
      (size) => throughput(size) >= 0.9 * throughput(max),
    ) ?? max;
  const sql = `SELECT pg_advisory_xact_lock(420 + (random() * ${count})::int % ${count}), pg_sleep(-ln(1 - random()) * 0.003)`;
  return exact(
    `locks-${count}`,
    `${count} locks, one at random, held 3 ms on average`,
    sql,
    `${smallest} to ${2 * smallest}`,
    (pick) => throughput(pick) >= 0.88 * throughput(max) && pick <= 2 * smallest,
    throughput,
    isQuick,
  );
}

function exact(
  name: string,
  title: string,
  sql: string,
  answer: string,
  isRight: Fixture['isRight'],
  throughput: Fixture['throughput'],
  isQuick: boolean,
): Fixture {
  return {
    name,
    title,
    sql,
    poolSize: null,
    answer,
    isRight,
    throughput,
    needsQuiet: false,
    isQuick,
  };
}
