/** Neighbouring client ports of one pool. */
export interface PortSpan {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const fewestInSpan = 2;
const smallestGap = 1_000;
const gapPerStep = 20;

/**
 * The client ports of a pool, where they form clearly separate clusters: processes that started apart opened theirs apart.
 * Empty when that is not clear: a system gives ports in order of time as a rule, so that a pool which opens connections now
 * and then has them strewn, and nothing is said of processes.
 */
export function findPortSpans(ports: readonly (number | null)[]): readonly PortSpan[] {
  const sorted = ports.filter((port) => port !== null).sort((a, b) => a - b);
  if (sorted.length !== ports.length) return [];
  const spans = cutAtGaps(sorted);
  const widest = Math.max(1, ...spans.flatMap((span) => stepsOf(span)));
  const gaps = spans.slice(1).map((span, index) => (span[0] ?? 0) - (spans[index]?.at(-1) ?? 0));
  const isClear =
    spans.length > 1 &&
    spans.every(({ length }) => length >= fewestInSpan) &&
    gaps.every((gap) => gap >= gapPerStep * widest);
  return isClear
    ? spans.map((span) => ({ from: span[0] ?? 0, to: span.at(-1) ?? 0, count: span.length }))
    : [];
}

function cutAtGaps(sorted: readonly number[]): readonly (readonly number[])[] {
  return sorted.reduce<readonly (readonly number[])[]>((spans, port) => {
    const last = spans.at(-1);
    const isNear = last !== undefined && port - (last.at(-1) ?? 0) < smallestGap;
    return isNear ? [...spans.slice(0, -1), [...last, port]] : [...spans, [port]];
  }, []);
}

function stepsOf(span: readonly number[]): readonly number[] {
  return span.slice(1).map((port, index) => port - (span[index] ?? 0));
}
