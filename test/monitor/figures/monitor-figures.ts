import type { Report } from '../../../monitor/report.ts';
import {
  type FigureRow,
  type FigureTable,
  mean,
  most,
  quantile,
  sum,
} from '../../support/figures.ts';

/** All reports of one thread, by their kinds. */
export type Reports = {
  readonly [Kind in Report['kind']]?: readonly Extract<Report, { readonly kind: Kind }>[];
};

/** A caller's turn with a client, by the application's own notes, in milliseconds since 1970. */
export interface Turn {
  readonly askedAt: number;
  /** A connection is opened for this caller, or one is idle: it is in no queue. */
  readonly isOpening: boolean;
  readonly isServed: boolean;
  readonly from: readonly Place[];
  /** From 1, of those that got a client; by when they got it. */
  readonly checkout?: number;
  readonly outAt?: number;
  readonly gaveUpAt?: number;
  readonly backAt?: number;
  readonly pid?: number;
  readonly port?: number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface MonitorWorld {
  readonly pid: number;
  readonly ppid: number;
  readonly startedAt: number;
  readonly port: number;
  readonly max: number;
  readonly timeoutMs: number;
  readonly heldMs: number;
  readonly alertWaiting: number;
  readonly cut: number;
  readonly madeAt: Place;
  readonly turns: readonly Turn[];
  readonly mistakes: readonly {
    readonly at: number;
    readonly from: readonly Place[];
    readonly releasedFrom: readonly Place[];
    readonly misusedFrom: readonly Place[];
  }[];
  /** When each look was taken. */
  readonly looks: readonly number[];
  /** When `pool.end()` was called. */
  readonly endAt: number;
}

type Row = FigureRow<MonitorWorld>;
const notes = 'the application’s own notes';

const noted = (
  unit: string,
  means: string,
  independent: Row['independent'],
  within: Row['within'] = {},
  beside = notes,
): Row => ({ unit, means, beside, independent, within });

/** The application notes a moment within a few milliseconds of it, beside other programs. */
const moment = { absolute: 15 };

const only = (values: readonly (number | undefined)[]): readonly number[] =>
  values.filter((value) => value !== undefined);
const waitOf = ({ askedAt, outAt }: Turn) => (outAt === undefined ? undefined : outAt - askedAt);
const holdOf = ({ outAt, backAt }: Turn) =>
  outAt === undefined || backAt === undefined ? undefined : backAt - outAt;

/** What a figure is of the turns of which a moment lies between one look and the next. */
const perLook = (
  world: MonitorWorld,
  momentOf: (turn: Turn) => number | undefined,
): readonly (readonly Turn[])[] =>
  world.looks.map((at, index) =>
    world.turns.filter((turn) => {
      const then = momentOf(turn) ?? NaN;
      return then > (world.looks[index - 1] ?? 0) && then <= at;
    }),
  );

const spans = {
  wait: { of: waitOf, at: ({ outAt }: Turn) => outAt },
  hold: { of: holdOf, at: ({ backAt }: Turn) => backAt },
} as const;

function timesOf(world: MonitorWorld, what: keyof typeof spans) {
  const { of, at } = spans[what];
  return perLook(world, at)
    .map((turns) => only(turns.map(of)))
    .filter((times) => times.length > 0);
}

/** `count`, `averageMs` and the rest of a look's waits or holds. */
function times(what: keyof typeof spans) {
  const row = (means: string, of: (values: readonly number[]) => number, share = 0): Row =>
    noted('ms', means, (world) => timesOf(world, what).map(of), { absolute: 15, share });
  const path = `look[].look.${what}` as const;
  return {
    [`${path}.count`]: noted('checkouts', 'of which there is a time', (world) =>
      timesOf(world, what).map(({ length }) => length),
    ),
    [`${path}.averageMs`]: row('their mean', mean),
    [`${path}.p50Ms`]: row('their median, to 0.8 %', (times) => quantile(times, 0.5), 0.02),
    [`${path}.p95Ms`]: row('their p95, to 0.8 %', (times) => quantile(times, 0.95), 0.02),
    [`${path}.p99Ms`]: row('their p99, to 0.8 %', (times) => quantile(times, 0.99), 0.02),
    [`${path}.maxMs`]: row('the longest', most),
  } as Record<
    `look[].look.${typeof what}.${'count' | 'averageMs' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maxMs'}`,
    Row
  >;
}

/** `count`, `sumMs` and the rest of all waits or holds together. */
function distribution(what: keyof typeof spans) {
  const all = ({ turns }: MonitorWorld) => only(turns.map(spans[what].of));
  const path = `span[].span.${what}` as const;
  return {
    [`${path}.count`]: noted('checkouts', 'up to the cut', (world) => all(world).length),
    [`${path}.sumMs`]: noted('ms', 'their sum', (world) => sum(all(world)), { absolute: 100 }),
    [`${path}.maxMs`]: noted('ms', 'the longest', (world) => most(all(world)), moment),
    [`${path}.steps[][]`]: {
      ...noted('ms', 'each time, to 0.8 %, and how often: their sum', (world) => sum(all(world)), {
        absolute: 100,
        share: 0.02,
      }),
      altogether: (numbers: readonly number[]) =>
        sum(numbers.map((each, index) => (index % 2 === 0 ? each * (numbers[index + 1] ?? 0) : 0))),
    },
  } as Record<`span[].span.${typeof what}.${'count' | 'sumMs' | 'maxMs' | 'steps[][]'}`, Row>;
}

/** How many turns are between two of their moments at each look. */
const atEachLook = (isSo: (turn: Turn, at: number) => boolean) => (world: MonitorWorld) =>
  world.looks.map((at) => world.turns.filter((turn) => isSo(turn, at)).length);
const endOfWait = ({ outAt, gaveUpAt }: Turn) => outAt ?? gaveUpAt ?? Infinity;
const isOut = ({ outAt = Infinity, backAt = Infinity }: Turn, at: number) =>
  outAt <= at && at < backAt;
const isBeforeItsClient = (turn: Turn, at: number) => turn.askedAt <= at && at < endOfWait(turn);
const isWaiting = (turn: Turn, at: number) =>
  !turn.isOpening && !turn.isServed && isBeforeItsClient(turn, at);
const out = atEachLook(isOut);
const opening = atEachLook((turn, at) => turn.isOpening && isBeforeItsClient(turn, at));
/** `pool.end()` closes those that are idle. */
const open = (world: MonitorWorld) =>
  world.looks.map((at, index) =>
    at < world.endAt
      ? world.turns.filter(({ isOpening, askedAt }) => isOpening && askedAt <= at).length
      : (out(world)[index] ?? 0),
  );

/** The longest queue since the look before, at the moment of each asking. */
const peaks = (world: MonitorWorld) =>
  world.looks.map((at, index) => {
    const since = world.looks[index - 1] ?? 0;
    const asked = world.turns.flatMap(({ askedAt }) =>
      askedAt > since && askedAt <= at ? [askedAt] : [],
    );
    const moments = [since, ...asked];
    return most(moments.map((then) => world.turns.filter((turn) => isWaiting(turn, then)).length));
  });

const heldFor = (turn: Turn, ms: number) =>
  turn.outAt !== undefined && (turn.backAt ?? Infinity) - turn.outAt > ms;
const long = ({ turns, heldMs }: MonitorWorld) => turns.filter((turn) => heldFor(turn, heldMs));
const never = ({ turns }: MonitorWorld) =>
  turns.filter(({ outAt, backAt }) => outAt !== undefined && backAt === undefined);

/** What is said of a checkout that is out. */
function checkouts<Path extends string>(path: Path, of: (world: MonitorWorld) => readonly Turn[]) {
  const each = (unit: string, means: string, from: (turn: Turn) => number | undefined): Row =>
    noted(unit, means, (world) => only(of(world).map(from)));
  const places = (part: keyof Place): Row =>
    noted(part, 'of the stack', (world) =>
      of(world).flatMap(({ from }) => from.map((place) => place[part])),
    );
  return {
    [`${path}.pool`]: each('id', 'of the pool', () => 1),
    [`${path}.checkout`]: each('number', 'in the order of checkouts', ({ checkout }) => checkout),
    [`${path}.since`]: {
      ...each('ms', 'of the day', ({ outAt }) => outAt),
      within: moment,
    },
    [`${path}.backendPid`]: {
      ...each('pid', 'of the backend', ({ pid }) => pid),
      beside: 'pg_backend_pid()',
    },
    [`${path}.clientPort`]: {
      ...each('port', 'of the connection', ({ port }) => port),
      beside: 'inet_client_port()',
    },
    [`${path}.acquiredAt[].line`]: places('line'),
    [`${path}.acquiredAt[].column`]: places('column'),
  } as Record<
    `${Path}.${'pool' | 'checkout' | 'since' | 'backendPid' | 'clientPort' | 'acquiredAt[].line' | 'acquiredAt[].column'}`,
    Row
  >;
}

/** The places of mistakes. */
function mistakes<Path extends 'acquiredAt' | 'releasedAt' | 'misusedAt'>(
  path: Path,
  of: 'from' | 'releasedFrom' | 'misusedFrom',
) {
  const row = (part: keyof Place): Row =>
    noted(part, 'of the stack', (world) =>
      world.mistakes.flatMap((mistake) => mistake[of].map((place) => place[part])),
    );
  return {
    [`mistake[].mistake.${path}[].line`]: row('line'),
    [`mistake[].mistake.${path}[].column`]: row('column'),
  } as Record<`mistake[].mistake.${Path}[].${'line' | 'column'}`, Row>;
}

const countOf =
  (of: (world: MonitorWorld) => { readonly length: number }, value = 1) =>
  (world: MonitorWorld) =>
    Array.from({ length: of(world).length }, () => value);
const looks = ({ looks: all }: MonitorWorld) => all;
const failures = (world: MonitorWorld) =>
  perLook(world, ({ gaveUpAt }) => gaveUpAt).map(({ length }) => length);

/** Every number of a monitor's reports. */
export const monitorFigures: FigureTable<Reports, MonitorWorld> = {
  'hello[].version': noted('version', 'of the reports', () => 1, {}, 'docs'),
  'hello[].pid': noted('pid', 'of the application', ({ pid }) => pid),
  'hello[].parentPid': noted('pid', 'of what started it', ({ ppid }) => ppid),
  'hello[].threadId': noted('thread', 'the main one', () => 0),
  'hello[].startedAt': noted('ms', 'of the day', ({ startedAt }) => startedAt, { absolute: 2 }),
  'pool[].pool.id': noted('id', 'in its thread', () => 1),
  'pool[].pool.port': noted('port', 'of the server', ({ port }) => port),
  'pool[].pool.max': noted('clients', 'option max', ({ max }) => max),
  'pool[].pool.min': noted('clients', 'option min, which it does not set', () => 0),
  'pool[].pool.connectionTimeoutMs': noted('ms', 'option', ({ timeoutMs }) => timeoutMs),
  'pool[].pool.madeAt.line': noted('line', 'of new Pool', ({ madeAt }) => madeAt.line),
  'pool[].pool.madeAt.column': noted('column', 'of new Pool', ({ madeAt }) => madeAt.column),
  'look[].look.pool': noted('id', 'of the pool', countOf(looks)),
  'look[].look.at': {
    ...noted('ms', 'of the day: the last one is taken after the last change', ({ endAt }) => endAt),
    altogether: most,
    within: { absolute: 700 },
  },
  'look[].look.total': noted('clients', 'open or being opened', open),
  'look[].look.idle': noted('clients', 'open and not out', (world) =>
    open(world).map((all, index) => all - (out(world)[index] ?? 0) - (opening(world)[index] ?? 0)),
  ),
  'look[].look.waiting': noted('callers', 'without a client', atEachLook(isWaiting)),
  'look[].look.max': noted('clients', 'option max', countOf(looks, 2)),
  'look[].look.peakWaiting': noted('callers', 'the longest queue since the look before', peaks),
  'look[].look.acquired': noted('checkouts', 'since the look before', (world) =>
    perLook(world, ({ outAt }) => outAt).map(({ length }) => length),
  ),
  'look[].look.failed': noted('callers', 'that got no client since the look before', failures),
  'look[].look.timedOut': noted('callers', 'that gave up since the look before', failures),
  ...times('wait'),
  ...times('hold'),
  'span[].cut': noted('cut', 'that it answers', ({ cut }) => cut),
  'span[].span.pool': noted('id', 'of the pool', () => 1),
  ...distribution('wait'),
  ...distribution('hold'),
  'cut[].cut': noted('cut', 'that it answers', ({ cut }) => cut),
  ...checkouts('held[].held', long),
  'returned[].pool': noted(
    'id',
    'of the pool',
    countOf((world) => only(long(world).map(holdOf))),
  ),
  'returned[].checkout': noted('number', 'in the order of checkouts', (world) =>
    only(long(world).map(({ backAt, checkout }) => (backAt === undefined ? undefined : checkout))),
  ),
  'returned[].forMs': noted('ms', 'out', (world) => only(long(world).map(holdOf)), moment),
  'mistake[].mistake.pool': noted(
    'id',
    'of the pool',
    countOf(({ mistakes: all }) => all),
  ),
  'mistake[].mistake.at': noted(
    'ms',
    'of the day',
    ({ mistakes: all }) => all.map(({ at }) => at),
    moment,
  ),
  ...mistakes('acquiredAt', 'from'),
  ...mistakes('releasedAt', 'releasedFrom'),
  ...mistakes('misusedAt', 'misusedFrom'),
  'alert[].pool': noted('id', 'of the pool', () => [1, 1]),
  'alert[].value': noted('callers', 'waiting as it begins and ends', (world) => [
    0,
    most(peaks(world)),
  ]),
  'alert[].threshold': noted('callers', 'POOLGUARD_ALERT_WAITING', ({ alertWaiting }) => [
    alertWaiting,
    alertWaiting,
  ]),
  'ending[].pool': noted('id', 'of the pool', () => 1),
  ...checkouts('ending[].out[]', never),
  'ended[].pool': noted('id', 'of a pool that has ended: none does', () => []),
  ...checkouts('exit[].out[]', never),
};
