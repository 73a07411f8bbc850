import { medianSorted } from 'simple-statistics';

/** What is watched: heap after a full collection, resident memory, sessions, other things that are counted, and what must be gone whenever it is looked for. */
export type SeriesKind = 'heap' | 'resident' | 'sessions' | 'count' | 'left';

/** One thing that was looked at again and again. */
export interface Series {
  readonly name: string;
  readonly kind: SeriesKind;
  /** In order of time; MB for memory, a number of things otherwise. */
  readonly points: readonly Point[];
}

export interface Point {
  /** Seconds since the soak began. */
  readonly at: number;
  readonly value: number;
}

export interface Judged {
  readonly name: string;
  readonly kind: SeriesKind;
  readonly verdict: 'flat' | 'grows' | 'unknown';
  /** Looks that count: those after the warm-up. */
  readonly looks: number;
  /** Medians of the first and of the last third of them; NaN where there are too few. */
  readonly early: number;
  readonly late: number;
  /** What the trend through all of them comes to over their whole time. */
  readonly trend: number;
  /** The growth that is still called flat. */
  readonly allowed: number;
}

/**
 * What noise alone may come to, by kind: a share of what was there early, and at least so much. The heap after a full collection holds
 * what happened to be at work at that moment, some hundred kilobytes of 10 to 60 MB; in runs without a leak its medians lay within 2 MB.
 * Resident memory also holds what the allocator keeps for later, which settles in steps of some MB. A session more
 * in the middle of the looks is one that was not closed; a descriptor may be of work that happened to go on. What must be gone may not be
 * seen once.
 */
const allowances: Readonly<Record<SeriesKind, { readonly share: number; readonly floor: number }>> =
  {
    heap: { share: 0.1, floor: 3 },
    resident: { share: 0.2, floor: 24 },
    sessions: { share: 0, floor: 0.5 },
    count: { share: 0, floor: 1 },
    left: { share: 0, floor: 0 },
  };

/** Thirds of fewer looks have no median worth the name. */
const fewestLooks = 9;

/**
 * Says whether something grew after the warm-up. It grows when the median of the last third lies above that of the first by more than
 * is allowed, and the Theil–Sen trend (the median of the slopes between all pairs of looks) agrees. Both are deaf to single high looks:
 * a saw-tooth is flat, and so is one step up and down again. NaN values are looks that saw nothing, or something that was not warm yet.
 */
export function judge({ name, kind, points }: Series, warmUpSeconds: number): Judged {
  const seen = points.filter(({ value }) => !Number.isNaN(value));
  return {
    name,
    kind,
    ...(kind === 'left'
      ? judgeLeft(seen)
      : judgeGrowth(
          seen.filter(({ at }) => at >= warmUpSeconds),
          allowances[kind],
        )),
  };
}

type Verdict = Omit<Judged, 'name' | 'kind'>;

function judgeLeft(points: readonly Point[]): Verdict {
  const highest = Math.max(0, ...points.map(({ value }) => value));
  return {
    verdict: points.length === 0 ? 'unknown' : highest > 0 ? 'grows' : 'flat',
    looks: points.length,
    early: 0,
    late: highest,
    trend: highest,
    allowed: 0,
  };
}

function judgeGrowth(
  points: readonly Point[],
  { share, floor }: { readonly share: number; readonly floor: number },
): Verdict {
  if (points.length < fewestLooks)
    return {
      verdict: 'unknown',
      looks: points.length,
      early: Number.NaN,
      late: Number.NaN,
      trend: Number.NaN,
      allowed: Number.NaN,
    };
  const third = Math.floor(points.length / 3);
  const early = medianOf(points.slice(0, third).map(({ value }) => value));
  const late = medianOf(points.slice(-third).map(({ value }) => value));
  const trend = slopeOf(points) * ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0));
  const allowed = Math.max(floor, share * early);
  return {
    verdict: Math.min(late - early, trend) > allowed ? 'grows' : 'flat',
    looks: points.length,
    early,
    late,
    trend,
    allowed,
  };
}

/** Pairs grow with the square of the points; so many points tell the same. */
const mostPoints = 400;

/** The Theil–Sen estimate: what a unit of time adds, as the median over all pairs of points. */
export function slopeOf(points: readonly Point[]): number {
  const step = Math.ceil(points.length / mostPoints);
  const used = points.filter((_, index) => index % step === 0);
  const slopes = used.flatMap((one, index) =>
    used
      .slice(index + 1)
      .flatMap((other) =>
        other.at === one.at ? [] : [(other.value - one.value) / (other.at - one.at)],
      ),
  );
  return slopes.length === 0 ? Number.NaN : medianOf(slopes);
}

function medianOf(values: readonly number[]): number {
  return medianSorted(values.toSorted((a, b) => a - b));
}

/** 1 when something grows, 2 when nothing could be told, else 0. */
export function exitCodeOf(judged: readonly Judged[]): 0 | 1 | 2 {
  if (judged.some(({ verdict }) => verdict === 'grows')) return 1;
  return judged.every(({ verdict }) => verdict === 'unknown') ? 2 : 0;
}
