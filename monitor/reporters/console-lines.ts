import { relative } from 'node:path';
import type {
  CodePlace,
  HeldCheckout,
  Mistake,
  CounterSample,
  Report,
  Times,
  WatchedPool,
} from '../report.ts';

/** Whose pool it is, and where it was made. */
export function watchedText({ library, max, madeAt }: WatchedPool): string {
  const parts = [
    'watched',
    ...(library === undefined ? [] : [`pool of ${library}`]),
    `max ${max}`,
    ...(madeAt === null ? [] : [`created ${atPlace(madeAt)}`]),
  ];
  return parts.join(', ');
}

/** The field report's form: what the pool has, and how long its callers wait and hold. */
export function lookText(
  { total, idle, waiting }: CounterSample,
  peak: number,
  failed: number,
  wait: Times | null,
  hold: Times | null,
): string {
  const parts = [
    `total ${total}`,
    `idle ${idle}`,
    `waiting ${waiting}${peak > waiting ? ` (peak ${peak})` : ''}`,
  ];
  // Those who wait still may have waited much longer.
  if (wait !== null)
    parts.push(`${waiting > 0 ? 'served after' : 'wait'} p95 ${duration(wait.p95Ms)}`);
  if (hold !== null) parts.push(`hold p95 ${duration(hold.p95Ms)}`);
  if (failed > 0) parts.push(`${failed} ${failed === 1 ? 'checkout' : 'checkouts'} timed out`);
  return parts.join(', ');
}

export function alertText({
  alert,
  isOver,
  value,
  threshold,
}: Extract<Report, { readonly kind: 'alert' }>): string {
  if (alert === 'waiting')
    return isOver
      ? `ALERT: ${value} callers are waiting for a client, more than ${threshold}`
      : `no longer more than ${threshold} waiting`;
  const share = `${Math.round(100 * threshold)} %`;
  if (isOver) return `ALERT: all clients are open and fewer than ${share} of them are idle`;
  // A pool that closes clients, or that may have more of them, is well although none is idle.
  return value >= threshold
    ? `${share} of the clients are idle again`
    : 'the pool may open clients again';
}

/** `count` checkouts of the line that acquired it are held for too long, this one among them. */
export function heldText(held: HeldCheckout, count: number, heldMs: number): string {
  const more = count > 1 ? ` (${count} from this line now)` : '';
  const limit = heldMs % 1_000 === 0 ? `${heldMs / 1_000} s` : duration(heldMs);
  const backend = held.backendPid === null ? '' : `, backend ${held.backendPid}`;
  return `checkout ${held.checkout} held for more than ${limit}${backend}, acquired ${stackText(held.acquiredAt)}${more}`;
}

/** How many of `all` the same line acquired, this one among them; where no stacks are kept, each checkout stands for itself. */
export function countOfLine(
  { acquiredAt: [place] }: HeldCheckout,
  all: readonly HeldCheckout[],
): number {
  return place === undefined
    ? 1
    : all.filter(
        ({ acquiredAt: [other] }) => other?.file === place.file && other.line === place.line,
      ).length;
}

const said: Readonly<Record<Mistake['mistake'], string>> = {
  'double-release': 'error: a client was released twice',
  'use-after-release': 'error: a client was used after its release',
  'open-transaction': 'error: a client was released with an open transaction',
};

export function mistakeLines({
  mistake,
  acquiredAt,
  releasedAt,
  misusedAt,
}: Mistake): readonly string[] {
  const rows: readonly (readonly [string, readonly CodePlace[]])[] =
    mistake === 'open-transaction'
      ? [
          ['released', misusedAt],
          ['acquired', acquiredAt],
        ]
      : [
          [mistake === 'double-release' ? 'released again' : 'used', misusedAt],
          ['first released', releasedAt],
          ['acquired', acquiredAt],
        ];
  return [
    said[mistake],
    ...rows.flatMap(([what, places]) =>
      places.length === 0 ? [] : [`  ${what} ${stackText(places)}`],
    ),
  ];
}

/** What was never released, by the line that acquired it. */
export function outLines(out: readonly HeldCheckout[]): readonly string[] {
  return byLine(out, (checkouts) => `${checkouts} never released`);
}

/** What `pool.end()` waits for, by the line that acquired it. */
export function endingLines(out: readonly HeldCheckout[]): readonly string[] {
  return byLine(out, (checkouts) => `pool.end() waits for ${checkouts}`);
}

function byLine(
  out: readonly HeldCheckout[],
  say: (checkouts: string) => string,
): readonly string[] {
  if (out.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { acquiredAt } of out)
    counts.set(stackText(acquiredAt), (counts.get(stackText(acquiredAt)) ?? 0) + 1);
  const noun = out.length === 1 ? '1 checkout' : `${out.length} checkouts`;
  return [
    say(noun),
    ...[...counts].map(([place, count]) => `  ${count === 1 ? '' : `${count} `}acquired ${place}`),
  ];
}

/** The first place, and what called it. */
function stackText(places: readonly CodePlace[]): string {
  return places.length === 0 ? 'at an unknown place' : places.slice(0, 4).map(atPlace).join(' ← ');
}

export function atPlace({ file, line, column, function: name }: CodePlace): string {
  const path = relative(process.cwd(), file);
  return `at ${path.startsWith('..') ? file : path}:${line}:${column}${name === null ? '' : ` (${name})`}`;
}

/** As short as it can be read. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 9_950) return `${Math.round(ms)} ms`;
  return ms < 600_000
    ? `${(ms / 1000).toFixed(ms < 99_500 ? 1 : 0)} s`
    : `${Math.round(ms / 60_000)} min`;
}
