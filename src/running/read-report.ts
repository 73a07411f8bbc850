import * as v from 'valibot';
import { protocolVersion, type Report } from '../../monitor/report.ts';
import { toPlainText } from '../activity/plain-text.ts';
import { firstOf, flag, whole, within } from '../schema/fields.ts';
import { showHidden } from '../text/hidden.ts';

/** Places of a stack that are kept, checkouts of an exit or of a pool's end, and steps of a distribution. */
const longest = {
  stack: 32,
  out: 200,
  steps: 2_000,
  name: 200,
  path: 4096,
  token: 200,
  sentence: 500,
} as const;

/** A number of clients, callers or checkouts. */
const count = whole(0, 1e12);
const id = whole(0, Number.MAX_SAFE_INTEGER);
/** The range of `Date`. */
const time = within(0, 8.64e15);
const span = within(0, 8.64e15);
const port = whole(0, 65_535);
const name = shown(longest.name);
/** A second blank counts in it. */
const path = shown(longest.path, showPath);

const place = v.object({
  file: path,
  line: whole(0, 1e9),
  column: whole(0, 1e9),
  function: v.nullable(name),
});
const stack = firstOf(longest.stack, place);

const times = v.nullable(
  v.object({ count, averageMs: span, p50Ms: span, p95Ms: span, p99Ms: span, maxMs: span }),
);

const distribution = v.nullable(
  v.object({
    count,
    sumMs: span,
    maxMs: span,
    steps: firstOf(longest.steps, v.tuple([span, count])),
  }),
);

const pool = v.object({
  id,
  name,
  library: v.exactOptional(name),
  applicationName: v.nullable(name),
  host: v.nullable(name),
  port: v.nullable(port),
  database: v.nullable(name),
  max: count,
  min: v.exactOptional(count),
  connectionTimeoutMs: v.nullable(span),
  driverVersion: v.nullable(shown(40)),
  madeAt: v.nullable(place),
});

const look = v.object({
  pool: id,
  at: time,
  total: count,
  idle: count,
  waiting: count,
  max: count,
  peakWaiting: count,
  acquired: count,
  failed: count,
  timedOut: v.exactOptional(count),
  wait: times,
  hold: times,
});

const held = v.object({
  pool: id,
  checkout: id,
  since: time,
  backendPid: v.nullable(whole(-2_147_483_648, 2_147_483_647)),
  clientPort: v.nullable(port),
  acquiredAt: stack,
});
const out = firstOf(longest.out, held);

const mistake = v.object({
  pool: id,
  mistake: v.picklist(['double-release', 'use-after-release', 'open-transaction']),
  at: time,
  acquiredAt: stack,
  releasedAt: stack,
  misusedAt: stack,
});

/** The monitor, which depends on nothing, says the same as types. */
const SentReport = v.variant('kind', [
  v.object({
    kind: v.literal('hello'),
    version: v.literal(protocolVersion),
    token: shown(longest.token),
    pid: id,
    parentPid: id,
    threadId: id,
    script: path,
    folder: path,
    node: shown(40),
    startedAt: time,
  }),
  v.object({ kind: v.literal('pool'), pool }),
  v.object({ kind: v.literal('look'), look }),
  v.object({
    kind: v.literal('span'),
    cut: id,
    span: v.object({ pool: id, wait: distribution, hold: distribution }),
  }),
  v.object({ kind: v.literal('cut'), cut: id }),
  v.object({ kind: v.literal('held'), held }),
  v.object({ kind: v.literal('returned'), pool: id, checkout: id, forMs: span }),
  v.object({ kind: v.literal('mistake'), mistake }),
  v.object({
    kind: v.literal('alert'),
    pool: id,
    alert: v.picklist(['waiting', 'idle']),
    isOver: flag,
    value: span,
    threshold: span,
  }),
  v.object({ kind: v.literal('ending'), pool: id, out }),
  v.object({ kind: v.literal('ended'), pool: id }),
  v.object({ kind: v.literal('exit'), out }),
  v.object({ kind: v.literal('broken'), sentence: shown(longest.sentence) }),
]) satisfies v.GenericSchema<unknown, Report>;

/**
 * A report out of a line that an application sent, which may say anything: made anew field by field, numbers finite and in their range,
 * lists cut at a length, texts without control characters. Null for what is no report.
 */
export function readReport(line: string): Report | null {
  const read = v.safeParse(SentReport, parse(line), { abortEarly: true });
  return read.success ? read.output : null;
}

/** Text that shows what it says, cut at a length. A character that hides or reorders text becomes its escape. */
function shown(longest: number, show = toPlainText) {
  return v.pipe(
    v.string(),
    // A cut through an emoji is shown as one, so that reading the result again changes nothing.
    v.transform((value) => {
      let text = show(value.slice(0, longest));
      while (text.length > longest) text = show(text.slice(0, longest));
      return text;
    }),
  );
}

function showPath(path: string): string {
  return showHidden(path).replace(/[\t\n\r]/g, (blank) => blanks[blank] ?? blank);
}

const blanks: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
