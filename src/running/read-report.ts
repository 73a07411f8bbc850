import {
  protocolVersion,
  type CodePlace,
  type HeldCheckout,
  type Mistake,
  type PoolLook,
  type Report,
  type Times,
  type WatchedPool,
} from '../../monitor/report.ts';
import {
  flag,
  listOf,
  nullable,
  object,
  oneOf,
  pathText,
  text,
  whole,
  within,
  wrong,
  type Read,
} from './read.ts';

/** Places of a stack that are kept, and checkouts of an exit or of a pool's end. */
const longest = { stack: 32, out: 200, name: 200, path: 4096, token: 200, sentence: 500 } as const;

/** A number of clients, callers or checkouts. */
const count = whole(0, 1e12);
const id = whole(0, Number.MAX_SAFE_INTEGER);
/** The range of `Date`. */
const time = within(0, 8.64e15);
const span = within(0, 8.64e15);
const port = whole(0, 65_535);
const name = text(longest.name);
const path = pathText(longest.path);

const place = object<CodePlace>({
  file: path,
  line: whole(0, 1e9),
  column: whole(0, 1e9),
  function: nullable(name),
});
const stack = listOf(place, longest.stack);

const times = object<Times>({
  count,
  averageMs: span,
  p50Ms: span,
  p95Ms: span,
  p99Ms: span,
  maxMs: span,
});

const pool = object<WatchedPool>(
  {
    id,
    name,
    library: name,
    applicationName: nullable(name),
    host: nullable(name),
    port: nullable(port),
    database: nullable(name),
    max: count,
    min: count,
    connectionTimeoutMs: nullable(span),
    driverVersion: nullable(text(40)),
    madeAt: nullable(place),
  },
  ['min', 'library'],
);

const look = object<PoolLook>(
  {
    pool: id,
    at: time,
    total: count,
    idle: count,
    waiting: count,
    max: count,
    peakWaiting: count,
    acquired: count,
    failed: count,
    timedOut: count,
    wait: nullable(times),
    hold: nullable(times),
  },
  ['timedOut'],
);

const held = object<HeldCheckout>({
  pool: id,
  checkout: id,
  since: time,
  backendPid: nullable(whole(-2_147_483_648, 2_147_483_647)),
  clientPort: nullable(port),
  acquiredAt: stack,
});

const mistake = object<Mistake>({
  pool: id,
  mistake: oneOf('double-release', 'use-after-release', 'open-transaction'),
  at: time,
  acquiredAt: stack,
  releasedAt: stack,
  misusedAt: stack,
});

type Kind = Report['kind'];
type ReportOf<Name extends Kind> = Extract<Report, { readonly kind: Name }>;

const reports: { readonly [Name in Kind]: Read<ReportOf<Name>> } = {
  hello: object<ReportOf<'hello'>>({
    kind: oneOf('hello'),
    version: oneOf(protocolVersion),
    token: text(longest.token),
    pid: id,
    parentPid: id,
    threadId: id,
    script: path,
    folder: path,
    node: text(40),
    startedAt: time,
  }),
  pool: object<ReportOf<'pool'>>({ kind: oneOf('pool'), pool }),
  look: object<ReportOf<'look'>>({ kind: oneOf('look'), look }),
  held: object<ReportOf<'held'>>({ kind: oneOf('held'), held }),
  returned: object<ReportOf<'returned'>>({
    kind: oneOf('returned'),
    pool: id,
    checkout: id,
    forMs: span,
  }),
  mistake: object<ReportOf<'mistake'>>({ kind: oneOf('mistake'), mistake }),
  alert: object<ReportOf<'alert'>>({
    kind: oneOf('alert'),
    pool: id,
    alert: oneOf('waiting', 'idle'),
    isOver: flag,
    value: span,
    threshold: span,
  }),
  ending: object<ReportOf<'ending'>>({
    kind: oneOf('ending'),
    pool: id,
    out: listOf(held, longest.out),
  }),
  ended: object<ReportOf<'ended'>>({ kind: oneOf('ended'), pool: id }),
  exit: object<ReportOf<'exit'>>({ kind: oneOf('exit'), out: listOf(held, longest.out) }),
  broken: object<ReportOf<'broken'>>({ kind: oneOf('broken'), sentence: text(longest.sentence) }),
};

const readers = new Map<unknown, Read<Report>>(Object.entries(reports));

/**
 * A report out of a line that an application sent, which may say anything: made anew field by field, numbers finite and in their range,
 * lists cut at a length, texts without control characters. Null for what is no report.
 */
export function readReport(line: string): Report | null {
  const value = parse(line);
  const kind: unknown =
    typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  const report = readers.get(kind)?.(value) ?? wrong;
  return report === wrong ? null : report;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
