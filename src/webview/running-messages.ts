/** What the page shows of applications that run under watch. The host has made it short and plain; the page only draws it. */
export interface RunningState {
  /** False in Restricted Mode, where nothing is run. */
  readonly isTrusted: boolean;
  /** Whether there is a place to report to, so that an application may come at any time. */
  readonly isListening: boolean;
  /** Whether terminals that are opened from now on are watched as well. */
  readonly watchesTerminals: boolean;
  /** When all this was so, in milliseconds since 1970 by the host's clock, which is the applications' too. */
  readonly at: number;
  readonly apps: readonly ShownApp[];
  /** Applications beyond those that are shown. */
  readonly more: number;
}

/** A thread of an application. */
export interface ShownApp {
  readonly key: string;
  readonly name: string;
  readonly pid: number;
  /** 0 in the main thread. */
  readonly threadId: number;
  /** What was started, in full. */
  readonly script: string;
  readonly hasEnded: boolean;
  /** What its monitor said when it failed. */
  readonly broken: string | null;
  readonly pools: readonly ShownPool[];
}

export interface ShownPool {
  readonly id: number;
  readonly name: string;
  /** Whose pool it is, "Knex"; null when an older monitor does not tell. */
  readonly library: string | null;
  /** "shop at localhost:5432"; null when it cannot be told. */
  readonly server: string | null;
  readonly madeAt: ShownPlace | null;
  /** Null before the first look. */
  readonly counters: ShownCounters | null;
  /** Clients in use and callers waiting at the last looks, oldest first. */
  readonly demand: readonly number[];
  /** Null before there is enough to judge by. */
  readonly verdict: ShownVerdict | null;
  /** Longest first. */
  readonly held: readonly ShownHeld[];
  /** Clients that are out for long, in all. */
  readonly out: number;
  /** Latest first. */
  readonly mistakes: readonly ShownMistake[];
}

export interface ShownCounters {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

export interface ShownVerdict {
  readonly isHealthy: boolean;
  readonly sentence: string;
}

/** Clients that are out for long and were acquired at the same place. */
export interface ShownHeld {
  readonly count: number;
  /** Since when the longest of them, in milliseconds since 1970. */
  readonly since: number;
  /** Null when stacks are off. */
  readonly place: ShownPlace | null;
  /** Who called that. */
  readonly caller: ShownPlace | null;
  /** Process ids of the backends, as far as the driver tells. */
  readonly backends: string;
}

export interface ShownMistake {
  /** Unique among those of its pool. */
  readonly key: string;
  /** "Released twice" */
  readonly words: string;
  /** How often at the same places. */
  readonly count: number;
  readonly steps: readonly { readonly words: string; readonly place: ShownPlace }[];
}

/** A line of code to open: the host finds it by its key among the places that it has shown, so that the page's word alone counts for nothing. */
export interface ShownPlace {
  readonly key: string;
  /** "src/orders.ts:41" */
  readonly label: string;
  /** The stack, a line each. */
  readonly title: string;
}

export const nothingRunning: RunningState = {
  isTrusted: true,
  isListening: false,
  watchesTerminals: false,
  at: 0,
  apps: [],
  more: 0,
};

/** What a screen reader says of a change: who asks for attention now and did not before. Figures alone are no change. */
export function announceRunning(before: RunningState, now: RunningState): string {
  const known = new Set(attentionOf(before));
  return attentionOf(now)
    .filter((sentence) => !known.has(sentence))
    .join(' ');
}

function attentionOf({ apps }: RunningState): readonly string[] {
  return apps.flatMap(({ name, hasEnded, pools }) =>
    pools.flatMap((pool) => [
      ...(hasEnded || pool.verdict === null || pool.verdict.isHealthy
        ? []
        : [`Pool ${pool.name} of ${name} needs attention.`]),
      ...pool.held.map(({ place }) =>
        hasEnded
          ? `A client of pool ${pool.name} never came back${at(place)}.`
          : `A client of pool ${pool.name} is out for long${at(place)}.`,
      ),
      ...pool.mistakes.map(({ words, steps }) => `${words}${at(steps[0]?.place ?? null)}.`),
    ]),
  );
}

function at(place: ShownPlace | null): string {
  return place === null ? '' : `, ${place.label}`;
}
